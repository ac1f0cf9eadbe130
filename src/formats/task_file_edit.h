// Changes of a task's file, byte by byte, and the bytes of a new one.
//
// What always holds:
//
//   F1  A change that changes nothing gives the same bytes.
//   F2  Only what is changed changes: the order of keys, unknown keys, layout and line ends stay.
//   A status is never written that the tool which made the list could not store: a failed task is written as
//   pending with `metadata.error`, which is read as failed.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/task.h"
#include "text/json_edit.h"

namespace reprise {

/// A task that is to be made.
struct NewTask {
  std::string subject = {};
  std::string description = {};
  std::string active_form = {};  // "": the subject
  std::string owner = {};        // "": nobody
  TaskStatus status = TaskStatus::Pending;
  std::vector<std::string> blocks = {};
  std::vector<std::string> blocked_by = {};
  std::vector<JsonSetting> metadata = {};  // those that are null are left out
  bool once = false;                       // where its phase has a task of this subject, that one is meant
};

/// Returns the file of a new task as its tool writes one: two spaces, no line end at the end.
std::string new_task_file(const std::string& id, const NewTask& task);

/// What is to be changed; what is not given stays.
struct TaskChange {
  std::optional<std::string> subject = {};
  std::optional<std::string> description = {};
  std::optional<std::string> active_form = {};
  std::optional<std::string> owner = {};   // "": nobody any more
  std::optional<TaskStatus> status = {};   // not Unknown
  std::vector<JsonSetting> metadata = {};  // merged by key; null removes the key
  std::vector<std::string> add_blocks = {};
  std::vector<std::string> add_blocked_by = {};
  std::vector<std::string> remove_blocks = {};
  std::vector<std::string> remove_blocked_by = {};
};

/// Returns a task's file with `change` made. A status other than failed takes `metadata.error` away, unless the
/// change sets one. Corrupt: the file cannot be read. Invalid: its metadata is no object.
Result<std::string> edit_task_file(std::string_view bytes, const TaskChange& change, std::string_view file);

/// Returns a value as it is to be stored: a JSON object, list, number, true, false or null as that, everything
/// else as text.
std::string as_json_value(std::string_view text);

}  // namespace reprise
