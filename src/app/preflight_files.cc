#include "app/preflight_files.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "app/project_files.h"

namespace reprise {
namespace {

using Kind = FileStanding;

// Which of `needs` can be reached from themselves.
std::set<std::string> in_circles(const NeedsByName& needs) {
  std::set<std::string> circular;
  for (const auto& [start, first] : needs) {
    std::set<std::string> seen;
    std::vector<std::string> open = first;
    while (!open.empty()) {
      const std::string next = std::move(open.back());
      open.pop_back();
      if (next == start) circular.insert(start);
      if (!seen.insert(next).second) continue;
      const auto found = needs.find(next);
      if (found != needs.end()) open.insert(open.end(), found->second.begin(), found->second.end());
    }
  }
  return circular;
}

// What the phases need and make by their definition.
void add_files_of_phases(const Proposal& proposal, PreflightFiles& files) {
  std::unordered_set<std::string_view> outputs;
  for (const StepWork& work : proposal.phases) outputs.insert(work.outputs.begin(), work.outputs.end());
  for (std::size_t i = 0; i < proposal.phases.size(); ++i) {
    const std::string& step = proposal.plan.decisions[i].step.text;
    for (const std::string& path : proposal.phases[i].outputs) files.add_named(path, "artifact", step, true);
  }
  for (std::size_t i = 0; i < proposal.phases.size(); ++i) {
    const StepDecision& decision = proposal.plan.decisions[i];
    if (decision.decision == Decision::Keep) continue;
    const std::vector<std::string>& context = proposal.phases[i].context;
    for (const std::string& path : proposal.phases[i].inputs) {
      if (std::ranges::find(context, path) != context.end() && !files.is_there(path)) continue;
      files.add_named(path, "input", decision.step.text, outputs.contains(path));
    }
  }
}

// Whether all steps of a stage, block, item or round are kept, by its path; of a stage by its name, too.
std::unordered_map<std::string_view, bool> kept_by_path(const Plan& plan) {
  std::unordered_map<std::string_view, bool> kept;
  for (const StepDecision& decision : plan.decisions) {
    const bool is_kept = decision.decision == Decision::Keep;
    const auto note = [&](std::string_view path) {
      bool& all = kept.emplace(path, true).first->second;
      all = all && is_kept;
    };
    const std::string_view step = decision.step.text;
    for (std::size_t slash = step.find('/'); slash != std::string_view::npos; slash = step.find('/', slash + 1))
      note(step.substr(0, slash));
    note(step);
    note(decision.stage);
  }
  return kept;
}

void add_stage_needs(const Proposal& proposal, PreflightReport& report) {
  const std::unordered_map<std::string_view, bool> kept = kept_by_path(proposal.plan);
  for (std::size_t i = 0; i < proposal.phases.size(); ++i) {
    const std::string& step = proposal.plan.decisions[i].step.text;
    for (const std::string& path : proposal.phases[i].needs) {
      const auto found = kept.find(path);
      // What a definition needs it has; a plan of found work does not list its gates.
      if (found == kept.end()) continue;
      report.dependencies.push_back({step, path, true, found->second ? "done" : "comes before it"});
    }
  }
}

}  // namespace

PreflightFiles::PreflightFiles(App& app, const Plan& plan) : app_(app), collector_(app.files, app.project) {
  for (const StepDecision& decision : plan.decisions) {
    const bool is_kept = decision.decision == Decision::Keep;
    kept_.emplace(decision.step.text, is_kept);
    kept_.emplace(decision.stage, is_kept);
  }
}

bool PreflightFiles::is_kept(const std::string& step) const {
  const auto found = kept_.find(step);
  return found != kept_.end() && found->second;
}

void PreflightFiles::add_recorded(const std::string& path, std::string role, const std::string& recorded,
                                  std::string phase) {
  PreflightFile file = seen_now(path, std::move(role), std::move(phase));
  file.recorded = recorded;
  const bool exists = file.modified_at.has_value();
  file.standing = !exists                   ? Kind::Missing
                  : recorded.empty()        ? Kind::New
                  : recorded == file.digest ? Kind::Same
                                            : Kind::Changed;
  file.critical = !exists && !is_kept(file.phase);
  files_.insert_or_assign(path, std::move(file));
}

void PreflightFiles::add_named(const std::string& path, std::string role, const std::string& phase,
                               bool is_product) {
  if (path.empty() || path.find('{') != std::string::npos || files_.contains(path)) return;
  PreflightFile file = seen_now(path, std::move(role), phase);
  const bool exists = file.modified_at.has_value();
  const bool kept = is_kept(phase);
  file.standing = exists ? Kind::New : is_product && !kept ? Kind::Later : Kind::Missing;
  file.critical = file.standing == Kind::Missing && !kept;
  files_.emplace(path, std::move(file));
}

bool PreflightFiles::is_there(const std::string& path) {
  const Result<std::optional<FileInfo>> info = app_.files.stat(app_.project / path);
  return info && info->has_value();
}

void PreflightFiles::put(PreflightFile file) {
  std::string path = file.path;
  files_.insert_or_assign(std::move(path), std::move(file));
}

PreflightFile PreflightFiles::seen_now(const std::string& path, std::string role, std::string phase) {
  PreflightFile file{.path = path, .role = std::move(role), .phase = std::move(phase)};
  const Result<std::optional<FileInfo>> info = app_.files.stat(app_.project / path);
  if (!info || !*info) return file;
  file.modified_at = (*info)->modified;
  if (!is_inside(app_, path)) {
    file.note = "it lies outside of the project and was not looked at";
    return file;
  }
  if ((*info)->type == FileType::Regular) file.size = (*info)->size;
  if (const Result<SeenFile> seen = collector_.look(path, nullptr)) file.digest = seen->digest;
  return file;
}

std::vector<PreflightFile> PreflightFiles::take() {
  std::vector<PreflightFile> all;
  for (auto& [path, file] : files_) all.push_back(std::move(file));
  return all;
}

void add_dependencies(const NeedsByName& needs, std::string_view word,
                      const std::function<std::optional<bool>(const std::string&)>& is_done,
                      PreflightReport& report) {
  const std::set<std::string> circular = in_circles(needs);
  for (const auto& [of, all] : needs) {
    for (const std::string& on : all) {
      const std::optional<bool> done = is_done(on);
      const bool turns = circular.contains(of) && circular.contains(on);
      report.dependencies.push_back({std::string(word) + of, std::string(word) + on, done.has_value() && !turns,
                                     !done   ? "not there"
                                     : turns ? "goes round in a circle"
                                     : *done ? "done"
                                             : "comes before it"});
    }
  }
}

void add_phases(const Proposal& proposal, PreflightReport& report, PreflightFiles& files) {
  add_files_of_phases(proposal, files);
  add_stage_needs(proposal, report);
}

}  // namespace reprise
