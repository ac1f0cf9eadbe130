// What an index file shows about its questions beyond their own rows: which gaps they are about, what was
// answered, and whether an answer was applied.
//
// The documented format has no word for "applied", and no place for answers. So an answered question counts as
// applied if the file says or shows it: our own record of answers, a history row that names it, all its gaps
// settled, a later iteration, or a loop that has gone on to validation. Our own record that says "no" outweighs
// all of these: applying an answer twice is harmless, losing one is not.

#pragma once

#include "model/spec_loop.h"

namespace reprise {

/// Completes the questions of `claims` by what its gaps, history and received answers say.
void link_questions(SpecLoopClaims& claims);

/// Returns the iteration in a question's id: 2 in "C2.1"; nothing if the id has none.
std::optional<long long> iteration_in(std::string_view question_id);

}  // namespace reprise
