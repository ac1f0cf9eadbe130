// The handlers that the command table names, one file per group of commands.

#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "base/result.h"

namespace reprise {

class Cli;
struct Arguments;
struct Leftover;

// run_commands.cc, resume_commands.cc: working on runs
int run_command(Cli& cli, const Arguments& arguments);
int attach_command(Cli& cli, const Arguments& arguments);
int resume_command(Cli& cli, const Arguments& arguments);

// plan_commands.cc: what a resume would do, and why
int plan_command(Cli& cli, const Arguments& arguments);
int why_command(Cli& cli, const Arguments& arguments);

// saved_plan_commands.cc: resume --plan, resume --brief
int resume_saved_command(Cli& cli, const Arguments& arguments);
int brief_command(Cli& cli, const Arguments& arguments);

// look_commands.cc: looking, changing nothing
int scan_command(Cli& cli, const Arguments& arguments);
int log_command(Cli& cli, const Arguments& arguments);
int events_command(Cli& cli, const Arguments& arguments);
int inbox_command(Cli& cli, const Arguments& arguments);

// stats_commands.cc: what was
int status_command(Cli& cli, const Arguments& arguments);
int stats_command(Cli& cli, const Arguments& arguments);

// resume_all_command.cc: resume --all
int resume_all_command(Cli& cli, const Arguments& arguments);

// steer_commands.cc: deciding
int approve_command(Cli& cli, const Arguments& arguments);
int reject_command(Cli& cli, const Arguments& arguments);
int answer_command(Cli& cli, const Arguments& arguments);
int accept_command(Cli& cli, const Arguments& arguments);
int retry_command(Cli& cli, const Arguments& arguments);
int skip_command(Cli& cli, const Arguments& arguments);
int cancel_command(Cli& cli, const Arguments& arguments);
int fork_command(Cli& cli, const Arguments& arguments);

// repair_command.cc, fresh_commands.cc: ways out of a state that cannot be resumed
int repair_command(Cli& cli, const Arguments& arguments);
int fresh_command(Cli& cli, const Arguments& arguments);
/// Whether the person agrees to what was shown: with --yes, or by an answer on a terminal.
bool is_agreed(Cli& cli, const Arguments& arguments, const std::string& question);
int undo_command(Cli& cli, const Arguments& arguments);
int rollback_command(Cli& cli, const Arguments& arguments);
int cleanup_command(Cli& cli, const Arguments& arguments);
/// Warns about files of removed worktrees that cannot be deleted, with the command that deletes them.
void say_leftovers(Cli& cli, const std::vector<Leftover>& left);
int rescue_list_command(Cli& cli, const Arguments& arguments);
int rescue_restore_command(Cli& cli, const Arguments& arguments);
int checkpoint_list_command(Cli& cli, const Arguments& arguments);
int checkpoint_put_command(Cli& cli, const Arguments& arguments);
/// The same as rollback, for a run that `run` named.
int rollback_named_command(Cli& cli, const Arguments& arguments, const std::string& id, const std::string& lane);

// transfer_commands.cc: a run as one portable file
int export_command(Cli& cli, const Arguments& arguments);
int import_command(Cli& cli, const Arguments& arguments);

// task_commands.cc: coding agents' task lists
int task_list_command(Cli& cli, const Arguments& arguments);
int task_get_command(Cli& cli, const Arguments& arguments);
int task_create_command(Cli& cli, const Arguments& arguments);
int task_update_command(Cli& cli, const Arguments& arguments);

// store_commands.cc, lock_commands.cc: the project and its store
int init_command(Cli& cli, const Arguments& arguments);
int workflow_list_command(Cli& cli, const Arguments& arguments);
int workflow_show_command(Cli& cli, const Arguments& arguments);
int workflow_check_command(Cli& cli, const Arguments& arguments);
int workflow_schema_command(Cli& cli, const Arguments& arguments);
int doctor_command(Cli& cli, const Arguments& arguments);
int verify_command(Cli& cli, const Arguments& arguments);
int lock_list_command(Cli& cli, const Arguments& arguments);
int lock_break_command(Cli& cli, const Arguments& arguments);
int gc_command(Cli& cli, const Arguments& arguments);
int completion_command(Cli& cli, const Arguments& arguments);
int man_command(Cli& cli, const Arguments& arguments);

/// Shows what a fresh start of `id` sets aside, and does it if the person agrees. False, and nothing is changed,
/// if not.
Result<bool> set_aside_if_agreed(Cli& cli, App& app, const std::string& id, const Arguments& arguments);

}  // namespace reprise
