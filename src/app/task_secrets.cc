#include "app/task_secrets.h"

#include "app/logs.h"
#include "guard/result_file.h"

namespace reprise {
namespace {

void mask_settings(std::vector<JsonSetting>& settings, const Masker& masker) {
  for (JsonSetting& setting : settings) setting.json = mask_json(setting.json, masker);
}

}  // namespace

void take_secrets_out(App& app, NewTask& task) {
  const Masker masker = masker_of_process(app);
  for (std::string* text : {&task.subject, &task.description, &task.active_form, &task.owner})
    *text = masker.mask_shown(*text);
  mask_settings(task.metadata, masker);
}

void take_secrets_out(App& app, TaskChange& change) {
  const Masker masker = masker_of_process(app);
  for (std::optional<std::string>* text :
       {&change.subject, &change.description, &change.active_form, &change.owner})
    if (*text) **text = masker.mask_shown(**text);
  mask_settings(change.metadata, masker);
}

}  // namespace reprise
