#include "app/task_reports.h"

#include "app/task_pipeline_find.h"
#include "app/task_pipeline_look.h"
#include "app/task_pipeline_system.h"
#include "planner/task_report.h"

namespace reprise {
namespace {

std::filesystem::path place_of(const App& app, const RunId& run) { return app.store / task_report_place(run); }

std::string shown_path(const App& app, const std::filesystem::path& place) {
  const std::filesystem::path relative = place.lexically_relative(app.project);
  return relative.empty() || relative.string().starts_with("..") ? place.string() : relative.string();
}

Result<TaskSnapshot> snapshot_of(App& app, Journal* journal, const Meant& meant) {
  if (!meant.run) return look_at_found_list(app, *meant.candidate);
  return look_at_run(app, TRY(journal->state(*meant.run)));
}

}  // namespace

std::string task_report_place(const RunId& run) { return "attempts/" + run.text + "/pipeline-resume.md"; }

Result<std::string> task_pipeline_report(App& app, Journal* journal, const Meant& meant, const std::string& form,
                                         const std::string& from) {
  const std::string id = meant.run ? meant.run->text : meant.candidate->id.text;
  if (!id.starts_with(std::string(kTaskPipeline) + "/"))
    return fail(ErrorKind::Invalid, "only a task pipeline has this report; " + id + " is none");
  TaskSnapshot seen = TRY(snapshot_of(app, journal, meant));
  seen.from = from;
  const TaskRecovery recovery = recover(seen);
  const TaskReportState state{.ref = shown_path(app, place_of(app, RunId{id})), .is_presented = true};
  if (form == "l1") return task_report_l1(recovery);
  if (form == "l2") return task_report_l2(seen, recovery, state);
  if (form == "signal") return task_report_signal(recovery, state.ref) + "\n";
  return task_report_l1(recovery) + "\n" + task_report_l2(seen, recovery, state) + "\n" +
         task_report_signal(recovery, state.ref) + "\n";
}

Result<std::string> report_before_resume(App& app, const RunState& state, const std::string& from) {
  const bool is_begun = state.adopted || state.was_worked_on();
  if (state.workflow != kTaskPipeline || !is_begun) return std::string();
  TaskSnapshot seen = TRY(look_at_run(app, state));
  seen.from = from.substr(0, from.find('/'));  // a step's phase
  const TaskReportState report{
      .ref = shown_path(app, place_of(app, state.id)), .is_presented = false, .is_updated = false};
  return task_report_l2(seen, recover(seen), report);
}

Result<void> leave_task_report(App& app, const RunId& run, const std::string& report) {
  if (report.empty()) return {};
  const std::filesystem::path place = place_of(app, run);
  TRY_VOID(app.files.make_directories(place.parent_path()));
  return app.files.write_scratch(place, report);
}

}  // namespace reprise
