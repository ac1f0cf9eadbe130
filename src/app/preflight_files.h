// What the parts of the pre-flight report share: looking at files, following dependencies.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/preflight.h"
#include "evidence/collector.h"

namespace reprise {

/// Collects files, each once: what is recorded of one counts more than that it is merely named.
class PreflightFiles {
 public:
  /// `plan` must outlive the object.
  PreflightFiles(App& app, const Plan& plan);

  /// Whether the plan keeps the step or stage of this name; of several the first counts.
  bool is_kept(const std::string& step) const;

  /// A file with its recorded digest; "" if none is.
  void add_recorded(const std::string& path, std::string role, const std::string& recorded, std::string phase);
  /// A file that a phase needs or makes, of which nothing is recorded; nothing if the file was added before.
  void add_named(const std::string& path, std::string role, const std::string& phase, bool is_product);
  /// Whether there is something at a path of the project.
  bool is_there(const std::string& path);
  /// A file that somebody else compared.
  void put(PreflightFile file);
  /// Returns how a file looks now; without a time if it is not there.
  PreflightFile seen_now(const std::string& path, std::string role, std::string phase);
  /// Returns all of them, by path.
  std::vector<PreflightFile> take();

 private:
  App& app_;
  std::unordered_map<std::string_view, bool> kept_;
  Collector collector_;
  std::map<std::string, PreflightFile> files_;
};

/// What needs what, by name.
using NeedsByName = std::map<std::string, std::vector<std::string>>;

/// Adds dependencies between things that have a name. `is_done` says nothing of what is not there; `word` is put
/// in front of the names.
void add_dependencies(const NeedsByName& needs, std::string_view word,
                      const std::function<std::optional<bool>(const std::string&)>& is_done,
                      PreflightReport& report);

/// Adds what the phases need and make by their definition: files, and the stages before them.
void add_phases(const Proposal& proposal, PreflightReport& report, PreflightFiles& files);

}  // namespace reprise
