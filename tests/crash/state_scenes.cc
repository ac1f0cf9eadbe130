// The scenes whose state is in files that others read and write.

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "formats/playbook.h"
#include "formats/spec_loop.h"
#include "journal/journal.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "os/process.h"
#include "scene.h"

namespace reprise {
namespace {

constexpr const char* kPlaybook = "playbook/001-login";
constexpr const char* kSpecLoop = "spec-loop/005-auth";
constexpr const char* kNote = "Ana: go ahead.";
constexpr const char* kTypedAnswer = "five, then a pause";
constexpr int kSceneEventsMax = 100'000;

constexpr std::string_view kConfig = "workers:\n  default: {run: [../agent]}\n";

constexpr const char* kLanes = "lanes/one/P1/-";
constexpr std::string_view kPhasePlan = R"md(# P1: Foundation

## Lane Index & Dependencies

- SL-A -- The api
  - Depends on: none
- SL-B -- The web
  - Depends on: SL-A
- SL-C -- The docs
  - Depends on: none

## D. Swim Lanes

### SL-A -- The api

| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
|---|---|---|---|---|---|---|
| A1 | impl | - | a.txt | - | `test -s a.txt` | a |

### SL-B -- The web

| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
|---|---|---|---|---|---|---|
| B1 | impl | - | b.txt | - | `test -s a.txt && test -s b.txt` | b |

### SL-C -- The docs

| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
|---|---|---|---|---|---|---|
| C1 | impl | - | c.txt | - | `test -s c.txt` | c |
)md";

// Each task in a moment; what it made is committed by the run.
constexpr std::string_view kLanesAgent = R"sh(#!/bin/sh
top=$(git rev-parse --path-format=absolute --git-common-dir)/../..
echo "$REPRISE_STEP#$REPRISE_ATTEMPT" >> "$top/effects"
echo "$REPRISE_STAGE" > "$(echo "$REPRISE_STAGE" | cut -c1 | tr A-C a-c).txt"
)sh";

// Every stage in a moment, and whole: what it makes appears under its name in one step.
constexpr std::string_view kPlaybookAgent = R"sh(#!/bin/sh
echo "$REPRISE_STEP#$REPRISE_ATTEMPT" >> ../effects
d=specs/$subject; mkdir -p "$d"
test -e ../hold && . ../hold
make() { cat >"../made.$$"; mv "../made.$$" "$d/$1"; }
case "$REPRISE_STAGE" in
spec) printf '# Login\n\n[NEEDS CLARIFICATION: which users?]\n' | make feature.spec.md ;;
clarify) printf '# Login\n\nAll users.\n' | make feature.spec.md ;;
architect)
  { printf '# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n'
    for n in I II III IV V VI VII VIII; do echo "| Article $n | COMPLIES |"; done; } | make adr.md ;;
tasks) echo '- [ ] the form' | make tasks.md ;;
tdd) echo 'certified' | make test-certification.md ;;
testrunner) echo 'all passed' | make test-report.md ;;
code-review) echo 'fine' | make code-review.md ;;
security) echo 'safe' | make security-review.md ;;
refactor) echo 'tidied' | make refactor-notes.md ;;
esac
)sh";

constexpr std::string_view kSpecLoopAgent = R"sh(#!/bin/sh
echo "$REPRISE_STEP#$REPRISE_ATTEMPT" >> ../effects
d=specs/$subject; mkdir -p "$d"
test -e ../hold && . ../hold
make() { cat >"../made.$$"; mv "../made.$$" "$d/$1"; }
say() { printf '%s' "$1" >"$REPRISE_RESULT"; }
case "$REPRISE_STEP" in
scaffold) test -e "$d/spec.md" || echo '# {{title}}' | make spec.md ;;
write) echo '# Login' | make spec.md ;;
validate) say '{"gaps":[{"id":"G-001","priority":"Critical","text":"Session timeout?"},
  {"id":"G-002","priority":"Minor","text":"Colour?"},
  {"id":"G-003","priority":"Important","text":"How many tries?"}],
  "questions":[{"id":"q","text":"How long, and for whom?","gaps":["G-001"],"options":["15 min","1 h"]}]}' ;;
clarify/*/apply) printf '# Login\n\nwith what %s answered\n' "$REPRISE_STEP" | make spec.md ;;
clarify/1/validate) say '{"gaps":[{"id":"G-003","priority":"Important","text":"How many tries?"}]}' ;;
*) say '{"gaps":[]}' ;;
esac
)sh";

void write_lanes(const Sandbox& sandbox) {
  write_agent(sandbox, kLanesAgent);
  sandbox.write("project/.reprise/config.yaml", "workers:\n  default: {run: [../../../../agent]}\n");
  std::filesystem::create_directory(sandbox.project() / "plans");
  sandbox.write("project/plans/P1.md", kPhasePlan);
  sandbox.write("project/.gitignore", ".claude/\n");
  const std::string project = sandbox.project().string();
  const std::string line =
      "cd '" + project +
      "' && git init -q -b main . && git config user.name T && git config user.email t@e.org && "
      "git add -A && git commit -qm begin";
  check(std::system(line.c_str()) == 0);
}

// What the lanes came to: merged once each, the repository sound, the checkpoints complete, the log whole.
void read_lanes_end(const Sandbox& sandbox, Ending& ending) {
  const auto ask = [&](const std::string& command) {
    const CaptureRequest request{.argv = {"/bin/sh", "-c", command}, .directory = sandbox.project().string()};
    const Result<Captured> captured = run_captured(request);
    return captured ? captured->output : captured.error().message;
  };
  ending.facts["main"] = ask("git log --format=%s --no-merges main | sort; git ls-tree -r --name-only main");
  ending.facts["fsck"] = ask("git fsck --no-dangling --no-progress 2>&1");
  ending.facts["status"] = ask("git status --short; cat a.txt b.txt c.txt");
  ending.facts["branches"] = ask("git branch --format='%(refname)'");
  const std::string file = ".claude/ai-dev-kit/run-logs/checkpoints.json";
  ending.facts["checkpoints"] =
      ask("grep -o '\"\\(lane\\|stage\\|status\\)\": \"[^\"]*' " + file + " | paste - - - | sort");
  ending.facts["log"] =
      ask("grep -c '\"event\":\"\\(phase_start\\|phase_done\\|merge_done\\|lane_start\\)\"' "
          ".claude/run-logs/one.jsonl");
  ending.facts["locks"] = ask("find .git -name '*.lock' -size -1k -path '*refs*'; ls .git/*.lock 2>/dev/null");
}

void replace_in_file(const Sandbox& sandbox, const std::string& file, std::string_view from, std::string_view to) {
  std::string text = text_of(sandbox, file);
  const std::size_t at = text.find(from);
  check(at != std::string::npos);
  save_over(sandbox, file, text.replace(at, from.size(), to));
}

void tick_and_note(const Sandbox& sandbox) {
  std::string text = text_of(sandbox, kPlaybookFile);
  const std::string_view open = "- [ ] Spec approval";
  const std::string_view notes = "## Notes\n";
  const std::size_t box = text.find(open);
  check(box != std::string::npos);
  text.replace(box, open.size(), "- [x] Spec approval");
  const std::size_t at = text.find(notes);
  check(at != std::string::npos);
  save_over(sandbox, kPlaybookFile, text.insert(at + notes.size(), "\n" + std::string(kNote) + "\n"));
}

std::string run_command(const Sandbox& sandbox, const std::vector<std::string>& arguments) {
  const int code = sandbox.run(arguments);
  return code == 0 ? "" : arguments[0] + ": exit " + std::to_string(code);
}

std::string serve_playbook(const Sandbox& sandbox) {
  const std::optional<RunState> state = recorded(sandbox, kPlaybook);
  if (!state) return "the run cannot be read";
  for (const auto& [gate, asked] : state->gates) {
    if (asked.record != GateState::Record::Open) continue;
    if (gate.text != "spec-approval") return run_command(sandbox, {"approve", kPlaybook, gate.text});
    if (text_of(sandbox, kPlaybookFile).find("- [x] Spec approval") != std::string::npos)
      return "the ticked box is not taken";
    tick_and_note(sandbox);
    return "";
  }
  return "it waits for nothing that is on record";
}

std::string type_answer(const Sandbox& sandbox) {
  const std::string row = "| C2.1 | How many tries? | G-003 |  | awaiting_answer |  |";
  if (text_of(sandbox, kSpecLoopFile).find(row) == std::string::npos)
    return "C2.1 cannot be answered in the table";
  replace_in_file(sandbox, kSpecLoopFile, row,
                  "| C2.1 | How many tries? | G-003 |  | awaiting_answer | " + std::string(kTypedAnswer) + " |");
  return "";
}

std::string serve_spec_loop(const Sandbox& sandbox) {
  const std::optional<RunState> state = recorded(sandbox, kSpecLoop);
  if (!state) return "the run cannot be read";
  for (const auto& [id, question] : state->questions) {
    if (question.answer) continue;
    if (id == "C2.1") return type_answer(sandbox);
    return run_command(sandbox, {"answer", kSpecLoop, id, id == "C1.1" ? "15 minutes" : "three"});
  }
  return "it waits for nothing that is on record";
}

// Edits, notes, approvals and answers, each as often as it is on record.
void read_people(const Sandbox& sandbox, const std::string& run, Ending& ending) {
  SystemClock clock;
  SystemEntropy entropy;
  const auto journal = open_sqlite_journal(sandbox.store(), OpenMode::ReadOnly, clock, entropy);
  if (!journal) return;
  const auto events = (*journal)->events(RunId{run}, {0}, kSceneEventsMax);
  if (!events) return;
  std::map<std::string, int> counts;
  for (const RecordedEvent& each : *events) {
    if (const auto* edit = std::get_if<StateFileEdited>(&each.event)) {
      ++counts["hand edits"];
      for (const std::string& refused : edit->refused)
        ending.faults.push_back("F4 an edit was refused: " + refused);
      for (const std::string& digest : {edit->before, edit->digest}) {
        if (!(*journal)->text(digest)) ending.faults.push_back("F4 a version is not kept: " + digest);
      }
    }
    if (const auto* note = std::get_if<NoteAdded>(&each.event); note != nullptr && !note->by.empty())
      ++counts["note " + note->text];
    if (const auto* gate = std::get_if<GateDecided>(&each.event))
      ++counts["decided " + gate->gate.text +
               (gate->by.find(" line ") == std::string::npos ? "" : " in the file")];
    if (const auto* answer = std::get_if<QuestionAnswered>(&each.event))
      ++counts["answered " + answer->id + ": " + answer->text +
               (answer->by.find(" line ") == std::string::npos ? "" : " in the file")];
    if (const auto* asked = std::get_if<QuestionAsked>(&each.event)) ++counts["asked " + asked->id];
  }
  for (const auto& [what, count] : counts) ending.facts[what] = std::to_string(count);
}

// Nothing of ours is left beside the state file, and nothing else has appeared.
void read_folder(const Sandbox& sandbox, const std::string& file, Ending& ending) {
  std::error_code ignored;
  const std::filesystem::path folder = (sandbox.project() / file).parent_path();
  std::string names;
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    found.push_back(entry.path().filename().string());
  std::ranges::sort(found);
  for (const std::string& name : found) names += name + " ";
  ending.facts["files"] = names;
}

void read_playbook_end(const Sandbox& sandbox, Ending& ending) {
  read_people(sandbox, kPlaybook, ending);
  read_folder(sandbox, kPlaybookFile, ending);
  const Result<PlaybookClaims> claims = read_playbook(text_of(sandbox, kPlaybookFile), kPlaybookFile);
  if (!claims) {
    ending.faults.push_back("F5 the state file cannot be read: " + claims.error().message);
    return;
  }
  ending.facts["status"] = to_token(claims->status);
  ending.facts["current stage"] = claims->current_stage;
  ending.facts["oddities"] = std::to_string(claims->oddities.size() + claims->unfilled.size());
  std::string stages;
  for (const ClaimedStage& stage : claims->completed) {
    stages += stage.stage + " " + stage.hash.digits;
    for (const std::string& artifact : stage.artifacts) stages += " " + artifact;
    stages += stage.completed_at ? "\n" : " without a time\n";
  }
  ending.facts["completed"] = stages;
  for (const ClaimedCheckpoint& box : claims->checkpoints)
    ending.facts["box " + box.name] = box.ticked ? "ticked" : "open";
  std::string notes;
  for (const std::string_view line : split(claims->notes, '\n')) {
    if (!trim(line).empty() && line.find("Resumed from checkpoint") == std::string_view::npos)
      notes += std::string(trim(line)) + "\n";
  }
  ending.facts["notes"] = notes;
}

void read_spec_loop_end(const Sandbox& sandbox, Ending& ending) {
  read_people(sandbox, kSpecLoop, ending);
  read_folder(sandbox, kSpecLoopFile, ending);
  const Result<SpecLoopClaims> claims = read_spec_loop(text_of(sandbox, kSpecLoopFile), kSpecLoopFile);
  if (!claims) {
    ending.faults.push_back("F5 the state file cannot be read: " + claims.error().message);
    return;
  }
  ending.facts["status"] = to_token(claims->status);
  ending.facts["iteration"] = claims->iteration.written;
  ending.facts["stale"] = claims->stale.written;
  ending.facts["reason"] = claims->termination_reason;
  ending.facts["faults"] = std::to_string(claims->faults.size() + claims->oddities.size());
  ending.facts["spec"] = text_of(sandbox, "specs/005-auth/spec.md");
  for (const ClaimedQuestion& question : claims->questions)
    ending.facts["question " + question.id] = question.written + " " + question.answer;
  for (const ClaimedGap& gap : claims->gaps) ending.facts["gap " + gap.id] = gap.written + " " + gap.resolution;
  ending.facts["history"] = std::to_string(claims->history.size());
  for (const ClaimedAnswer& answer : claims->answers)
    ending.facts["answer " + answer.question] = answer.answer + (answer.applied ? " applied" : "");
}

}  // namespace

void write_agent(const Sandbox& sandbox, std::string_view agent) {
  std::filesystem::create_directory(sandbox.project() / ".reprise");
  sandbox.write("project/.reprise/config.yaml", kConfig);
  sandbox.write("agent", agent);
}

Scene playbook_scene() {
  Scene scene;
  scene.run = kPlaybook;
  scene.write = [](const Sandbox& sandbox) { write_agent(sandbox, kPlaybookAgent); };
  scene.script = {Act{{"run", "playbook", "001-login", "--input", "description=users sign in"}, 3},
                  Act{{}, 0, tick_and_note},
                  Act{{"resume", kPlaybook}, 3},
                  Act{{"approve", kPlaybook, "architecture-sign-off"}, 0},
                  Act{{"resume", kPlaybook}, 3},
                  Act{{"approve", kPlaybook, "security-sign-off"}, 0},
                  Act{{"resume", kPlaybook}, 0}};
  scene.serve = serve_playbook;
  scene.read_more = read_playbook_end;
  return scene;
}

Scene lanes_scene() {
  Scene scene;
  scene.run = kLanes;
  scene.write = write_lanes;
  scene.script = {Act{{"run", "lanes", "plans/P1.md", "--run-id", "one", "--input", "publish=merge"}, 0}};
  scene.serve = [](const Sandbox&) { return std::string("it waits for a person"); };
  scene.read_more = read_lanes_end;
  scene.parallel = 2;
  return scene;
}

Scene spec_loop_scene() {
  Scene scene;
  scene.run = kSpecLoop;
  scene.write = [](const Sandbox& sandbox) { write_agent(sandbox, kSpecLoopAgent); };
  scene.script = {Act{{"run", "spec-loop", "005-auth", "--input", "description=user login"}, 3},
                  Act{{"answer", kSpecLoop, "C1.1", "15 minutes"}, 0},
                  Act{{"answer", kSpecLoop, "C1.2", "three"}, 0},
                  Act{{"resume", kSpecLoop}, 3},
                  Act{{}, 0, [](const Sandbox& sandbox) { check(type_answer(sandbox).empty()); }},
                  Act{{"resume", kSpecLoop}, 0}};
  scene.serve = serve_spec_loop;
  scene.read_more = read_spec_loop_end;
  return scene;
}

}  // namespace reprise
