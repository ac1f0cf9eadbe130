// A run as one portable file: out of one clone of a repository, into another.
//
// The file holds the run's history as the journal has it, the texts that it names, the files of its attempts, what
// it recorded of the project (products, inputs, its state file), and what of it is in git. Nothing outside of the
// project travels, no link is followed out of it, and no configuration: who does the work is for the other machine
// to say.
//
//   M1  Export changes nothing but the record, which notes it; the run stays. The note is in the file too: both
//       histories are the same up to there, and two machines that both go on are told apart by what follows.
//   M2  Import checks everything before it writes anything. What it refuses has changed nothing.
//   M3  A file of the project that differs is not overwritten unless the caller says so, and is set aside then.
//       What the run itself had made of it earlier is set aside without asking.
//   M4  The history comes last, and of it the definition, without which nothing can be resumed. Cut off
//       anywhere, the same import made again ends where the first was going.
//   M5  A history is only ever continued: what is here and not in the file is never dropped.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/transfer_manifest.h"
#include "base/result.h"
#include "model/run_state.h"

namespace reprise {

/// What was exported.
struct ExportedRun {
  TransferManifest manifest;
  std::string bytes;                  // the file
  std::vector<std::string> left_out;  // what the run recorded and the file does not hold, with the reason
};

/// Exports `run`, and notes it in its history. `name` is what the note calls the file; with `file` it is written
/// there, whole or not at all. Conflict while somebody, or a worker that survived, works on it; Invalid if its
/// state lies outside of the project, or if something else than an exported run is at `file`.
Result<ExportedRun> export_run(App& app, Journal& journal, const RunId& run, const std::string& name,
                               const std::filesystem::path& file);

/// Returns what an exported run is called unless one says otherwise: "playbook-001-login.reprise.tar".
std::string default_export_name(const RunId& run);

/// An import that was checked, and what it would do.
struct ImportPlan {
  /// How what is here compares.
  enum class Here {
    Nothing,   // the run is new
    Behind,    // the run is here, and the file knows more of it
    Complete,  // all of it is here already
  };
  Here here = Here::Nothing;
  TransferManifest manifest;
  RunId run;                           // what it will be called
  RunState state;                      // what the exported events add up to
  std::vector<RecordedEvent> events;   // the exported ones
  std::size_t events_here = 0;         // how many of them are here
  std::string bytes;                   // the file
  std::vector<TarEntry> entries;       // views of it
  std::vector<std::string> differing;  // files of the project that somebody else changed
  std::vector<std::string> replaced;   // all that would be set aside: those, and the run's own earlier ones
  bool is_commit_here = true;          // the commit that it was exported at is known here
};

/// Checks the exported run in `file` against this project; `as` ("" for none) is what it is to be called here.
/// Nothing is changed. Invalid if the file is not sound, belongs to another repository, or the run here has gone
/// another way; Conflict if somebody works on it.
Result<std::unique_ptr<ImportPlan>> plan_import(App& app, const std::filesystem::path& file,
                                                const std::string& as);

/// Does it. What stands in the way is set aside, for `undo`.
Result<void> carry_out_import(App& app, const ImportPlan& plan);

}  // namespace reprise
