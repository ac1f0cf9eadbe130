// Takes secrets out of what people and workers wrote, before it becomes an event.

#pragma once

#include "base/mask.h"
#include "model/event.h"

namespace reprise {

/// Masks the free texts of `event`: reasons, answers, notes, tasks. Names, paths and digests stay as they are, and
/// so do the values of a run, which are commands' arguments (Session::start refuses those with a secret), and the
/// question of a gate, which is compared with its definition.
void take_secrets_out(Event& event, const Masker& masker);

}  // namespace reprise
