// Output: what reaches a terminal, what a write error means, and what happens when nobody reads.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "world.h"

namespace reprise::cli_test {
namespace {

// Control characters other than a newline, C1 controls, DEL and bidirectional controls.
bool has_controls(const std::string& text) {
  const bool has_byte = std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n') || byte == 0x7f;
  });
  return has_byte || contains(text, "\xc2\x9b") || contains(text, "\u202e");
}

// A worker that asks a question whose id would write to the clipboard.
constexpr const char* kHostileQuestion =
    "#!/bin/sh\nprintf "
    "'{\"status\":\"needs_human\",\"questions\":[{\"id\":\"Q\\\\u001b]52;c;eA==\\\\u0007\",\"text\":\"ok?\"}]}' "
    ">\"$REPRISE_RESULT\"\n";

TEST(Output, E12_QuestionIdsHaveAGrammar) {
  const World world;
  world.write("ask.sh", kHostileQuestion);
  world.workflow("ask", "stages:\n  a: {run: [./ask.sh]}\n");
  const Ended ran = world.reprise({"run", "ask", "x"});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_TRUE(contains(ran.err, "questions[].id")) << ran.err;
  const std::string shown = ran.out + ran.err + world.reprise({"inbox"}).out + world.reprise({"status"}).out;
  EXPECT_FALSE(has_controls(shown)) << shown;
}

TEST(Output, E12_NamesOfFilesAndFoldersAreMadeVisible) {
  const World world;
  const std::string name = "w\x1b]52;c;eA==\x07\xc2\x9b\u202e.yaml";
  world.write(".reprise/workflows/" + name, "stages: 5\n");
  const std::string folder = "specs/\x1b[31mred\x7f";
  world.write(folder + "/.workflow/index.md", "# Workflow: broken\n");
  int printed = 0;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"workflow", "list"},
                                                                                     {"workflow", "check"},
                                                                                     {"scan", "--all"},
                                                                                     {"run", name, "x"},
                                                                                     {"status"},
                                                                                     {"doctor"}}) {
    const Ended ended = world.reprise(words);
    EXPECT_FALSE(has_controls(ended.out + ended.err)) << words.front() << ": " << ended.out << ended.err;
    printed += contains(ended.out + ended.err, "x1b") ? 1 : 0;
  }
  EXPECT_GT(printed, 1) << "the names were not printed at all";
}

// What is printed as a command, read by a real shell, gives the same words.
TEST(Output, E12_PrintedCommandsMeanTheSameToAShell) {
  const World world;
  const std::string name =
      "it's \x1b"
      "a\x7f\n\\\u202e\u00e9.yaml";
  world.write(".reprise/workflows/" + name, "stages: 5\n");
  const Ended ended = world.reprise({"workflow", "check", ".reprise/workflows/" + name});
  const std::string label = "  try: ${EDITOR:-vi} ";
  const std::size_t begin = ended.err.find(label);
  ASSERT_NE(begin, std::string::npos) << ended.err;
  const std::size_t word = begin + label.size();
  const std::string hint = ended.err.substr(word, ended.err.find('\n', word) - word);
  EXPECT_FALSE(has_controls(hint)) << hint;
  const Ended parsed = world.shell("printf %s " + hint + " && test -e " + hint);
  EXPECT_EQ(parsed.exit, 0) << hint;
  EXPECT_TRUE(parsed.out.ends_with(name)) << hint;
}

TEST(Output, L12_JsonAndDefinitionsCarryNoHiddenCharacters) {
  const World world;
  world.workflow(
      "h",
      "description: \"d\\x7f\\x9b\\u202e\"\nstages:\n  a: {run: 'true'}\n  g: {gate: \"ok\\x7f\\x9b\\u202e?\"}\n");
  EXPECT_EQ(world.reprise({"run", "h", "x"}).exit, 3);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"workflow", "show", "h"},
                                             {"workflow", "list", "--json"},
                                             {"inbox", "--json"},
                                             {"plan", "h/x", "--json"},
                                             {"events", "h/x", "--json"},
                                             {"status", "--json"}}) {
    const Ended ended = world.reprise(words);
    EXPECT_EQ(ended.exit, 0) << words.front();
    EXPECT_FALSE(has_controls(ended.out)) << words.front() << ": " << ended.out;
  }
  EXPECT_TRUE(contains(world.reprise({"inbox", "--json"}).out, "ok\\u007f\\u009b\\u202e?"));
}

TEST(Output, E21_WriteErrorsOnStdoutAreErrors) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'echo hello'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 0);
  for (const std::string command :
       {"export w/x --output -", "status --json", "plan w/x --json", "scan --json", "inbox --json",
        "doctor --json", "workflow schema", "workflow show w", "workflow list --json", "man", "completion bash",
        "log w/x", "events w/x --json", "--version", "--help", "run w y --json", "nonsense --json"}) {
    const Ended ended = world.shell("reprise " + command + " >/dev/full");
    EXPECT_EQ(ended.exit, 6) << command << ": " << ended.err;
    EXPECT_TRUE(contains(ended.err, "cannot write to standard output: No space left on device"))
        << command << ended.err;
    EXPECT_FALSE(contains(ended.err, "exported")) << ended.err;
  }
  EXPECT_EQ(world.shell("reprise status 2>/dev/full >/dev/full").exit, 6);
  EXPECT_EQ(world.shell("reprise status >&-").exit, 6) << "a closed descriptor";
  EXPECT_EQ(world.shell("reprise verify").exit, 0) << "nothing was written into the journal instead";
}

TEST(Output, E21_ReaderThatGoesAwayIsNoFailure) {
  const World world;
  const Ended ended = world.shell("reprise man | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}");
  EXPECT_TRUE(ended.out == "141\n" || ended.out == "0\n") << ended.out;
  EXPECT_EQ(ended.err, "");
}

// Steps with names so long that their lines fill a pipe several times over.
std::string many_steps(const std::string& more) {
  std::string items;
  for (int i = 0; i < 240; ++i) items += (i == 0 ? "" : ", ") + std::string(240, 'a') + std::to_string(i);
  return "limits: {parallel: 4}\nstages:\n  many: {each: {in: [" + items + "]}, run: ['true']}\n" + more;
}

TEST(Output, E28_UnreadStderrDoesNotStopTheRun) {
  const World world;
  world.workflow("big", many_steps("  last: {needs: many, run: 'touch finished'}\n"));
  const Ended ended = world.shell("mkfifo unread; exec 3<>unread; reprise run big x 2>&3");
  EXPECT_EQ(ended.exit, 0);
  EXPECT_TRUE(world.has("finished"));
}

TEST(Output, E28_UnreadOutputDoesNotMakeTheRunnerDeaf) {
  const World world;
  world.workflow("big",
                 many_steps("  last: {needs: many, run: 'touch waiting; exec sleep 60'}\n  ok: {gate: 'ok?'}\n"));
  const Ended ended = world.shell(
      "mkfifo unread; exec 3<>unread; reprise run big x >&3 2>&3 & "
      "i=0; until [ -e waiting ] || [ $((i += 1)) -gt 600 ]; do sleep 0.05; done; "
      "reprise approve big/x ok || exit 9; kill -TERM $!; wait $!");
  EXPECT_EQ(ended.exit, 143) << ended.out << ended.err;
  EXPECT_TRUE(world.has("waiting"));
  world.shell("reprise cancel big/x --yes");
}

TEST(Output, E28_DroppedProgressIsSaidWhenReadingGoesOn) {
  const World world;
  world.workflow(
      "big", many_steps("  last: {needs: many, run: 'touch waiting; until [ -e go ]; do sleep 0.05; done'}\n"));
  const Ended ended = world.shell(
      "mkfifo unread; exec 3<>unread; reprise run big x 2>&3 & "
      "i=0; until [ -e waiting ] || [ $((i += 1)) -gt 600 ]; do sleep 0.05; done; "
      "cat <&3 >read.txt & reader=$!; i=0; "
      "until grep -q 'progress not shown' read.txt || [ $((i += 1)) -gt 600 ]; do sleep 0.05; done; "
      "touch go; wait %1; code=$?; kill $reader; exit $code");
  EXPECT_EQ(ended.exit, 0) << ended.err;
  EXPECT_TRUE(contains(world.read("read.txt"), " lines of progress not shown: the output was not read"))
      << "nothing was dropped";
}

TEST(Output, E28_NonBlockingDescriptorGetsTheWholeDocument) {
  const World world;
  world.workflow("big", many_steps(""));
  ASSERT_EQ(world.reprise({"run", "big", "x", "--quiet"}).exit, 0);
  const std::string whole = world.reprise({"events", "big/x"}).out;
  ASSERT_GT(whole.size(), 100'000u);
  const Ended ended = world.shell("{ " REPRISE_HARSH_EXEC_PATH
                                  " -n 1 reprise events big/x; echo $? >code; } | { sleep 0.3; cat; }");
  EXPECT_EQ(ended.out, whole);
  EXPECT_EQ(world.read("code"), "0\n");
}

TEST(Output, DB3_DetachPrintsOneDocumentWithTheId) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'test -e ok'}\n");
  const Ended started = world.reprise({"run", "w", "--detach", "--json"});
  EXPECT_EQ(started.exit, 0);
  ASSERT_TRUE(started.out.starts_with("{\"id\":\"w/")) << started.out;
  EXPECT_EQ(std::ranges::count(started.out, '\n'), 1);
  const std::string id = started.out.substr(7, started.out.find('"', 7) - 7);
  EXPECT_EQ(world.reprise({"attach", id}).exit, 1);
  world.write("ok", "");
  const Ended resumed = world.reprise({"resume", id, "--detach", "--json", "--yes"});
  EXPECT_EQ(resumed.out, "{\"id\":\"" + id + "\",\"detached\":true}\n") << resumed.err;
  EXPECT_TRUE(World::wait_until([&] { return world.reprise({"attach", id}).exit == 0; }));
}

TEST(Output, DB5_FollowHeadsEachTurnOfAStream) {
  const World world;
  world.workflow("par",
                 "stages:\n"
                 "  left: {run: 'for i in 1 2 3 4 5; do echo compiling $i; touch l$i; until [ -e r$i ]; do sleep "
                 "0.02; done; done; until [ -e go ]; do sleep 0.02; done'}\n"
                 "  right: {run: 'for i in 1 2 3 4 5; do until [ -e l$i ]; do sleep 0.02; done; echo ERROR $i; "
                 "sleep 0.3; touch r$i; done'}\n");
  ASSERT_EQ(world.reprise({"run", "par", "a", "--detach"}).exit, 0);
  ASSERT_TRUE(world.wait_for_file("l1"));
  const auto follower = world.start({"log", "par/a", "--follow"}, "log.txt");
  ASSERT_TRUE(World::wait_until([&] { return contains(world.read("log.txt"), "ERROR 5"); }));
  world.write("go", "");
  EXPECT_EQ(follower->end(), 0);
  const std::string log = world.read("log.txt");
  std::string heading;
  std::size_t turns = 0;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string line = log.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("== ")) {
      heading = line;
      ++turns;
    } else if (line.starts_with("compiling") || line.starts_with("ERROR")) {
      EXPECT_EQ(heading, line.starts_with("ERROR") ? "== right attempt 1 stdout" : "== left attempt 1 stdout")
          << log;
    }
  }
  EXPECT_GT(turns, 2u) << log;
}

TEST(Output, DW30_LogOfASilentStepSaysSo) {
  const World world;
  world.workflow("s", "stages:\n  a: {run: 'exit 7'}\n  b: {run: ['true']}\n");
  EXPECT_EQ(world.reprise({"run", "s", "x"}).exit, 1);
  EXPECT_EQ(world.reprise({"log", "s/x"}).out, "== a attempt 1\nno output; exit 7\ncommand: exit 7\n");
  EXPECT_EQ(world.reprise({"log", "s/x", "b"}).out, "== b attempt 1\nno output; exit 0\ncommand: true\n");
}

TEST(Output, DW32_PipedTextHasOneLinePerThing) {
  const World world;
  const std::string words =
      "this is a long question that takes more than eighty columns because somebody had a lot to say";
  world.workflow(
      "w", "stages:\n  a: {run: 'true'}\n  g: {needs: a, gate: '" + words + "'}\n  b: {needs: g, run: 'true'}\n");
  EXPECT_EQ(world.reprise({"run", "w", "x"}).exit, 3);
  int found = 0;
  for (const std::string command : {"plan w/x", "status w/x", "inbox", "resume w/x", "why w/x g"}) {
    for (const std::string environment : {"", "export COLUMNS=60; "}) {
      const Ended ended = world.shell(environment + "reprise " + command + " 2>&1 | cat");
      if (!contains(ended.out, "this is a long")) continue;
      ++found;
      EXPECT_TRUE(contains(ended.out, words)) << command << ": " << ended.out;
    }
  }
  EXPECT_GE(found, 6);
  const auto terminal = world.terminal({"plan", "w/x"}, 60);
  EXPECT_EQ(terminal->end(), 0);
  EXPECT_FALSE(contains(terminal->screen(), words)) << "a terminal still has lines that fit";
}

// A fork is a run without a session, like one that `run --detach` has just made.
TEST(Output, FollowedLogWaitsForTheFirstSession) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'echo from the step'}\n");
  ASSERT_EQ(world.reprise({"run", "w", "x"}).exit, 0);
  ASSERT_EQ(world.reprise({"fork", "w/x", "--from", "a"}).exit, 0);
  const Ended followed = world.shell(
      "reprise log w/x@2 --follow >seen 2>err & p=$!; "
      "until [ -s seen ] || [ -s err ] || ! kill -0 $p; do sleep 0.02; done; "
      "reprise resume --yes w/x@2 >/dev/null 2>&1; wait $p; cat seen");
  EXPECT_TRUE(contains(followed.out, "from the step")) << followed.out;
}

TEST(Output, DW29_NoIsTakenWhereYesIs) {
  const World world;
  world.workflow("w", "stages:\n  a: {run: 'test -e ok'}\n");
  EXPECT_EQ(world.reprise({"run", "w", "x"}).exit, 1);
  for (const std::string no : {"n\n", "no\n", "N\n"}) {
    const auto terminal = world.terminal({"resume", "w/x"});
    ASSERT_TRUE(terminal->shows("(yes / restart / cancel)"));
    terminal->type(no);
    EXPECT_TRUE(terminal->shows("nothing was changed")) << terminal->screen();
    EXPECT_EQ(terminal->end(), 3);
  }
}

}  // namespace
}  // namespace reprise::cli_test
