// What every use case needs: which project this is, where its store lies, who is asking.
//
// The use cases of this folder are what the front ends offer. They return values and errors; nothing
// here prints or asks.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "executor/environment.h"
#include "journal/journal.h"
#include "model/workflow.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "os/pretended_files.h"

namespace reprise {

struct App {
  std::filesystem::path project;  // absolute
  std::filesystem::path store;    // <git common dir>/reprise, or .reprise/state without git
  std::filesystem::path program;  // our own binary
  Environment environment;
  std::string actor;  // "ana@host"
  std::string host;
  int pid = 0;
  PretendedFiles files;  // the real ones, unless a plan of what might be says otherwise
  SystemClock clock;
  SystemEntropy entropy;

  /// Whether this process was started by a worker of a run: it may look, but not decide for people. The
  /// environment says so, or that of a process above this one, or there is a guard above it, or its
  /// ancestors cannot be read.
  bool is_worker() const;
};

/// Finds the project that contains `directory`: its git repository, else the directory itself.
Result<std::unique_ptr<App>> open_app(const std::filesystem::path& directory);

Result<std::unique_ptr<Journal>> open_journal(App& app, OpenMode mode);
/// The same, but nothing if nothing was ever recorded here: never creates a journal.
Result<std::unique_ptr<Journal>> open_journal_if_any(App& app, OpenMode mode);
/// Whether open_journal() failed only because nothing was ever recorded here.
inline bool is_empty_store(const Error& error) { return error.kind == ErrorKind::NotFound; }

/// Returns what marks the processes of a run, for the guard that ends leftovers. Another project may have a run of
/// the same name, so the store's identity is part of it: a copy of a store is another one, a moved one is not.
std::string guard_tag(const std::filesystem::path& store, const std::string& key);

/// Reads `.reprise/config.yaml`; the defaults if there is none. Invalid lists every problem with its place.
Result<Config> read_config(App& app);

/// Returns a run's id without its number: the subject that it is a run of.
inline std::string without_number(const std::string& id) { return std::string(subject_of({id})); }

/// The ids that a text names best: exactly, else by whole segments, else as a prefix.
struct IdMatch {
  NameFit fit = NameFit::None;
  std::vector<RunId> ids;  // one for each subject: the newest of its runs
};
/// Finds them in `all`, which is ordered from old to new.
IdMatch match_id(const std::vector<RunId>& all, const std::string& text);
/// Returns the only id of a match. Fails with NotFound if there is none, and with Invalid, naming them, if there
/// are several.
Result<RunId> only_match(const IdMatch& match, const std::string& text);
/// Matches the runs of the journal. A run in the archive is found only by its exact id.
Result<IdMatch> match_run(Journal& journal, const std::string& text);
/// Returns the run that `text` names: only_match() of match_run().
Result<RunId> find_run(Journal& journal, const std::string& text);

/// The runs of one subject, `ID`, `ID@2`, …
struct RunsOfSubject {
  std::optional<RunId> newest;
  RunId next;  // the id of one more
};
Result<RunsOfSubject> runs_of_subject(Journal& journal, const std::string& id);

}  // namespace reprise
