// Import, first half: everything that is checked before anything is written.

#include <algorithm>
#include <filesystem>

#include "app/project_files.h"
#include "app/systems.h"
#include "app/transfer.h"
#include "app/transfer_git.h"
#include "app/transfer_history.h"
#include "app/transfer_survivors.h"
#include "base/strings.h"
#include "git/git.h"
#include "model/limits.h"
#include "os/machine.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> refused(std::string why) { return fail(ErrorKind::Invalid, std::move(why)); }

const TarEntry* find_entry(const ImportPlan& plan, std::string_view path) {
  const auto found = std::ranges::find(plan.entries, path, &TarEntry::path);
  return found == plan.entries.end() ? nullptr : &*found;
}

Result<void> read_into(App& app, const fs::path& file, ImportPlan& plan) {
  const std::optional<FileInfo> info = TRY(app.files.stat(file));
  if (!info) return fail(ErrorKind::NotFound, "it is not there");
  if (info->type != FileType::Regular) return refused("it is not a file");
  plan.bytes = TRY(app.files.read(file, kTransferBytesMax));
  plan.entries = TRY(read_tar(plan.bytes));
  plan.manifest = TRY(parse_manifest(plan.entries.front().bytes));
  plan.entries.erase(plan.entries.begin());
  return check_files(plan.manifest, plan.entries);
}

// Every file has a place that it may go to, and a text is what its name says.
Result<void> check_entries(const ImportPlan& plan) {
  for (const TarEntry& entry : plan.entries) {
    const std::string_view path = entry.path;
    if (path.starts_with(kTextsBelow)) {
      if (path.substr(kTextsBelow.size()) == to_hex(digest_of(entry.bytes))) continue;
      return refused("\"" + printable_line(path, 200) + "\" in it is not the text that its name says");
    }
    const bool is_project = path.starts_with(kProjectBelow) && !path.starts_with("project/.reprise/");
    if (is_project || path.starts_with(kAttemptsBelow) || path.starts_with(kEditsBelow) || path == kHistoryEntry ||
        path == kExitsEntry || path == kBundleEntry)
      continue;
    return refused("\"" + printable_line(path, 200) + "\" in it has no place in a run");
  }
  return {};
}

Result<void> check_history(ImportPlan& plan) {
  const TarEntry* lines = find_entry(plan, kHistoryEntry);
  if (lines == nullptr) return refused("there are no events in it");
  plan.events = TRY(parse_lines(lines->bytes));
  const std::vector<Digest> chain = chain_of(plan.manifest.run, plan.events);
  if (static_cast<std::int64_t>(chain.size()) != plan.manifest.events || chain.back() != plan.manifest.head)
    return refused("its events are not those that its manifest names");
  TRY_VOID(check_places(plan.events));
  plan.state = TRY(fold(plan.manifest.run, plan.events));
  const bool is_it = plan.state.workflow == plan.manifest.workflow &&
                     plan.state.subject == plan.manifest.subject &&
                     plan.run.text.starts_with(plan.state.workflow + "/");
  if (!is_it) return refused("its events are of another workflow than its manifest says");
  const std::optional<Digest> definition = parse_digest(plan.state.definition);
  if (!definition || find_entry(plan, std::string(kTextsBelow) + to_hex(*definition)) == nullptr)
    return refused("the definition of the run is not in it");
  return {};
}

// What the run is to be called. A run of the user's own workflows may have any name; one that a state file shows
// is one of the runs of its subject.
Result<RunId> name_of(Journal* journal, const TransferManifest& manifest, const std::string& as) {
  if (as.empty()) return manifest.run;
  if (manifest.workflow == "lanes")
    return refused("a run of lanes has branches of its own and cannot be imported under another name");
  if (!may_have_state_file(manifest.workflow)) {
    if (!is_run_name(as)) return refused("--as takes a name of A-Z a-z 0-9 . _ -, at most 64 of them");
    return RunId{manifest.workflow + "/" + as};
  }
  const std::string subject = without_number(manifest.run.text);
  const bool is_numbered = as.starts_with(subject + "@") && parse_number(as.substr(subject.size() + 1), 1'000'000);
  if (!is_numbered) {
    return fail(Error{.kind = ErrorKind::Invalid, .message = "--as takes one more run of the same subject"}.hint(
        "reprise import FILE --as " + shell_quote(subject + "@2")));
  }
  const RunsOfSubject others = journal == nullptr ? RunsOfSubject{} : TRY(runs_of_subject(*journal, subject));
  if (others.newest && others.newest->text != as && !TRY(journal->state(*others.newest)).is_ended()) {
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = "run " + others.newest->text + " is not over, and both have the same state file"}
                    .hint("reprise cancel " + shell_quote(others.newest->text)));
  }
  return RunId{as};
}

Result<Error> gone_another_way(Journal& journal, const ImportPlan& plan, const fs::path& file,
                               std::size_t common) {
  Error error{.kind = ErrorKind::Invalid,
              .message = "run " + plan.run.shown() + " is here too and has gone another way: the first " +
                         std::to_string(common) + " of " + std::to_string(plan.events.size()) +
                         " exported events are the same"};
  const std::string import = "reprise import " + shell_quote(file.string()) + " --as ";
  error = std::move(error).hint("reprise events " + shell_quote(plan.run.shown()));
  if (plan.state.workflow == "lanes") return error;
  if (!may_have_state_file(plan.state.workflow))
    return std::move(error).hint(import +
                                 shell_quote(plan.run.text.substr(plan.run.text.find('/') + 1) + "-imported"));
  const RunId next = TRY(runs_of_subject(journal, without_number(plan.run.text))).next;
  return std::move(error)
      .hint("reprise cancel " + shell_quote(plan.run.shown()))
      .hint(import + shell_quote(next.text));
}

Result<void> compare(App& app, Journal* journal, const fs::path& file, ImportPlan& plan) {
  if (journal == nullptr) return {};
  const Result<RunState> state = journal->state(plan.run);
  if (!state && state.error().kind == ErrorKind::NotFound) return {};
  if (!state) return fail(state.error());
  const std::vector<Digest> here = chain_of(plan.run, TRY(whole_history(*journal, plan.run)));
  const std::vector<Digest> there = chain_of(plan.run, plan.events);
  const auto common = static_cast<std::size_t>(std::ranges::mismatch(here, there).in1 - here.begin());
  if (common < here.size() && common < there.size())
    return fail(TRY(gone_another_way(*journal, plan, file, common)));
  plan.events_here = common;
  plan.here = common == there.size() ? ImportPlan::Here::Complete : ImportPlan::Here::Behind;
  if (plan.here == ImportPlan::Here::Complete) return {};
  const std::optional<Owner> owner = TRY(journal->owner(plan.run));
  if (owner && owner->alive) {
    return fail(Error{.kind = ErrorKind::Conflict,
                      .message = "run " + plan.run.shown() + " is held by process " + std::to_string(owner->pid) +
                                 " on " + owner->host + " since " + to_text(owner->since)}
                    .hint("reprise attach " + shell_quote(plan.run.shown())));
  }
  return check_no_survivor(app, *state);
}

// The folders that a file is to lie in are in the project, whatever links there are.
Result<void> check_way(App& app, const std::string& path) {
  fs::path folder = (app.project / path).parent_path();
  std::error_code error;
  while (folder != app.project && !fs::exists(fs::symlink_status(folder, error))) folder = folder.parent_path();
  const Result<fs::path> real = canonical_path(folder);
  const bool is_folder = real && fs::is_directory(*real, error);
  const std::string first = real ? real->lexically_relative(app.project).begin()->string() : "..";
  if (is_folder && first != ".." && first != ".git" && first != ".reprise") return {};
  return fail(Error{.kind = ErrorKind::Invalid,
                    .message = printable_line(path, 200) + " would not lie in the project: " +
                               printable_line(folder.lexically_relative(app.project).string(), 200) +
                               " is no folder in it"}
                  .hint("ls -ld " + shell_quote(folder.string())));
}

Result<void> compare_file(App& app, const TarEntry& entry, std::string_view history, ImportPlan& plan) {
  const std::string path = entry.path.substr(kProjectBelow.size());
  TRY_VOID(check_way(app, path));
  const std::optional<FileInfo> info = TRY(app.files.stat(app.project / path));
  if (!info) return {};
  const bool is_movable =
      info->type == FileType::Regular && info->size <= static_cast<std::int64_t>(kDocumentBytesMax);
  std::optional<std::string> digest;
  if (info->type == FileType::Regular && info->size <= static_cast<std::int64_t>(kTransferBytesMax))
    digest = to_text(digest_of(TRY(app.files.read(app.project / path, kTransferBytesMax))));
  if (digest == to_text(digest_of(entry.bytes))) return {};
  if (!is_movable) {
    return fail(Error{.kind = ErrorKind::Invalid,
                      .message = printable_line(path, 200) + " is in the way, and cannot be set aside: " +
                                 (info->type == FileType::Regular ? "it is too large" : "it is no file")}
                    .hint("mv " + shell_quote(path) + " " + shell_quote(path + ".old")));
  }
  plan.replaced.push_back(path);
  if (history.find(*digest) == std::string_view::npos) plan.differing.push_back(path);
  return {};
}

Result<void> check_all(App& app, Journal* journal, const fs::path& file, const std::string& as, ImportPlan& plan) {
  TRY_VOID(read_into(app, file, plan));
  plan.run = plan.manifest.run;
  TRY_VOID(check_entries(plan));
  TRY_VOID(check_history(plan));
  TRY_VOID(check_repository(app, plan.manifest));
  plan.run = TRY(name_of(journal, plan.manifest, as));
  TRY_VOID(compare(app, journal, file, plan));
  if (plan.here == ImportPlan::Here::Complete) return {};
  const TarEntry* bundle = find_entry(plan, kBundleEntry);
  TRY_VOID(check_refs(app, plan.manifest, plan.state, bundle == nullptr ? "" : bundle->bytes));
  const std::string_view history = find_entry(plan, kHistoryEntry)->bytes;
  for (const TarEntry& entry : plan.entries) {
    if (entry.path.starts_with(kProjectBelow)) TRY_VOID(compare_file(app, entry, history, plan));
  }
  if (const Result<Git> git = Git::open(app.project); git && !plan.manifest.commit.empty())
    plan.is_commit_here = TRY(git->commit_of(plan.manifest.commit)).has_value();
  return {};
}

}  // namespace

Result<std::unique_ptr<ImportPlan>> plan_import(App& app, const fs::path& file, const std::string& as) {
  // A journal that was cut off in the making counts as none.
  Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  if (!journal && journal.error().kind != ErrorKind::NotFound) return fail(std::move(journal.error()));
  auto plan = std::make_unique<ImportPlan>();
  Result<void> checked = check_all(app, journal ? journal->get() : nullptr, file, as, *plan);
  if (checked) return plan;
  Error error = std::move(checked.error()).within(printable_line(file.string(), 300));
  error.file = file.string();
  const fs::path place = error.kind == ErrorKind::NotFound ? file.parent_path() : file;
  if (error.hints.empty()) error.hints.push_back("ls -l " + shell_quote(place.empty() ? "." : place.string()));
  return fail(std::move(error));
}

}  // namespace reprise
