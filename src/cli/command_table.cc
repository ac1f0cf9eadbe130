#include "cli/command_table.h"

#include <array>

#include "cli/handlers.h"

namespace reprise {
namespace {

constexpr std::string_view kModes = "autopilot interactive preflight";

constexpr Option kGlobal[] = {
    {"C", "DIR", "work on the project in DIR"}, {"json", "", "print one JSON document on stdout; never ask"},
    {"quiet", "", "say only what went wrong"},  {"verbose", "", "show everything"},
    {"version", "", "print the version"},
};

constexpr Positional kId[] = {{"ID", true, "runs"}};
constexpr Positional kMaybeId[] = {{"ID", false, "runs"}};
constexpr Positional kIdStage[] = {{"ID", true, "runs"}, {"STAGE", false, "steps"}};
constexpr Positional kIdStep[] = {{"ID", true, "runs"}, {"STEP", true, "steps"}};
constexpr Positional kIdMaybeStep[] = {{"ID", true, "runs"}, {"STEP", false, "steps"}};
constexpr Positional kIdGate[] = {{"ID", true, "runs"}, {"GATE", false}};
constexpr Positional kIdCode[] = {{"ID", true, "runs"}, {"CODE", true}};
constexpr Positional kIdQuestionText[] = {{"ID", true, "runs"}, {"QUESTION", true}, {"TEXT", true}};
constexpr Positional kWorkflowSubject[] = {{"WORKFLOW", true, "workflows"}, {"SUBJECT", false}};
constexpr Positional kWorkflow[] = {{"WORKFLOW", true, "workflows"}};
constexpr Positional kShell[] = {{"SHELL", true, "bash zsh fish"}};

constexpr Option kRunOptions[] = {
    {"input", "K=V", "give the workflow's input K the value V", true},
    {"mode", "MODE", "how much is asked before acting", false, kModes},
    {"parallel", "N", "run at most N steps at a time"},
    {"variant", "V", "the tier of a task pipeline or spec pipeline: TRIVIAL, SIMPLE, STANDARD, COMPLEX"},
    {"run-id", "ID", "name the run"},
    {"resume", "", "go on with the run that --run-id or SUBJECT names"},
    {"rollback", "", "roll the lane of that run back"},
    {"to", "CHECKPOINT", "with --rollback: where to"},
    {"yes", "", "with --rollback: do it without asking"},
    {"detach", "", "work in the background; `attach` shows it"},
};
constexpr Option kResumeOptions[] = {
    {"all", "", "everything that can be resumed and that nobody owns; asks nothing, reports once"},
    {"failed", "", "with --all: what failed, too, with all its retries and loop iterations"},
    {"parallel", "N", "with --all: at most N runs at a time"},
    {"from", "STAGE", "start at STAGE instead of where the plan says"},
    {"mode", "MODE", "how much is asked before acting", false, kModes},
    {"yes", "", "answer confirmations; accepts no blocking finding and passes no gate"},
    {"plan", "FILE", "do what the plan saved in FILE says, or refuse and show what moved"},
    {"brief", "", "print what the next worker would be told; start nothing"},
    {"detach", "", "work in the background; `attach` shows it"},
};
constexpr Option kScanOptions[] = {
    {"system", "NAME", "only the work of this system", false,
     "playbook spec-loop task-pipeline lanes orchestrator own"},
    {"about", "TEXT", "only what TEXT describes"},
    {"all", "", "finished work too"},
};
constexpr Option kFreshOptions[] = {{"yes", "", "do it without asking"}, {"run", "", "start the new run at once"}};
constexpr Option kRollbackOptions[] = {
    {"to", "CHECKPOINT", "go back to this one instead of the safest earlier one"},
    {"lane", "NAME", "which lane, where the run has several"},
    {"yes", "", "do it without asking"}};
constexpr Option kCheckpointPutOptions[] = {
    {.name = "run-id", .value = "R", .help = "the run", .required = true},
    {.name = "phase", .value = "P", .help = "the phase", .required = true},
    {.name = "lane", .value = "L", .help = "the lane, - for the phase as a whole", .required = true},
    {.name = "stage",
     .value = "S",
     .help = "before_lane_start, after_lane_start, after_lane_tests, pre_pr or retry_attempt",
     .required = true},
    {.name = "status",
     .value = "S",
     .help = "ready, in_progress, failed, blocked, complete, rolled_back or retrying",
     .required = true},
    {"notes", "TEXT", "anything worth knowing"},
    {"base", "BRANCH", "the branch that the lane started from"},
    {"worktree", "PATH", "where the lane works"},
    {"plan", "FILE", "the phase plan, for the hints"},
};
constexpr Option kCleanupOptions[] = {{"ignored", "", "files that git ignores go too"},
                                      {"yes", "", "do it without asking"}};
constexpr Positional kRef[] = {{"REF", true}};
constexpr Option kUndoOptions[] = {{"yes", "", "do it without asking"}};
constexpr Option kRepairOptions[] = {{"yes", "", "change the file without asking"}};
constexpr Option kPlanOptions[] = {
    {"from", "STAGE", "as if resumed from STAGE"},
    {"save", "FILE", "keep the plan in FILE, for `resume --plan`"},
    {"what-if", "CHANGE",
     "as if: drop=STAGE, answer=QUESTION:TEXT, approve=GATE, base=COMMIT, file=PATH or file=PATH:OTHER", true},
    {"report", "FORM", "of a task pipeline: its recovery report", false, "l1 l2 signal full"},
};
constexpr Option kFollow[] = {{"follow", "", "go on as more is written"}};
constexpr Option kBecause[] = {{"because", "TEXT", "the reason, which is recorded"}};
constexpr Option kReason[] = {
    {.name = "because", .value = "TEXT", .help = "the reason, which is recorded", .required = true}};
constexpr Option kForkOptions[] = {
    {.name = "from", .value = "STAGE", .help = "the first stage that the fork does again", .required = true}};
constexpr Option kVerifyOptions[] = {{"reindex", "", "make the journal's indexes anew from its tables first"}};
constexpr Option kGcOptions[] = {{"dry-run", "", "say what would be removed"},
                                 {"keep", "DURATION", "keep archived runs for this long (default 30d)"},
                                 {"yes", "", "also remove what belongs to no run"}};

constexpr Positional kFile[] = {{"FILE", true}};
constexpr Option kExportOptions[] = {{"output", "FILE", "write it there; - for the standard output"}};
constexpr Option kImportOptions[] = {{"as", "NAME", "call the run so here"},
                                     {"yes", "", "set aside files of the project that differ"}};

constexpr Positional kTask[] = {{"TASK", true}};
constexpr Option kInList{"list", "LIST", "the task list, where the project has not exactly one"};
constexpr Option kTaskListOptions[] = {kInList, {"all", "", "the lists of other projects too"}};
constexpr Option kTaskGetOptions[] = {kInList};
constexpr Option kTaskCreateOptions[] = {
    kInList,
    {.name = "subject", .value = "TEXT", .help = "what is to be done, in a line", .required = true},
    {"description", "TEXT", "what is to be done"},
    {"active-form", "TEXT", "what is said while it is done"},
    {"owner", "NAME", "who does it"},
    {"metadata", "K=V", "what else is known of it; objects, lists, numbers, true and false as JSON", true},
    {"blocked-by", "TASK", "it waits for this task", true},
    {"blocks", "TASK", "this task waits for it", true},
};
constexpr Option kTaskUpdateOptions[] = {
    kInList,
    {"status", "STATUS", "how it stands; deleted removes it", false,
     "pending in_progress completed failed deleted"},
    {"owner", "NAME", "who does it; nobody if it is empty"},
    {"subject", "TEXT", "what is to be done, in a line"},
    {"description", "TEXT", "what is to be done"},
    {"active-form", "TEXT", "what is said while it is done"},
    {"metadata", "K=V", "sets one key; K=null takes it away", true},
    {"add-blocked-by", "TASK", "it waits for this task", true},
    {"add-blocks", "TASK", "this task waits for it", true},
    {"remove-blocked-by", "TASK", "it does not wait for this task any more", true},
    {"remove-blocks", "TASK", "this task does not wait for it any more", true},
};

constexpr CommandSpec kCommands[] = {
    {"init",
     "Start",
     "write an example configuration; find which systems the repository uses",
     {},
     {},
     init_command},
    {"run", "Start", "start a run of a workflow", kWorkflowSubject, kRunOptions, run_command},
    {"resume", "Start", "go on with an interrupted run", kMaybeId, kResumeOptions, resume_command},
    {"scan", "Look", "interrupted work, whatever wrote it", {}, kScanOptions, scan_command},
    {"status", "Look", "runs and steps now, and the timeline of one run", kMaybeId, {}, status_command},
    {"stats", "Look", "where runs stop, what resuming saved, what was retried", {}, {}, stats_command},
    {"plan", "Look", "what a resume would do, and why", kId, kPlanOptions, plan_command},
    {"why", "Look", "the reason, rule and evidence behind a decision", kIdStage, {}, why_command},
    {"log", "Look", "what attempts printed", kIdMaybeStep, kFollow, log_command, JsonForm::Lines},
    {"events", "Look", "the journal of a run", kId, kFollow, events_command, JsonForm::Lines},
    {"attach", "Look", "watch a run that works elsewhere", kId, {}, attach_command},
    {"checkpoint list", "Look", "the lanes' checkpoints", {}, {}, checkpoint_list_command},
    {"task list", "Look", "coding agents' task lists about this project", {}, kTaskListOptions, task_list_command},
    {"task get", "Look", "all that is in a task", kTask, kTaskGetOptions, task_get_command},
    {"inbox", "Decide", "everything that waits for a person", {}, {}, inbox_command},
    {"approve", "Decide", "pass a gate", kIdGate, kBecause, approve_command},
    {"reject", "Decide", "close a gate", kIdGate, kReason, reject_command},
    {"answer", "Decide", "answer a question", kIdQuestionText, {}, answer_command},
    {"accept", "Decide", "overrule a finding, on the record", kIdCode, kReason, accept_command},
    {"retry", "Decide", "do a step again", kIdStep, kBecause, retry_command},
    {"skip", "Decide", "leave a step out", kIdStep, kReason, skip_command},
    {"cancel", "Decide", "end a run for good", kId, kBecause, cancel_command},
    {"fork", "Decide", "a new run that takes over what is done before a stage", kId, kForkOptions, fork_command},
    {"repair", "Decide", "put a damaged state file right, after showing how", kId, kRepairOptions, repair_command},
    {"fresh", "Decide", "archive work and print the command that starts a new run", kId, kFreshOptions,
     fresh_command},
    {"rollback", "Decide", "bring a lane back to a checkpoint", kId, kRollbackOptions, rollback_command},
    {"cleanup", "Decide", "remove the worktrees of a run that is over, or give found work up", kId,
     kCleanupOptions, cleanup_command},
    {"undo", "Decide", "take the last fresh, repair, rollback, cleanup or undo back, of ID if it is given",
     kMaybeId, kUndoOptions, undo_command},
    {"rescue list", "Decide", "what was set aside before a rollback", {}, {}, rescue_list_command},
    {"rescue restore", "Decide", "bring it back into its lane", kRef, {}, rescue_restore_command},
    {"workflow list", "Definitions", "the project's workflows", {}, {}, workflow_list_command},
    {"workflow show",
     "Definitions",
     "a definition as Reprise understands it",
     kWorkflow,
     {},
     workflow_show_command},
    {"workflow check",
     "Definitions",
     "every problem of a definition, with file, line and column",
     kWorkflow,
     {},
     workflow_check_command},
    {"workflow schema", "Definitions", "the JSON Schema for editors", {}, {}, workflow_schema_command},
    {"doctor", "Store", "look for trouble: store, definitions, runs", {}, {}, doctor_command},
    {"verify", "Store", "check the journal's hash chain", {}, kVerifyOptions, verify_command},
    {"lock list", "Store", "who owns what", {}, {}, lock_list_command},
    {"lock break", "Store", "take a run from an owner that is gone", kId, {}, lock_break_command},
    {"checkpoint put",
     "Store",
     "record a checkpoint for an executor of one's own",
     {},
     kCheckpointPutOptions,
     checkpoint_put_command},
    {"task create", "Store", "add a task to a list", {}, kTaskCreateOptions, task_create_command},
    {"task update", "Store", "change a task", kTask, kTaskUpdateOptions, task_update_command},
    {"export", "Store", "a run as one portable file", kId, kExportOptions, export_command},
    {"import", "Store", "take over a run that was exported", kFile, kImportOptions, import_command},
    {"gc", "Store", "remove archived runs and their files", {}, kGcOptions, gc_command},
    {"completion", "Store", "print shell completion", kShell, {}, completion_command, JsonForm::None},
    {"man", "Store", "print the man page", {}, {}, man_command, JsonForm::None},
};

}  // namespace

std::span<const CommandSpec> commands() { return kCommands; }
std::span<const Option> global_options() { return kGlobal; }

}  // namespace reprise
