#include "app/scratch_run.h"

#include "base/strings.h"

namespace reprise {

Result<std::unique_ptr<ScratchRun>> ScratchRun::open(App& app, Journal* journal, const Meant& meant) {
  std::unique_ptr<ScratchRun> scratch(new ScratchRun());
  scratch->app_ = std::make_unique<App>(app);
  if (meant.run) {
    scratch->journal_ = journal;
    scratch->run_ = *meant.run;
    return scratch;
  }
  TRY_VOID(scratch->take_up(*meant.candidate));
  return scratch;
}

Result<void> ScratchRun::take_up(const Candidate& candidate) {
  if (candidate.damaged) {
    Error error{.kind = ErrorKind::Invalid,
                .message = candidate.id.shown() + " is damaged, so nothing follows from it: " + candidate.why};
    return fail(std::move(error).hint("reprise plan " + shell_quote(candidate.id.shown())));
  }
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  if (error) return fail(ErrorKind::Io, "there is no folder for temporary files: " + error.message());
  folder_ = temporary / ("reprise-" + app_->entropy.hex(16));
  app_->store = folder_;
  TRY_VOID(app_->files.make_directories(folder_));
  own_journal_ = TRY(open_journal(*app_, OpenMode::ReadWrite));
  journal_ = own_journal_.get();
  run_ = TRY(adopt(*app_, *journal_, candidate));
  return {};
}

ScratchRun::~ScratchRun() {
  own_journal_.reset();
  // Files that are pretended are of no account any more, so one who pretends nothing removes it.
  if (!folder_.empty()) [[maybe_unused]]
    const Result<void> ignored = PosixFileSystem().remove_tree(folder_);
}

}  // namespace reprise
