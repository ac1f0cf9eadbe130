// The next command: every refusal has one, and it works where it is typed.

#include "cli/next_step.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

Arguments typed(std::vector<std::string> words) { return parse_arguments(words).value(); }

TEST(NextStep, EveryCommandHasOneForEveryKindOfError) {
  int rounds = 0;
  for (const CommandSpec& command : commands()) {
    Arguments arguments;
    arguments.command = &command;
    for (const ErrorKind kind : {ErrorKind::NotFound, ErrorKind::Invalid, ErrorKind::Unavailable,
                                 ErrorKind::Conflict, ErrorKind::Corrupt, ErrorKind::Denied, ErrorKind::Io}) {
      const std::string next = next_step(arguments, {.kind = kind, .message = "it cannot be done"});
      EXPECT_TRUE(next.starts_with("reprise ")) << command.name << ": " << next;
      EXPECT_EQ(next.find(" ID"), std::string::npos) << command.name << ": " << next;
      ++rounds;
    }
  }
  EXPECT_GT(rounds, 200);
  EXPECT_EQ(next_step({}, {.kind = ErrorKind::Invalid, .message = "what?"}), "reprise --help");
}

TEST(NextStep, ShowsTheWorkThatWasMeant) {
  const Error refused{.kind = ErrorKind::Invalid, .message = "step b is done already"};
  EXPECT_EQ(next_step(typed({"skip", "w/a b", "b"}), refused), "reprise status 'w/a b'");
  EXPECT_EQ(next_step(typed({"approve", "w/a", "b"}), refused), "reprise inbox");
  EXPECT_EQ(next_step(typed({"resume"}), refused), "reprise scan");
  const Error option{.kind = ErrorKind::Invalid, .message = "--mode takes autopilot"};
  EXPECT_EQ(next_step(typed({"resume", "w/a"}), option), "reprise resume --help");
  const Error missing{.kind = ErrorKind::NotFound, .message = "there is no run w/a"};
  EXPECT_EQ(next_step(typed({"why", "w/a", "b"}), missing), "reprise scan");
  const Error damaged{.kind = ErrorKind::Corrupt, .message = "it ends too early", .file = "a b.json"};
  EXPECT_EQ(next_step(typed({"task", "get", "1"}), damaged), "${EDITOR:-vi} 'a b.json'");
  const Error database{.kind = ErrorKind::Corrupt, .message = "it ends too early", .file = "/a/journal.db"};
  EXPECT_EQ(next_step(typed({"status"}), database), "reprise verify");
  const Error failed{.kind = ErrorKind::Io, .message = "disk I/O error", .file = "/a/journal.db"};
  EXPECT_EQ(next_step(typed({"status"}), failed), "ls -l /a/journal.db");
  const Error full{.kind = ErrorKind::Io, .message = "it is full", .file = "/a b", .is_full = true};
  EXPECT_EQ(next_step(typed({"status"}), full), "df -h '/a b'");
}

TEST(NextStep, ACommandIsGivenTheDirectoryThatWasGiven) {
  const auto placed = [](std::string_view text) { return with_directory(text, "../my clone", false); };
  EXPECT_EQ(placed("go on: reprise resume w/a"), "go on: reprise -C '../my clone' resume w/a");
  EXPECT_EQ(placed("reprise plan a\n  reprise workflow list"),
            "reprise -C '../my clone' plan a\n  reprise -C '../my clone' workflow list");
  EXPECT_EQ(placed("`reprise undo` brings it back"), "`reprise -C '../my clone' undo` brings it back");
  for (const char* none : {"reprise: it failed", ".git/reprise is full", "set aside by reprise and kept",
                           "reprise planning", "/usr/bin/reprise plan", ""}) {
    EXPECT_EQ(placed(none), none);
  }
  EXPECT_EQ(with_directory("{\"remedy\":\"reprise plan a\"}", "a\"b", true),
            "{\"remedy\":\"reprise -C 'a\\\"b' plan a\"}");
  const std::string said = "{\"reason\":\"it said: reprise plan a, and \\\"reprise plan a\\\"\"}";
  EXPECT_EQ(with_directory(said, "d", true), said);
}

}  // namespace
}  // namespace reprise
