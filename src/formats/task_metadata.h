// What a task's metadata says, in the dialects that are in use: `phase` and `phaseId`, `output` and `l1`, a list
// or one value. Whatever it holds stays in TaskClaim::metadata as it is.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"
#include "text/json_document.h"

namespace reprise {

/// Fills in what the metadata says of a task. What is not understood is added to `oddities`; text is the task's
/// file. `bytes` is what the node's spans refer to.
void read_task_metadata(std::string_view bytes, const JsonNode& metadata, TaskClaim& task,
                        std::vector<Oddity>& oddities);

/// Returns a value as text: strings decoded, nothing for null, lists and objects as JSON
/// without spaces.
std::string json_as_text(std::string_view bytes, const JsonNode& node);

/// Returns the texts of a value: of a list its elements, of anything else itself; an element that is an object
/// with a path is that path. Nothing that is empty.
std::vector<std::string> json_as_texts(std::string_view bytes, const JsonNode& node);

/// Returns the value that counts for `name` in an object, whether it is spelled `blockedBy` or `blocked_by`; null
/// if there is none.
const JsonMember* find_json_member(const JsonNode& object, std::string_view name);

}  // namespace reprise
