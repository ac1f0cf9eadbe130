#include "executor/attempt.h"

#include <algorithm>

#include "base/mask.h"
#include "base/strings.h"
#include "executor/brief.h"
#include "executor/event_secrets.h"
#include "executor/gaps.h"
#include "executor/tasks.h"
#include "formats/playbook_checks.h"
#include "guard/supervised.h"
#include "model/limits.h"
#include "os/file_system.h"
#include "os/process.h"
#include "planner/planner.h"

namespace reprise {
namespace {

constexpr Duration kCheckTimeout{120'000};

std::string exit_reason(const ExitRecord& record, const std::vector<std::string>& lines) {
  std::string reason = record.exit_code ? "exit " + std::to_string(*record.exit_code)
                                        : "ended by signal " + std::to_string(record.signal);
  if (!lines.empty()) reason += ": " + printable_line(lines.back(), 300);
  return reason;
}

}  // namespace

bool lies_beneath(const std::string& path) {
  if (path.empty() || path[0] == '/') return false;
  return std::ranges::none_of(split(path, '/'), [](std::string_view part) { return part == ".."; });
}

// ---- before

const Worker* Attempts::worker_of(const Stage& stage) const {
  return stage.role.empty() ? nullptr : setup_.config.worker_for(stage.role);
}

// A task that was completed and is in doubt is for whoever verifies; if that fails, for whoever does it (TP-19).
const Worker* Attempts::worker_of(const Graph& graph, int leaf, const RunState& state) const {
  const std::string role = role_of(graph, leaf, state);
  return role.empty() ? nullptr : setup_.config.worker_for(role);
}

std::string Attempts::role_of(const Graph& graph, int leaf, const RunState& state) const {
  const Stage& stage = *graph.node(leaf).stage;
  const StepState* step = state.find_step(graph.node(leaf).path);
  const bool is_verified = step != nullptr && graph.task_of(leaf, state) != nullptr && is_cut_off(*step) &&
                           step->reason->find(kVerifyFirst) != std::string::npos;
  return is_verified && setup_.config.worker_for("verify") != nullptr ? "verify" : stage.role;
}

int Attempts::retries_of(const Stage& stage) const {
  const Worker* worker = worker_of(stage);
  return stage.retries == 0 && worker != nullptr && worker->retries ? *worker->retries : stage.retries;
}

std::vector<std::string> Attempts::variables_of(const Stage& stage) const {
  std::vector<std::string> named = stage.env;
  if (const Worker* worker = worker_of(stage)) named.insert(named.end(), worker->env.begin(), worker->env.end());
  return named;
}

std::vector<std::string> Attempts::argv_of(const Graph& graph, int leaf, const Command& command) const {
  // A shell line is its author's own: values reach it as variables, never as text.
  if (!command.line.empty()) return {"/bin/sh", "-c", command.line};
  std::vector<std::string> argv;
  for (const std::string& word : command.argv) argv.push_back(graph.resolve(leaf, word));
  return argv;
}

Environment Attempts::environment_of(const Graph& graph, int leaf, const RunState& state,
                                     std::int64_t attempt) const {
  const Graph::Node& node = graph.node(leaf);
  Environment environment = worker_environment(setup_.environment, variables_of(*node.stage));
  for (const auto& [name, value] : node.values->all()) {
    if (!is_loader_variable(name)) environment[name] = value;
  }
  environment["REPRISE_RUN"] = state.id.text;
  environment["REPRISE_STAGE"] = node.stage->name;
  environment["REPRISE_STEP"] = node.path.text;
  environment["REPRISE_ATTEMPT"] = std::to_string(attempt);
  const LaneState* lane = graph.lane_of(leaf);
  environment["REPRISE_LANE"] = lane == nullptr ? "-" : lane->name;
  environment["REPRISE_KEY"] = state.key + ":" + node.path.text;
  return environment;
}

std::string Attempts::command_of(const Graph& graph, int leaf) const {
  const Stage& stage = *graph.node(leaf).stage;
  const Worker* worker = worker_of(stage);
  const Command& command = worker != nullptr ? worker->command : stage.command;
  return masker().mask(command.line.empty() ? shell_command(argv_of(graph, leaf, command)) : command.line);
}

// A command that can have nothing to read gets no files: a system program with plain words, on its first
// attempt, without inputs and products (docs/decisions/0003-lazy-attempt-files.md).
bool Attempts::needs_brief(const Graph& graph, int leaf, std::int64_t attempt) {
  const Stage& stage = *graph.node(leaf).stage;
  if (!stage.role.empty() || !stage.command.line.empty() || attempt > 1) return true;
  if (!stage.inputs.empty() || !stage.produces.empty() || graph.node(leaf).iteration > 0) return true;
  for (const std::string& word : stage.command.argv) {
    if (word.find("REPRISE_") != std::string::npos) return true;
    const std::filesystem::path path = folder_of(graph, leaf) / word;  // an absolute word stays as it is
    const bool inside = path.string().starts_with(setup_.project.string() + "/");
    if (inside && (word.find('/') != std::string::npos || word.find('.') != std::string::npos)) return true;
    if (inside && &word != &stage.command.argv.front() && files_.stat(path).value_or(std::nullopt)) return true;
  }
  return false;
}

std::filesystem::path Attempts::folder_of(const Graph& graph, int leaf) const {
  const LaneState* lane = graph.lane_of(leaf);
  return lane == nullptr ? setup_.project : setup_.project / lane->folder;
}

// Returns a path of the project as the worker sees it.
std::string Attempts::from_inside(const Graph& graph, int leaf, const std::string& path) {
  const LaneState* lane = graph.lane_of(leaf);
  const std::string folder = lane == nullptr ? "" : lane->folder + "/";
  return path.starts_with(folder) ? path.substr(folder.size()) : path;
}

Result<std::vector<SeenFile>> Attempts::look_at_inputs(const Graph& graph, int leaf, const StepState* step) {
  std::vector<SeenFile> seen;
  for (const std::string& path : graph.node(leaf).stage->inputs) {
    const std::string resolved = graph.resolve_path(leaf, path);
    const SeenFile* known = nullptr;
    if (step != nullptr) {
      const auto found = std::ranges::find(step->inputs, resolved, &SeenFile::path);
      if (found != step->inputs.end()) known = &*found;
    }
    seen.push_back(TRY(collector_.look(resolved, known)));
  }
  return seen;
}

Result<std::vector<SeenFile>> Attempts::look_at(const std::vector<SeenFile>& files) {
  std::vector<SeenFile> seen;
  for (const SeenFile& file : files) seen.push_back(TRY(collector_.look(file.path, &file)));
  return seen;
}

Result<std::vector<SeenFile>> Attempts::look_at_shown(const Graph& graph, int leaf) {
  std::vector<SeenFile> seen;
  for (const std::string& path : graph.node(leaf).stage->gate->shows) {
    seen.push_back(TRY(collector_.look(graph.resolve_path(leaf, path), nullptr)));
  }
  return seen;
}

// What lies where an attempt is about to begin is of a session that was cut off before it recorded the attempt, or
// of a journal that was put back since. No worker may read it, and no result may be taken from it.
Result<void> Attempts::clear(const std::filesystem::path& directory) {
  if (!TRY(files_.stat(directory))) return {};
  Result<void> cleared = files_.remove_below(setup_.store, directory.lexically_relative(setup_.store));
  if (cleared || cleared.error().kind != ErrorKind::Denied) return cleared;
  // Somebody keeps the attempts elsewhere, through a link: nothing but our own file is removed there.
  return files_.remove(directory / "result.json");
}

Result<PreparedAttempt> Attempts::prepare(const Graph& graph, int leaf, const RunState& state) {
  const Graph::Node& node = graph.node(leaf);
  const Stage& stage = *node.stage;
  const StepState* step = state.find_step(node.path);
  PreparedAttempt prepared;
  prepared.event.step = node.path;
  prepared.event.attempt.value = (step == nullptr ? 0 : step->attempts) + 1;
  prepared.event.work = work_digest(stage);
  prepared.event.inputs = TRY(look_at_inputs(graph, leaf, step));
  for (const Product& product : stage.produces) {
    if (product.complete.is_declared()) {
      prepared.event.before.push_back(TRY(collector_.look(graph.resolve_path(leaf, product.path), nullptr)));
    }
  }
  const std::int64_t attempt = prepared.event.attempt.value;
  const std::filesystem::path directory = attempt_directory(setup_.store, state, node.path, attempt);
  TRY_VOID(clear(directory));
  Environment environment = environment_of(graph, leaf, state, attempt);
  if (needs_brief(graph, leaf, attempt)) {
    TRY_VOID(write_brief(graph, leaf, state, prepared.event));
    environment["REPRISE_BRIEF"] = (directory / "brief.md").string();
    environment["REPRISE_CONTEXT"] = (directory / "context.json").string();
    environment["REPRISE_RESULT"] = (directory / "result.json").string();
  }
  const Worker* worker = worker_of(graph, leaf, state);
  WorkerSpec& spec = prepared.spec;
  spec.attempt = attempt_name(node.path, attempt);
  spec.argv = argv_of(graph, leaf, worker != nullptr ? worker->command : stage.command);
  spec.environment = to_entries(environment);
  spec.directory = folder_of(graph, leaf).string();
  spec.stdout_path = (directory / "stdout").string();
  spec.stderr_path = (directory / "stderr").string();
  spec.result_path = (directory / "result.json").string();
  spec.result_bytes_max = static_cast<std::int64_t>(kResultBytesMax);
  const std::int64_t output_mb = setup_.config.limits.output_mb;
  spec.output_bytes_max = output_mb > 0 ? output_mb << 20 : kOutputBytesDefault;
  const std::optional<Duration> timeout = stage.timeout       ? stage.timeout
                                          : worker != nullptr ? worker->timeout
                                                              : std::nullopt;
  spec.timeout_ms = timeout ? timeout->count() : 0;
  spec.grace_ms = kStopGrace.count();
  spec.secrets = secrets();
  return prepared;
}

// ---- after

std::vector<std::string> Attempts::last_lines_of(const std::filesystem::path& file) {
  constexpr std::int64_t kTailBytes = 16 << 10;
  const std::optional<FileInfo> info = files_.stat(file).value_or(std::nullopt);
  if (!info) return {};
  const std::string tail =
      files_.read_part(file, std::max<std::int64_t>(0, info->size - kTailBytes), kTailBytes).value_or("");
  std::vector<std::string> lines;
  for (const std::string_view line : split(tail, '\n')) {
    if (!trim(line).empty()) lines.push_back(printable_line(line, kFailureLineBytesMax));
  }
  if (lines.size() > kFailureLinesMax)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kFailureLinesMax));
  return lines;
}

// Of both outputs: many programs report failures on one and warnings on the other. Standard error comes last, its
// end is the reason that people are told.
std::vector<std::string> Attempts::last_lines(const ExitRecord& record, const std::filesystem::path& directory) {
  std::vector<std::string> lines;
  if (record.stdout_bytes > 0) lines = last_lines_of(directory / "stdout");
  if (record.stderr_bytes == 0) return lines;
  for (std::string& line : last_lines_of(directory / "stderr")) lines.push_back(std::move(line));
  return lines;
}

Result<std::string> Attempts::product_fault(const std::string& path, const CompleteCheck& check) {
  std::string fault = TRY(collector_.product_fault(path, check));
  if (!fault.empty() || !check.constitution) return fault;
  const ConstitutionVerdict verdict =
      constitution_check(TRY(files_.read(setup_.project / path, kDocumentBytesMax)));
  return verdict.completed ? "" : path + ": " + verdict.reason;
}

Result<std::string> Attempts::first_product_fault(const Graph& graph, int leaf) {
  for (const Product& product : graph.node(leaf).stage->produces) {
    const std::string path = graph.resolve_path(leaf, product.path);
    const std::string fault = TRY(product_fault(path, product.complete));
    if (!fault.empty()) return fault;
    if (product.complete.run.empty()) continue;
    CaptureRequest request{.argv = {},
                           .environment = to_entries(command_environment(setup_.environment)),
                           .directory = folder_of(graph, leaf).string(),
                           .input = "",
                           .timeout = kCheckTimeout};
    for (const std::string& word : product.complete.run) request.argv.push_back(graph.resolve(leaf, word));
    const Captured captured = TRY(run_supervised(setup_.program, request));
    if (captured.exit_code == 0) continue;
    // Quoted, a secret would be another text.
    for (std::string& word : request.argv) word = masker().mask(word);
    return path + " is not accepted by " + shell_command(request.argv);
  }
  return std::string();
}

Result<void> Attempts::record_artifacts(const Graph& graph, int leaf, const WorkerResult* result,
                                        AttemptFinished& event) {
  std::vector<std::string> paths;
  for (const Product& product : graph.node(leaf).stage->produces)
    paths.push_back(graph.resolve_path(leaf, product.path));
  if (result != nullptr) {
    for (const std::string& named : result->artifacts) {
      if (!lies_beneath(named)) continue;
      const LaneState* lane = graph.lane_of(leaf);
      const std::string path = lane == nullptr ? named : lane->folder + "/" + named;
      if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
    }
  }
  for (const std::string& path : paths) {
    SeenFile seen = TRY(collector_.read(path, nullptr));
    if (!seen.digest.empty()) event.artifacts.push_back(std::move(seen));
  }
  return {};
}

Result<void> Attempts::take_result(const WorkerResult& result, const ExitRecord& record, ConcludedAttempt& out) {
  AttemptFinished& event = out.event;
  event.summary = result.summary;
  event.verdict = result.verdict;
  event.cost_usd = result.cost_usd;
  event.tokens = result.tokens;
  for (const WorkerResult::Gap& gap : result.gaps) event.result += gap.id + ' ' + gap.priority + '\n';
  if (result.status == WorkerResult::Status::NeedsHuman) {
    event.outcome = AttemptOutcome::NeedsHuman;
    event.reason = result.summary.empty() ? "it asks a person" : result.summary;
    for (const WorkerResult::Question& question : result.questions) {
      out.more.push_back(QuestionAsked{question.id, event.step, question.text, question.options, question.gaps});
    }
    if (result.questions.empty()) out.more.push_back(GateOpened{event.step, event.reason, {}});
    return {};
  }
  if (result.retry_at || record.exit_code == 75) {
    event.outcome = AttemptOutcome::Later;
    event.retry_at = result.retry_at;
    event.reason = result.summary.empty() ? "it asks to be tried again later" : result.summary;
  } else if (result.status == WorkerResult::Status::Failed) {
    event.outcome = AttemptOutcome::Failed;
    event.reason = result.summary.empty() ? "its result says failed" : result.summary;
  } else if (record.exit_code != 0) {
    event.outcome = AttemptOutcome::Failed;  // what was seen outranks what was said
    event.reason = "its result says done, but it ended with " + exit_reason(record, {});
  }
  return {};
}

const std::vector<std::string>& Attempts::secrets() const {
  if (!secrets_) secrets_ = secret_values(setup_.environment, named_variables(setup_.config, workflow_.stages));
  return *secrets_;
}

const Masker& Attempts::masker() const {
  if (!masker_) masker_.emplace(secrets());
  return *masker_;
}

Result<bool> Attempts::take_secrets_out(const RunState& state, const StepPath& step) {
  const std::filesystem::path result =
      attempt_directory(setup_.store, state, step, state.find_step(step)->attempts) / "result.json";
  if (!TRY(files_.stat(result))) return false;
  TRY_VOID(files_.remove(result));
  return true;
}

void Attempts::take_secrets_out(TaskChanged& task) const {
  Event event = std::move(task);
  take_secrets_out(event);
  task = std::move(std::get<TaskChanged>(event));
}

void Attempts::take_secrets_out(Event& event) const { reprise::take_secrets_out(event, masker()); }

Result<void> Attempts::read_outcome(const Graph& graph, int leaf, const ExitRecord& record,
                                    const std::filesystem::path& directory, const ResultFile& file,
                                    ConcludedAttempt& out) {
  AttemptFinished& event = out.event;
  if (!record.start_error.empty()) {
    // The machine's shortage is not the step's failure, and costs it no retry.
    event.outcome = record.is_shortage ? AttemptOutcome::Later : AttemptOutcome::Failed;
    event.reason = record.start_error;
    return {};
  }
  const std::vector<std::string> lines =
      record.exit_code == 0 ? std::vector<std::string>() : last_lines(record, directory);
  event.last_lines = lines;
  if (record.timed_out || record.stopped) {
    event.outcome = record.timed_out ? AttemptOutcome::TimedOut : AttemptOutcome::Stopped;
    event.reason = record.timed_out ? "it ran longer than its timeout and was ended" : "it was stopped";
    return {};
  }
  std::optional<WorkerResult> result;
  if (file.text) {
    Result<WorkerResult> parsed = parse_worker_result(*file.text);
    if (!parsed) {
      event.outcome = AttemptOutcome::Failed;
      event.reason = (directory / "result.json").string() + ": " + parsed.error().message;
      return {};
    }
    result = std::move(*parsed);
    TRY_VOID(take_result(*result, record, out));
  } else if (!file.fault.empty()) {
    event.outcome = AttemptOutcome::Failed;
    event.reason = "its result cannot be read: " + file.fault;
    return {};
  } else if (record.exit_code == 75) {
    event.outcome = AttemptOutcome::Later;
    event.reason = "it asks to be tried again later (" + exit_reason(record, lines) + ")";
  } else if (record.exit_code != 0) {
    event.outcome = AttemptOutcome::Failed;
    event.reason = exit_reason(record, lines);
  }
  if (event.outcome != AttemptOutcome::Done) return {};
  if (record.left_result && !file.text) {
    // It may have said anything but "done".
    event.outcome = AttemptOutcome::Failed;
    event.reason = "the result that it left is missing: " + (directory / "result.json").string();
    return {};
  }
  if (const std::string fault = TRY(first_product_fault(graph, leaf)); !fault.empty()) {
    event.outcome = AttemptOutcome::Failed;
    event.reason = "it ended well, but " + fault;
    return {};
  }
  const Stage& stage = *graph.node(leaf).stage;
  if (const std::string fault = stage.finds_gaps ? "" : graph.check_verdict(leaf, event.verdict); !fault.empty()) {
    event.outcome = AttemptOutcome::Failed;
    event.reason = fault;
    return {};
  }
  if (result && !result->tasks.empty()) out.tasks = *result;
  if (stage.finds_gaps) out.gaps = result ? *result : WorkerResult{};
  return record_artifacts(graph, leaf, result ? &*result : nullptr, event);
}

Result<ConcludedAttempt> Attempts::conclude(const Graph& graph, int leaf, const RunState& state,
                                            const ExitRecord& record) {
  ConcludedAttempt out;
  out.event.step = graph.node(leaf).path;
  out.event.attempt.value = state.find_step(out.event.step)->attempts;
  out.event.exit_code = record.exit_code;
  out.event.signal = record.signal;
  out.event.took = Duration(record.duration_ms);
  const std::filesystem::path directory =
      attempt_directory(setup_.store, state, out.event.step, out.event.attempt.value);
  const ResultFile result = TRY(mask_result_file(files_, directory / "result.json", kResultBytesMax, masker()));
  const Result<void> read = read_outcome(graph, leaf, record, directory, result, out);
  if (!read && ends_work(read.error().kind)) return fail(read.error());
  if (!read) {
    // The worker left something that cannot be recorded: that is a failure of this attempt, not of the session.
    out.event.outcome = AttemptOutcome::Failed;
    out.event.reason = "it ended well, but " + read.error().message;
    out.event.artifacts.clear();
    out.more.clear();
    out.gaps.reset();
    out.tasks.reset();
  }
  if (out.gaps) {
    out.event.verdict = verdict_on(*out.gaps);
    for (Event& event : events_of_gaps(*out.gaps, out.event.step, state)) out.more.push_back(std::move(event));
  }
  if (out.tasks) {
    for (Event& event : events_of_tasks(*out.tasks, out.event.step, state, "step " + out.event.step.text))
      out.more.push_back(std::move(event));
  }
  if (out.event.reason.empty() && out.event.summary.empty() && out.event.last_lines.empty()) return out;
  out.event.reason = masker().mask_shown(out.event.reason).substr(0, kMessageBytesMax);
  out.event.summary = masker().mask_shown(out.event.summary).substr(0, kMessageBytesMax);
  for (std::string& line : out.event.last_lines) line = masker().mask(line);
  return out;
}

Result<ProductsSeen> Attempts::products_of_cut_off(const Graph& graph, int leaf, const StepState& step) {
  ProductsSeen seen{.declared = false, .complete = false, .explanation = ""};
  const std::vector<Product>& products = graph.node(leaf).stage->produces;
  if (products.empty()) return seen;
  seen.declared = true;
  for (const Product& product : products) {
    // A check that executes something proves nothing while nothing may be executed.
    if (!product.complete.is_declared() || !product.complete.run.empty()) {
      seen.declared = false;
      return seen;
    }
    const std::string path = graph.resolve_path(leaf, product.path);
    seen.explanation = TRY(product_fault(path, product.complete));
    if (!seen.explanation.empty()) return seen;
    const auto before = std::ranges::find(step.before, path, &SeenFile::path);
    const SeenFile now = TRY(collector_.look(path, nullptr));
    if (before == step.before.end() || before->digest == now.digest) {
      seen.explanation = path + " was there before the attempt and is unchanged";
      return seen;
    }
  }
  seen.complete = true;
  seen.explanation = "every product passes its declared check";
  return seen;
}

Result<bool> Attempts::verify(const Graph& graph, int leaf, const RunState& state) {
  const Graph::Node& node = graph.node(leaf);
  const StepState* step = state.find_step(node.path);
  CaptureRequest request{
      .argv = argv_of(graph, leaf, *node.stage->verify),
      .environment = to_entries(environment_of(graph, leaf, state, step == nullptr ? 0 : step->attempts)),
      .directory = folder_of(graph, leaf).string(),
      .input = "",
      .timeout = node.stage->timeout};
  if (!request.timeout) request.timeout = kCheckTimeout;
  return TRY(run_supervised(setup_.program, request)).exit_code == 0;
}

}  // namespace reprise
