#include "app/what_if.h"

#include <algorithm>
#include <map>

#include "app/documents.h"
#include "app/preview.h"
#include "app/project_files.h"
#include "app/scan.h"
#include "base/check.h"
#include "base/strings.h"
#include "evidence/collector.h"
#include "executor/attempt.h"
#include "executor/steering.h"
#include "git/git.h"
#include "model/limits.h"

namespace reprise {
namespace {

constexpr std::string_view kForms =
    "drop=STAGE, answer=QUESTION:TEXT, approve=GATE, base=COMMIT, file=PATH or file=PATH:OTHER";

// Collects what the changes mean for a run, from the plan as it is: pretended files at once, the rest as a list of
// what is done to the state when the other plan is made.
class Supposition {
 public:
  Supposition(App& app, const Preview& plain) : app_(app), plain_(plain) {}

  Result<void> suppose(const std::string& change) {
    const std::size_t equals = change.find('=');
    const std::string kind = change.substr(0, equals);
    const std::string what = equals == std::string::npos ? "" : change.substr(equals + 1);
    const bool is_known =
        kind == "drop" || kind == "answer" || kind == "approve" || kind == "base" || kind == "file";
    if (!is_known || what.empty())
      return refuse("\"" + printable_line(change, 100) + "\" is no change; there are: " + std::string(kForms));
    if (kind == "drop") return drop(what);
    if (kind == "answer") return answer(what);
    if (kind == "approve") return approve(what);
    if (kind == "base") return base(what);
    return file(what);
  }

  /// Makes the state what it would be.
  Result<void> apply_to(Preview& preview) const {
    for (const StateChange& change : changes_) TRY_VOID(change(preview));
    return {};
  }

  void pretend() {
    for (auto& [path, bytes] : files_) app_.files.pretend(app_.project / path, bytes);
  }

 private:
  std::unexpected<Error> refuse(std::string message) const {
    Error error{.kind = ErrorKind::Invalid, .message = std::move(message)};
    const std::string command = "reprise plan " + shell_quote(plain_.plan.id.shown());
    for (const std::string& sense : what_makes_sense()) error.hints.push_back(command + " --what-if " + sense);
    if (error.hints.empty()) error.hints.push_back(command);
    return fail(std::move(error));
  }

  // A few changes that would mean something here.
  std::vector<std::string> what_makes_sense() const {
    std::vector<std::string> out;
    for (const Waiting& waiting : plain_.plan.waiting_for) {
      const bool is_gate = waiting.kind == "gate";
      out.push_back(is_gate ? shell_quote("approve=" + waiting.name)
                            : shell_quote("answer=" + waiting.name + ":") + "TEXT");
    }
    for (const StepDecision& decision : plain_.plan.decisions) {
      if (decision.decision != Decision::Keep || !has_result(decision.leaf)) continue;
      out.push_back(shell_quote("drop=" + decision.step.text));
      break;
    }
    if (!plain_.state.lanes.empty()) out.emplace_back("base=HEAD");
    for (const StepDecision& decision : plain_.plan.decisions) {
      const std::vector<Evidence> seen = decision.evidence();
      const auto file = std::ranges::find_if(seen, [&](const Evidence& evidence) {
        return evidence.kind == "file" && evidence.subject != plain_.state.state_file.path &&
               is_inside(app_, evidence.subject);
      });
      if (file == seen.end()) continue;
      out.push_back(shell_quote("file=" + file->subject));
      break;
    }
    return out;
  }

  const StepState* record_of(int leaf) const {
    return leaf < 0 ? nullptr : plain_.state.find_step(plain_.graph->node(leaf).path);
  }
  bool has_result(int leaf) const {
    if (leaf < 0) return false;
    const auto gate = plain_.state.gates.find(plain_.graph->node(leaf).path);
    if (gate != plain_.state.gates.end() && gate->second.record == GateState::Record::Approved) return true;
    const StepState* step = record_of(leaf);
    return step != nullptr && step->record == StepState::Record::Done;
  }

  // The leaves that a stage's name, or the path of a step or of what it is in, means.
  std::vector<int> leaves_named(const std::string& name) const {
    if (const std::optional<int> node = plain_.graph->find(StepPath{name}))
      return plain_.graph->leaves_below(*node);
    std::vector<int> named;
    for (const int leaf : plain_.graph->leaves()) {
      const std::string& path = plain_.graph->node(leaf).path.text;
      if (plain_.graph->node(leaf).stage->name == name || path.ends_with("/" + name)) named.push_back(leaf);
    }
    return named;
  }

  void reset(const std::vector<int>& leaves, const std::string& because) {
    std::vector<StepPath> paths;
    for (const int leaf : leaves) paths.push_back(plain_.graph->node(leaf).path);
    changes_.emplace_back([paths = std::move(paths), because](Preview& preview) -> Result<void> {
      for (const StepPath& path : paths) {
        const StepState* step = preview.state.find_step(path);
        preview.state.gates.erase(path);
        if (step == nullptr || step->record == StepState::Record::Open) continue;
        StepState& changed = preview.state.steps[path];
        changed.record = StepState::Record::Reset;
        changed.needs_human = false;
        changed.reason = because;
      }
      return {};
    });
  }

  Result<void> drop(const std::string& stage) {
    std::vector<int> leaves = leaves_named(stage);
    if (leaves.empty()) return refuse("there is no stage \"" + printable_line(stage, 100) + "\"");
    std::erase_if(leaves, [&](int leaf) { return !has_result(leaf); });
    if (leaves.empty())
      return refuse("stage \"" + printable_line(stage, 100) + "\" has no result that could be gone");
    for (const int leaf : leaves) {
      if (const StepState* step = record_of(leaf)) {
        for (const SeenFile& artifact : step->artifacts) files_[artifact.path] = std::nullopt;
      }
      for (const Product& product : plain_.graph->node(leaf).stage->produces)
        files_[plain_.graph->resolve_path(leaf, product.path)] = std::nullopt;
    }
    reset(leaves, "supposed: its result is gone");
    return {};
  }

  Result<void> answer(const std::string& what) {
    for (const auto& [id, question] : plain_.state.questions) {
      if (!what.starts_with(id + ":")) continue;
      if (question.answer)
        return refuse("question " + id + " was answered already: " + printable_line(*question.answer, 200));
      decide({.kind = "answer", .target = id, .text = what.substr(id.size() + 1), .by = app_.actor}, {});
      return {};
    }
    return refuse("there is no open question \"" + printable_line(what.substr(0, what.find(':')), 100) +
                  "\"; the form is answer=QUESTION:TEXT");
  }

  Result<void> approve(const std::string& name) {
    std::optional<StepPath> gate;
    if (const Result<StepPath> open = gate_meant(name, plain_.state, *plain_.graph)) gate = *open;
    for (const int leaf : leaves_named(name)) {
      const bool is_gate = plain_.graph->node(leaf).kind == Graph::Kind::Gate;
      if (is_gate && !gate && has_result(leaf)) return refuse("gate " + name + " is passed already");
      if (is_gate && !gate) gate = plain_.graph->node(leaf).path;
    }
    if (!gate) return refuse("there is no gate \"" + printable_line(name, 100) + "\"");
    std::vector<SeenFile> shown;
    const std::optional<int> leaf = plain_.graph->find(*gate);
    if (leaf && plain_.graph->node(*leaf).kind == Graph::Kind::Gate) {
      Collector collector(app_.files, app_.project);
      for (const std::string& path : plain_.graph->node(*leaf).stage->gate->shows)
        shown.push_back(TRY(collector.look(plain_.graph->resolve_path(*leaf, path), nullptr)));
    }
    changes_.emplace_back([this, gate = *gate, shown](Preview& preview) -> Result<void> {
      return add(preview, GateDecided{gate, true, app_.actor, "", shown});
    });
    return {};
  }

  void decide(Steer steer, std::vector<SeenFile> shown) {
    changes_.emplace_back(
        [this, steer = std::move(steer), shown = std::move(shown)](Preview& preview) -> Result<void> {
          for (const Event& event : TRY(events_for(steer, preview.state, *preview.graph, shown)))
            TRY_VOID(add(preview, event));
          return {};
        });
  }

  Result<void> add(Preview& preview, const Event& event) const {
    return apply(preview.state, {{preview.state.last.value + 1}, app_.clock.now(), event});
  }

  Result<void> base(const std::string& name) {
    if (plain_.state.lanes.empty())
      return refuse(plain_.plan.id.shown() + " has no lanes yet that start from a commit; base= is about lanes");
    const Git git = TRY(Git::open(app_.project));
    const std::optional<std::string> commit = TRY(git.commit_of(name));
    if (!commit) return refuse("\"" + printable_line(name, 100) + "\" is no commit of this repository");
    std::vector<int> leaves;
    for (const int leaf : plain_.graph->leaves()) {
      const LaneState* lane = plain_.graph->lane_of(leaf);
      if (lane != nullptr && lane->base_commit != *commit && has_result(leaf)) leaves.push_back(leaf);
    }
    reset(leaves, "supposed: its lane starts from " + commit->substr(0, 12));
    return {};
  }

  // PATH, or PATH:OTHER where no file has the whole as its name.
  Result<void> file(const std::string& what) {
    std::string path = what;
    std::optional<std::string> other;
    const std::size_t colon = what.rfind(':');
    if (colon != std::string::npos && !is_inside(app_, what)) {
      path = what.substr(0, colon);
      other = what.substr(colon + 1);
    }
    if (!lies_beneath(path)) return refuse(printable_line(path, 200) + " lies outside of the project");
    path = std::filesystem::path(path).lexically_normal().string();
    if (path == plain_.state.state_file.path)
      return refuse(path + " is the state file itself; suppose what it would say instead");
    if (other) {
      Result<std::string> bytes = app_.files.read(*other, kDocumentBytesMax);
      if (!bytes) return refuse("the content to suppose cannot be read: " + bytes.error().message);
      files_[path] = std::move(*bytes);
      return {};
    }
    const Result<std::string> bytes = app_.files.read(app_.project / path, kDocumentBytesMax);
    if (!bytes)
      return refuse(printable_line(path, 200) +
                    " cannot be read, so it cannot be edited; file=PATH:OTHER gives a content");
    files_[path] = edited(path, *bytes);
    return {};
  }

  // Another content that means the same: for JSON and YAML a line more, elsewhere a word that is visible.
  static std::string edited(const std::string& path, const std::string& bytes) {
    const std::string kind = std::filesystem::path(path).extension().string();
    const bool is_strict = kind == ".json" || kind == ".yaml" || kind == ".yml";
    return bytes + (is_strict ? "\n" : "\n(edited)\n");
  }

  App& app_;
  const Preview& plain_;
  std::vector<StateChange> changes_;
  std::map<std::string, std::optional<std::string>> files_;  // what is pretended, by path in the project
};

}  // namespace

Result<WhatIf> what_if(App& app, Journal* journal, const Meant& meant, const std::string& from,
                       const std::vector<std::string>& changes) {
  App hypothetical(app);
  const std::unique_ptr<Preview> plain = TRY(preview_adopted(hypothetical, journal, meant, from));
  const Plan& plan = plain->plan;
  if (plain->graph == nullptr) {
    Error error{.kind = ErrorKind::Invalid,
                .message = plan.id.shown() + " is damaged, so nothing follows from it: " +
                           (plan.findings.empty() ? "it has no plan" : plan.findings.front().message)};
    return fail(std::move(error).hint("reprise plan " + shell_quote(plan.id.shown())));
  }
  if (plan.readiness == Readiness::Done || plan.readiness == Readiness::Fresh) {
    const std::string id = plan.id.shown();
    Error error{.kind = ErrorKind::Invalid,
                .message = id + " is over: whatever were otherwise, nothing would be done"};
    return fail(std::move(error).hint("reprise plan " + shell_quote(id)));
  }
  Supposition supposition(hypothetical, *plain);
  for (const std::string& change : changes) TRY_VOID(supposition.suppose(change));
  supposition.pretend();
  const std::unique_ptr<Preview> seen = TRY(preview_adopted(
      hypothetical, journal, meant, from, [&](Preview& preview) { return supposition.apply_to(preview); }));
  WhatIf result{.changes = changes};
  result.plan = std::move(seen->plan);
  result.differs = differences(plan, result.plan);
  return result;
}

std::string what_if_document(const WhatIf& result) {
  std::string document = plan_document(result.plan);
  check(document.ends_with('}'));
  document.pop_back();
  JsonWriter json;
  json.begin_array();
  for (const std::string& change : result.changes) json.value(change);
  json.end_array();
  JsonWriter differs;
  write_differences(differs, result.differs);
  return document + ",\"what_if\":" + json.take() + ",\"differs\":" + differs.take() + "}";
}

}  // namespace reprise
