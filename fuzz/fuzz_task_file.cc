// A task's file: any bytes give a task or one error with its place. What is read can be changed: the change is in
// it, making it again changes nothing, and no change gives the same bytes. A list with it can be put together.

#include <algorithm>

#include "formats/task_file.h"
#include "formats/task_file_edit.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  const Result<ReadTask> found = read_task_file(bytes, "3.json");
  const Result<std::string> same = edit_task_file(bytes, {}, "3.json");
  check(found.has_value() == same.has_value());
  const Result<std::vector<ReadTask>> many = read_task_snapshot(bytes, "s.json");
  if (many) check(assemble_task_list("l", *many, 0).tasks.size() <= many->size());
  if (!found) {
    check(!found.error().message.empty() && found.error().kind == ErrorKind::Corrupt);
    check(assemble_task_list("l", {damaged_task("3.json", found.error())}, 0).tasks.at(0).id == "3");
    return 0;
  }
  check(*same == bytes);
  check(assemble_task_list("l", {*found}, 0).tasks.at(0).id == "3");
  const TaskChange change{.owner = "ana", .status = TaskStatus::InProgress, .add_blocks = {"70"}};
  const Result<std::string> written = edit_task_file(bytes, change, "3.json");
  if (!written) {
    check(written.error().kind == ErrorKind::Invalid);
    return 0;
  }
  const TaskClaim task = read_task_file(*written, "3.json").value().task;
  check(task.owner == "ana" && task.status == TaskStatus::InProgress);
  check(std::ranges::find(task.blocks, "70") != task.blocks.end());
  check(edit_task_file(*written, change, "3.json").value() == *written);
  return 0;
}
