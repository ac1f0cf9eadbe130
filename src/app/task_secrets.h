// Takes secrets out of tasks that are handed in with a command, wherever their list is kept.

#pragma once

#include "app/task_lists.h"

namespace reprise {

/// Masks the texts of a task that this process hands in: the secrets of its environment that the configuration, or
/// the run that it works for, names.
void take_secrets_out(App& app, NewTask& task);
void take_secrets_out(App& app, TaskChange& change);

}  // namespace reprise
