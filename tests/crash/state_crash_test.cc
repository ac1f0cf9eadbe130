// The crashes that the spec loop's and the playbook's own documents name: runner, guard and worker are killed
// there at once, as a machine that is switched off would do it, and the run is resumed.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/strings.h"
#include "formats/playbook.h"
#include "formats/spec_loop.h"
#include "sweep.h"

namespace reprise {
namespace {

using Names = std::vector<std::string>;

constexpr int kWaiting = 3;
constexpr const char* kLoop = "spec-loop/005-auth";
constexpr const char* kPlaybook = "playbook/001-login";

// Sourced by the stand-in agent: keeps each brief, makes the branch once, and at one attempt does half of the work
// and holds until it is killed.
std::string hold_script(const std::string& attempt, const std::string& half) {
  return "cp \"$REPRISE_BRIEF\" \"../brief.$REPRISE_STAGE.$REPRISE_ATTEMPT\"\n"
         "test \"$REPRISE_STEP\" != scaffold || git rev-parse -q --verify \"refs/heads/$subject\" >/dev/null || "
         "git branch \"$subject\"\n"
         "if test \"$REPRISE_STEP#$REPRISE_ATTEMPT\" = '" +
         attempt + "'; then\n" + half + "\necho up > ../up; read word < ../go\nfi\n";
}

std::string joined(const Names& names) { return join(names, " "); }

/// One story: what it finds wrong is collected, because it happens in a process of its own.
class Story {
 public:
  explicit Story(const Scene& scene) : scene_(scene), sandbox_(the_product()) {
    scene_.write(sandbox_);
    const std::string project = sandbox_.project().string();
    const std::string made = "git init -q -b main '" + project + "' && git -C '" + project +
                             "' -c user.name=a -c user.email=a@b commit -q --allow-empty -m begin";
    check(std::system(made.c_str()) == 0);
    check(mkfifo((sandbox_.folder() / "up").c_str(), 0600) == 0);
    check(mkfifo((sandbox_.folder() / "go").c_str(), 0600) == 0);
    hold("", ":");
  }

  const Sandbox& sandbox() const { return sandbox_; }
  const Names& begin() const { return scene_.script.front().arguments; }
  void hold(const std::string& attempt, const std::string& half) {
    sandbox_.write("hold", hold_script(attempt, half));
  }
  void run(const Names& arguments, int expected) {
    if (const int code = sandbox_.run(arguments); code != expected)
      wrong(joined(arguments) + ": exit " + std::to_string(code));
  }
  /// Runs the command until the attempt holds, then kills everything.
  void crash_in(const Names& arguments, const std::string& attempt, const std::string& half = ":") {
    hold(attempt, half);
    sandbox_.start(arguments, Sandbox::Faults::Off);
    const int fd = ::open((sandbox_.folder() / "up").c_str(), O_RDONLY | O_CLOEXEC);
    char byte = 0;
    check(fd >= 0 && ::read(fd, &byte, 1) == 1);
    close(fd);
    kill_everything();
  }
  /// Runs the command on a terminal until it shows `prompt` after `news`, then kills everything.
  void crash_at_prompt(const Names& arguments, const std::string& news, const std::string& prompt) {
    Names words = {REPRISE_PROGRAM, "-C", sandbox_.project().string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    int terminal = -1;
    const int pid = forkpty(&terminal, nullptr, nullptr, nullptr);
    check(pid >= 0);
    if (pid == 0) be_program(words);
    std::string shown;
    const auto is_asked = [&] {
      const std::size_t at = shown.find(news);
      return at != std::string::npos && shown.find(prompt, at) != std::string::npos;
    };
    for (std::array<char, 512> piece{}; !is_asked();) {
      const ssize_t count = ::read(terminal, piece.data(), piece.size());
      if (count <= 0) break;
      shown.append(piece.data(), static_cast<std::size_t>(count));
    }
    if (!is_asked()) wrong("it never asks: " + shown);
    kill_everything();
    close(terminal);
  }

  void expect(const std::string& what, const std::string& is, const std::string& wanted) {
    if (is != wanted) wrong(what + " is \"" + is + "\", not \"" + wanted + "\"");
  }
  void expect_effects(const Names& wanted) {
    expect("what ran", joined(sandbox_.lines("effects")), joined(wanted));
  }
  void expect_loop(const std::string& status, const std::string& iteration) {
    const Result<SpecLoopClaims> claims = read_spec_loop(text_of(sandbox_, kSpecLoopFile), kSpecLoopFile);
    if (!claims) return wrong("the index cannot be read: " + claims.error().message);
    expect("the loop", std::string(to_token(claims->status)), status);
    expect("the iteration", claims->iteration.written, iteration);
  }
  void expect_playbook(const std::string& status, const std::string& stage) {
    const Result<PlaybookClaims> claims = read_playbook(text_of(sandbox_, kPlaybookFile), kPlaybookFile);
    if (!claims) return wrong("the state file cannot be read: " + claims.error().message);
    expect("the playbook", std::string(to_token(claims->status)), status);
    expect("its stage", claims->current_stage, stage);
  }
  void expect_in(const std::string& file, const std::string& text) {
    if (whole(file).find(text) == std::string::npos)
      wrong(file + " does not say \"" + text + "\": " + whole(file));
  }
  /// One feature, one directory, one branch, and each question asked once.
  void expect_one_feature() {
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(sandbox_.project() / "specs"))
      names.push_back(entry.path().filename().string());
    expect("specs", joined(names), "005-auth");
    names.clear();
    for (const auto& entry : std::filesystem::directory_iterator(sandbox_.project() / ".git" / "refs" / "heads"))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    expect("branches", joined(names), "005-auth main");
    const Ending ending = read_ending(sandbox_, scene_);
    for (const auto& [fact, count] : ending.facts) {
      if (fact.starts_with("asked ") || fact.starts_with("answered ")) expect(fact, count, "1");
    }
    for (const std::string& fault : ending.faults) wrong(fault);
  }
  /// Answers, approves and resumes until the run is done; what is not asked is not answered.
  void go_to_the_end() {
    std::vector<std::string> violations;
    resume_to_the_end(sandbox_, scene_, violations);
    for (const std::string& line : violations) wrong(line);
    const Ending ending = read_ending(sandbox_, scene_);
    expect("the run", ending.status, "done");
    for (const std::string& fault : ending.faults) wrong(fault);
  }
  void wrong(const std::string& line) { faults_ += line + "\n"; }
  std::string faults() const {
    std::string text = faults_;
    if (text.empty()) return text;
    for (const std::string& line : sandbox_.lines("acks")) text += "    | " + line + "\n";
    return text;
  }

 private:
  std::string whole(const std::string& file) const { return join(sandbox_.lines(file), "\n"); }

  [[noreturn]] void be_program(Names& words) const {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    Names environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + sandbox_.folder().string(), "USER=ana",
                         "TERM=dumb"};
    std::vector<char*> argv;
    std::vector<char*> envp;
    for (std::string& word : words) argv.push_back(word.data());
    for (std::string& entry : environment) envp.push_back(entry.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }

  Scene scene_;
  Sandbox sandbox_;
  std::string faults_;
};

void expect_sound(const Scene& scene, const std::function<void(Story&)>& tell) {
  const std::vector<std::string> results = run_jobs(1, [&](int) {
    Story story(scene);
    tell(story);
    return story.faults() + ".";
  });
  EXPECT_EQ(results[0], ".");
}

// ---- the spec loop

TEST(StateCrash, SL07_CrashDuringScaffoldStartsAtA1AndUsesWhatIsThere) {
  expect_sound(spec_loop_scene(), [](Story& story) {
    story.crash_in(story.begin(), "scaffold#1");
    story.expect_loop("scaffolding", "1 / 10");
    story.run({"resume", kLoop}, kWaiting);
    story.expect_effects({"scaffold#1", "scaffold#2", "write#1", "validate#1"});
    story.expect_in("brief.scaffold.2", "continue from what is there");
    story.expect_one_feature();
    story.go_to_the_end();
    story.expect_one_feature();
  });
}

TEST(StateCrash, SL07_CrashBeforeThereIsAnIndexStartsAtA1) {
  const Survey seen = survey(the_product(), spec_loop_scene());
  const auto first = std::ranges::find_if(
      seen.points, [](const Point& point) { return point.file.find("index.md") != std::string::npos; });
  ASSERT_NE(first, seen.points.end());
  expect_sound(spec_loop_scene(), [&](Story& story) {
    FaultMap& map = story.sandbox().map();
    map.role = first->role;
    map.at = first->at;
    map.mode = FAULT_KILL_BEFORE;
    if (story.sandbox().run(story.begin(), Sandbox::Faults::On) != 128 + SIGKILL) story.wrong("it was not killed");
    map.mode = FAULT_NONE;
    kill_everything();
    story.expect("the index", text_of(story.sandbox(), kSpecLoopFile), "");
    story.run({"resume", kLoop}, kWaiting);
    // The first attempt was announced, and never got to start.
    story.expect_effects({"scaffold#2", "write#1", "validate#1"});
    story.expect_one_feature();
    story.go_to_the_end();
  });
}

TEST(StateCrash, SL07_CrashDuringSpecWritingRunsTheWriterAgainOnce) {
  expect_sound(spec_loop_scene(), [](Story& story) {
    story.crash_in(story.begin(), "write#1");
    story.expect_loop("spec_writing", "1 / 10");
    story.run({"resume", kLoop}, kWaiting);
    story.expect_effects({"scaffold#1", "write#1", "write#2", "validate#1"});
    story.expect("the spec", text_of(story.sandbox(), "specs/005-auth/spec.md"), "# Login\n");
    story.expect_one_feature();
    story.go_to_the_end();
  });
}

TEST(StateCrash, SL07_AHalfWrittenSpecIsWrittenAgain) {
  expect_sound(spec_loop_scene(), [](Story& story) {
    story.crash_in(story.begin(), "write#1", "printf '# Lo' >\"$d/spec.md\"");
    story.run({"resume", kLoop, "--yes"}, kWaiting);
    story.expect_effects({"scaffold#1", "write#1", "write#2", "validate#1"});
    story.expect("the spec", text_of(story.sandbox(), "specs/005-auth/spec.md"), "# Login\n");
    story.go_to_the_end();
  });
}

// The plan calls what the cut-off writer left a change of what scaffold made, and asks. To be enabled when it
// knows whose change it is.
TEST(StateCrash, SL07_AHalfWrittenSpecIsWrittenAgainWithoutAQuestion) {
  expect_sound(spec_loop_scene(), [](Story& story) {
    story.crash_in(story.begin(), "write#1", "printf '# Lo' >\"$d/spec.md\"");
    story.run({"resume", kLoop}, kWaiting);
    story.expect_effects({"scaffold#1", "write#1", "write#2", "validate#1"});
  });
}

TEST(StateCrash, SL07_CrashDuringTheFirstValidationStartsAtA3) {
  expect_sound(spec_loop_scene(), [](Story& story) {
    story.crash_in(story.begin(), "validate#1");
    story.expect_loop("validating", "1 / 10");
    story.run({"resume", kLoop}, kWaiting);
    story.expect_effects({"scaffold#1", "write#1", "validate#1", "validate#2"});
    story.expect_loop("clarifying", "1 / 10");
    story.expect_one_feature();
    story.go_to_the_end();
  });
}

void answer_first_round(Story& story) {
  story.run({"answer", kLoop, "C1.1", "15 minutes"}, 0);
  story.run({"answer", kLoop, "C1.2", "three"}, 0);
}

TEST(StateCrash, SL07_CrashDuringALaterValidationStartsAtB3OfItsIteration) {
  expect_sound(spec_loop_scene(), [](Story& story) {
    story.run(story.begin(), kWaiting);
    answer_first_round(story);
    story.crash_in({"resume", kLoop}, "clarify/1/validate#1");
    story.expect_loop("validating", "2 / 10");
    story.run({"resume", kLoop}, kWaiting);
    story.expect_effects({"scaffold#1", "write#1", "validate#1", "clarify/1/apply#1", "clarify/1/validate#1",
                          "clarify/1/validate#2"});
    story.expect_loop("clarifying", "2 / 10");
    story.expect_one_feature();
    story.go_to_the_end();
  });
}

TEST(StateCrash, SL07_CrashWhileWaitingForTheUserAsksTheSameQuestions) {
  expect_sound(spec_loop_scene(), [](Story& story) {
    story.crash_at_prompt(story.begin(), "How many tries?", "How long, and for whom?");
    story.expect_loop("clarifying", "1 / 10");
    story.run({"resume", kLoop}, kWaiting);
    story.expect_in("acks", " answer spec-loop/005-auth C1.1 TEXT");
    story.expect_in("acks", " answer spec-loop/005-auth C1.2 TEXT");
    story.expect_effects({"scaffold#1", "write#1", "validate#1"});
    story.expect_one_feature();
    story.go_to_the_end();
  });
}

TEST(StateCrash, SL07_CrashAfterTheAnswerAppliesItWithoutAskingAgain) {
  expect_sound(spec_loop_scene(), [](Story& story) {
    story.run(story.begin(), kWaiting);
    answer_first_round(story);
    story.crash_in({"resume", kLoop}, "clarify/1/apply#1");
    story.expect_loop("clarifying", "1 / 10");
    story.run({"resume", kLoop}, kWaiting);
    story.expect_effects(
        {"scaffold#1", "write#1", "validate#1", "clarify/1/apply#1", "clarify/1/apply#2", "clarify/1/validate#1"});
    story.expect_in("brief.apply.2", "15 minutes");
    story.expect_in("brief.apply.2", "three");
    story.expect_one_feature();
    story.go_to_the_end();
  });
}

// ---- the playbook

void approve_spec_and_architecture(Story& story) {
  story.run(story.begin(), kWaiting);
  story.run({"approve", kPlaybook, "spec-approval"}, 0);
  story.run({"resume", kPlaybook}, kWaiting);
  story.run({"approve", kPlaybook, "architecture-sign-off"}, 0);
}

TEST(StateCrash, PB08_CrashInProgrammerContinuesFromWhatIsThere) {
  expect_sound(playbook_scene(), [](Story& story) {
    approve_spec_and_architecture(story);
    story.crash_in({"resume", kPlaybook}, "programmer#1", "echo 'int half' >\"$d/half.c\"");
    story.expect_playbook("in_progress", "programmer");
    story.run({"resume", kPlaybook}, kWaiting);
    story.expect_effects({"spec#1", "clarify#1", "architect#1", "tasks#1", "tdd#1", "programmer#1", "programmer#2",
                          "testrunner#1", "code-review#1", "security#1"});
    story.expect_in("brief.programmer.2", "An earlier attempt was cut off. Do not start over");
    story.expect("what it left", text_of(story.sandbox(), "specs/001-login/half.c"), "int half\n");
    story.go_to_the_end();
  });
}

TEST(StateCrash, PB08_CrashInTddListsThePartialTestFile) {
  expect_sound(playbook_scene(), [](Story& story) {
    approve_spec_and_architecture(story);
    story.crash_in({"resume", kPlaybook}, "tdd#1", "echo '# Certified TODO' >\"$d/test-certification.md\"");
    story.expect_playbook("in_progress", "tdd");
    story.run({"resume", kPlaybook}, kWaiting);
    story.expect_effects({"spec#1", "clarify#1", "architect#1", "tasks#1", "tdd#1", "tdd#2", "programmer#1",
                          "testrunner#1", "code-review#1", "security#1"});
    story.expect_in("brief.tdd.2", "An earlier attempt was cut off. Do not start over");
    story.expect_in("brief.tdd.2", "partial output: `specs/001-login/test-certification.md`");
    story.go_to_the_end();
  });
}

TEST(StateCrash, PB06_CrashWhileWaitingForAPersonWaitsForTheSameApproval) {
  expect_sound(playbook_scene(), [](Story& story) {
    story.crash_at_prompt(story.begin(), "Spec approval", "approve?");
    story.expect_playbook("waiting_for_human", "clarify");
    story.run({"resume", kPlaybook}, kWaiting);
    story.expect_in("acks", " approve playbook/001-login spec-approval");
    story.expect_effects({"spec#1", "clarify#1"});
    story.go_to_the_end();
  });
}

}  // namespace
}  // namespace reprise
