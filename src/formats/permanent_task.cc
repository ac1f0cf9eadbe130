#include "formats/permanent_task.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/strings.h"
#include "formats/permanent_task_description.h"
#include "formats/problem.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "formats/task_file.h"
#include "formats/task_metadata.h"
#include "formats/task_phase_words.h"

namespace reprise {
namespace {

constexpr long long kResumesMax = 1'000'000;

// The metadata's value under any spelling of these names; "" if there is none.
std::string metadata_text(const TaskClaim& task, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (const auto& [key, value] : task.metadata) {
      if (normal_key(key) == name && !is_nothing(value)) return value;
    }
  }
  return "";
}

// The same where it is a list, or one value.
std::vector<std::string> metadata_texts(const TaskClaim& task, std::initializer_list<std::string_view> names) {
  const std::string text = metadata_text(task, names);
  if (text.starts_with('[')) {
    if (const Result<JsonNode> node = read_json_value(text, 0, {})) return json_as_texts(text, *node);
  }
  return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
}

bool is_duplicate(const TaskClaim& task) { return normal_key(task.reason).starts_with("duplicate"); }

// How much a permanent task says of what a resume needs.
int completeness(const TaskClaim& task) {
  int count = task.description.empty() ? 0 : 1;
  for (const std::string_view name : {"current_phase", "tier", "phase_signals", "branch", "references"})
    count += metadata_text(task, {name}).empty() ? 0 : 1;
  return count;
}

// Compares greater for the one that counts.
bool counts_less(const TaskClaim* a, const TaskClaim* b) {
  const auto rank = [](const TaskClaim& task) {
    return std::tuple(!is_duplicate(task), task.status != TaskStatus::Completed, completeness(task),
                      task.file_time);
  };
  if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
  return comes_before(a->id, b->id);
}

// Fills in a permanent task from its claim.
class PermanentTaskReader {
 public:
  PermanentTaskReader(const TaskClaim& task, const std::vector<TaskClaim>& all, std::vector<Oddity>& oddities)
      : task_(task), description_(read_permanent_description(task.description)), oddities_(oddities) {
    read_names();
    read_tier();
    read_phases();
    read_current_phase(all);
    read_delivery();
  }
  PermanentTask take() { return std::move(found_); }

 private:
  void odd(std::string why) { add_oddity(oddities_, 0, task_.file, std::move(why)); }

  static std::string first_of(const std::string& a, const std::string& b) { return a.empty() ? b : a; }

  void read_names() {
    found_.id = task_.id;
    found_.feature = behind_permanent_prefix(task_.subject).value_or(task_.subject);
    found_.description = task_.description;
    found_.branch =
        first_of(plain_value(metadata_text(task_, {"branch", "git_branch", "branch_name"})), description_.branch);
    found_.repository =
        first_of(plain_value(metadata_text(task_, {"repository", "repo", "project_path", "project", "cwd"})),
                 description_.repository);
    found_.references = metadata_texts(task_, {"references"});
    found_.directives = metadata_texts(task_, {"user_directives", "directives"});
    found_.decisions = metadata_texts(task_, {"decisions", "key_decisions", "architecture_decisions"});
    if (found_.decisions.empty()) found_.decisions = description_.decisions;
    found_.commits = task_.commits;
    for (std::string& commit : metadata_texts(task_, {"expected_commits"})) found_.commits.push_back(commit);
    read_commit_phases(metadata_text(task_, {"commits"}));
    found_.is_rebuilt = !metadata_text(task_, {"rebuilt_from"}).empty();
    const std::string count = metadata_text(task_, {"resume_count"});
    const std::optional<long long> resumes = parse_number(trim(count), kResumesMax);
    if (!count.empty() && !resumes) odd(quoted(count) + " is no number of resumes");
    found_.resume_count = resumes.value_or(0);
  }

  // {"p3": "1a2b3c4", "p6": ["5d6e7f8"]}
  void read_commit_phases(const std::string& text) {
    const Result<JsonNode> node = read_json_value(text, 0, {});
    if (!text.starts_with('{') || !node) return;
    for (const JsonMember& member : node->members) {
      const std::optional<TaskPhase> phase = read_task_phase(member.key);
      if (!phase) continue;
      for (const std::string& commit : json_as_texts(text, member.value)) found_.commit_phases[commit] = *phase;
    }
  }

  void read_tier() {
    const std::string word = first_of(metadata_text(task_, {"tier", "pipeline_tier"}), description_.tier);
    found_.tier = read_task_tier(word);
    if (found_.tier || word.empty()) return;
    found_.tier_word = word;
    odd(quoted(word) + " is no tier; there are TRIVIAL, STANDARD and COMPLEX");
  }

  void read_phases() {
    read_signals(metadata_text(task_, {"phase_signals"}));
    if (!found_.phases.empty()) return;
    found_.phases = description_.phases;
    is_described_ = true;
    if (description_.names_older_phase)
      odd("its description names phases beyond P8, of an older pipeline; they are left out");
    for (const TaskPhase phase : description_.contradicted)
      odd("its description says two things of " + std::string(to_token(phase)) + "; the less finished one counts");
  }

  void read_signals(const std::string& text) {
    if (text.empty()) return;
    const Result<JsonNode> node = read_json_value(text, 0, {});
    if (!node || node->kind != JsonKind::Object) return odd("the phase signals are not an object");
    std::map<TaskPhase, ClaimedPhase> phases;
    for (const JsonMember& member : node->members) {
      const std::string value = json_as_text(text, member.value);
      const std::optional<TaskPhase> phase = read_task_phase(member.key);
      if (!phase) {
        odd("the signal " + quoted(member.key) + " is for no phase from P0 to P8");
        continue;
      }
      const std::optional<PhaseSignal> signal = read_phase_signal(value.substr(0, value.find('|')));
      if (!signal)
        odd("the signal of " + std::string(to_token(*phase)) + ", " + quoted(value) + ", has no known status");
      phases[*phase] = {*phase, signal.value_or(PhaseSignal::Unknown), value};
    }
    for (const auto& [phase, claimed] : phases) found_.phases.push_back(claimed);
  }

  void read_current_phase(const std::vector<TaskClaim>& all) {
    const TaskTier tier = found_.tier.value_or(TaskTier::Complex);
    const std::string word = metadata_text(task_, {"current_phase"});
    if (take_phase(read_task_phase(word), PhaseSource::Metadata)) return;
    if (!word.empty()) odd("the current phase " + quoted(word) + " is none from P0 to P8");
    if (take_phase(phase_reached(found_.phases, tier),
                   is_described_ ? PhaseSource::Description : PhaseSource::Signals))
      return;
    // Signals may be there and say nothing.
    if (!is_described_ && take_phase(phase_reached(description_.phases, tier), PhaseSource::Description)) return;
    take_phase(phase_reached(phases_of_work(all), tier), PhaseSource::WorkTasks);
  }
  bool take_phase(std::optional<TaskPhase> phase, PhaseSource source) {
    if (!phase) return false;
    found_.current_phase = phase;
    found_.source = source;
    return true;
  }

  void read_delivery() {
    const std::string commit = leading_token(metadata_text(task_, {"commit_status"}));
    found_.is_delivered = task_.status == TaskStatus::Completed && commit == "committed";
    const std::array<std::string, 4> words = {normal_key(task_.status_word), commit,
                                              leading_token(metadata_text(task_, {"status", "pt_status"})),
                                              leading_token(description_.status)};
    if (std::ranges::find(words, "delivered") != words.end()) found_.is_delivered = true;
  }

  const TaskClaim& task_;
  PermanentDescription description_;
  std::vector<Oddity>& oddities_;
  PermanentTask found_;
  bool is_described_ = false;
};

}  // namespace

std::optional<PermanentTask> find_permanent_task(const std::vector<TaskClaim>& tasks,
                                                 std::vector<Oddity>& oddities) {
  std::vector<const TaskClaim*> found;
  for (const TaskClaim& task : tasks) {
    if (task.is_permanent && !task.is_damaged) found.push_back(&task);
  }
  if (found.empty()) return std::nullopt;
  const TaskClaim* chosen = *std::ranges::max_element(found, counts_less);
  PermanentTask permanent = PermanentTaskReader(*chosen, tasks, oddities).take();
  for (const TaskClaim* other : found) {
    if (other == chosen) continue;
    permanent.duplicates.push_back(other->id);
    if (is_duplicate(*other)) continue;
    add_oddity(oddities, 0, other->file,
               "task " + quoted(other->id) + " is permanent too; task " + quoted(chosen->id) + " counts");
  }
  if (is_duplicate(*chosen))
    add_oddity(oddities, 0, chosen->file, "the only permanent task is marked as a duplicate");
  return permanent;
}

std::optional<TaskPhase> phase_reached(const std::vector<ClaimedPhase>& phases, TaskTier tier) {
  std::optional<TaskPhase> passed;
  for (const ClaimedPhase& each : phases) {
    if (!is_on_path(tier, each.phase) || each.signal == PhaseSignal::Unknown) continue;
    if (each.signal != PhaseSignal::Passed) return each.phase;
    passed = each.phase;
  }
  if (!passed) return std::nullopt;
  for (const TaskPhase phase : phases_of(tier)) {
    if (phase > *passed) return phase;
  }
  return passed;
}

std::vector<ClaimedPhase> phases_of_work(const std::vector<TaskClaim>& tasks) {
  std::map<TaskPhase, ClaimedPhase> phases;
  for (const TaskClaim& task : tasks) {
    if (task.is_permanent || task.is_internal || task.is_damaged || !task.phase) continue;
    const bool is_done = task.status == TaskStatus::Completed;
    ClaimedPhase& phase =
        phases.try_emplace(*task.phase, ClaimedPhase{*task.phase, PhaseSignal::Passed, ""}).first->second;
    if (is_done || phase.signal == PhaseSignal::Failed) continue;
    phase.signal = task.status == TaskStatus::Failed    ? PhaseSignal::Failed
                   : task.status == TaskStatus::Pending ? PhaseSignal::Pending
                                                        : PhaseSignal::Partial;
    phase.text = task.status_word;
  }
  std::vector<ClaimedPhase> found;
  for (auto& [phase, claimed] : phases) found.push_back(std::move(claimed));
  return found;
}

}  // namespace reprise
