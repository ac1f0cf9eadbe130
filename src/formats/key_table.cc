#include "formats/key_table.h"

#include <algorithm>

#include "model/limits.h"

namespace reprise {
namespace {

constexpr std::int64_t kOutputMegabytesMax = 1 << 20;
constexpr std::int64_t kCheckboxesMax = 1'000'000;

constexpr std::array kKeys = std::to_array<KeySpec>({
    KeySpec{Level::Workflow, "name", Shape::Name, "The workflow's name. Without one, the file's name."},
    KeySpec{Level::Workflow, "description", Shape::Value, "One sentence for people."},
    KeySpec{Level::Workflow, "limits", Shape::Object, "What a run may use."}.of(Level::Limits),
    KeySpec{Level::Workflow, "policy", Shape::Object, "What is decided otherwise than usual."}.of(Level::Policy),
    KeySpec{Level::Workflow, "inputs", Shape::Inputs,
            "Values that a run is started with: a default, or default and description."},
    KeySpec{Level::Workflow, "baseline", Shape::Texts, "Files that must not change during a run."},
    KeySpec{Level::Workflow, "stages", Shape::Stages, "The stages by name."}.must_be_there(),

    KeySpec{Level::Limits, "parallel", Shape::Whole, "How many steps run at the same time."}.from_to(1,
                                                                                                     kParallelMax),
    KeySpec{Level::Limits, "output_mb", Shape::Whole, "How many MiB of a worker's output are kept."}.from_to(
        1, kOutputMegabytesMax),
    KeySpec{Level::Limits, "cost_usd", Shape::Amount,
            "What the workers of a run may cost; then a person is asked."},

    KeySpec{Level::Policy, "approvals_hold", Shape::Flag,
            "An approval is never asked again; a change of what it was given for is a warning."},
    KeySpec{Level::Policy, "outdated_asks", Shape::Flag,
            "A finished step whose surroundings came out differently: a person decides whether it runs again."},
    KeySpec{Level::Policy, "failure_asks", Shape::Flag,
            "A step that failed for good waits for a person instead of ending the run."},

    KeySpec{Level::Input, "default", Shape::Value,
            "The value if none is given. Without a default the value must be given."},
    KeySpec{Level::Input, "description", Shape::Value, "One sentence for people."},

    KeySpec{Level::Stage, "run", Shape::Command, "The command: one string is a shell line, a list is an argv."}
        .only_in(kRunStage),
    KeySpec{Level::Stage, "role", Shape::Text, "Which worker does it; the configuration says who that is."}
        .only_in(kRoleStage),
    KeySpec{Level::Stage, "prompt", Shape::Text, "What the worker is told."}.only_in(kRoleStage),
    KeySpec{Level::Stage, "needs", Shape::Texts, "Stages of the same block that must be done before."},
    KeySpec{Level::Stage, "when", Shape::When,
            "Conditions on inputs and verdicts; where one does not hold the stage is skipped."},
    KeySpec{Level::Stage, "inputs", Shape::Texts, "Files whose change makes the finished stage outdated."}.only_in(
        kWork),
    KeySpec{Level::Stage, "context", Shape::Texts,
            "Files that the worker is pointed at, where they are there. Their change does not matter."}
        .only_in(kRoleStage),
    KeySpec{Level::Stage, "required", Shape::Flag, "Nobody may skip it."}.only_in(kWork),
    KeySpec{
        Level::Stage, "finds_gaps", Shape::Flag,
        "Its result lists gaps. Without a verdict of its own: complete if none is left that matters, else gaps."}
        .only_in(kWork),
    KeySpec{Level::Stage, "takes_answers", Shape::Flag,
            "It starts when every question of the run is answered, and is given the answers."}
        .only_in(kWork),
    KeySpec{Level::Stage, "produces", Shape::Products,
            "Files or folders that must be there when the stage is done."}
        .only_in(kWork),
    KeySpec{Level::Stage, "baseline", Shape::Texts, "Files that must not change during the run."},
    KeySpec{Level::Stage, "verify", Shape::Command, "A command that re-checks an outdated stage: exit 0 keeps it."}
        .only_in(kWork),
    KeySpec{Level::Stage, "retries", Shape::Whole, "Further attempts after the first."}
        .from_to(0, kRetriesMax)
        .only_in(kWork),
    KeySpec{Level::Stage, "retry_from", Shape::Name,
            "A stage that this one needs: a further attempt starts there, which is told why this one failed."}
        .only_in(kWork),
    KeySpec{Level::Stage, "delay", Shape::Time, "Wait before a retry. Without it 1 s, doubling to 60 s."}.only_in(
        kWork),
    KeySpec{Level::Stage, "patience", Shape::Time, "How long \"try again later\" is accepted."}.only_in(kWork),
    KeySpec{Level::Stage, "timeout", Shape::Time, "After this an attempt is stopped."}.only_in(kWork),
    KeySpec{Level::Stage, "resume", Shape::ResumeRule, "What happens to a stage that was cut off."}.only_in(kWork),
    KeySpec{Level::Stage, "gate", Shape::GateOrText, "A person decides: the question, and what they are shown."}
        .only_in(kGateStage),
    KeySpec{Level::Stage, "each", Shape::Object, "The stage, or its whole block, once per item."}.of(Level::Each),
    KeySpec{Level::Stage, "lane", Shape::Object, "A git worktree and branch of its own."}
        .of(Level::Lane)
        .only_in(kNoGate),
    KeySpec{Level::Stage, "repeat", Shape::Object, "The stage, or its whole block, until a verdict is given."}
        .of(Level::Repeat)
        .only_in(kNoGate),
    KeySpec{Level::Stage, "stages", Shape::Stages, "A block: stages by name."}.only_in(kBlockStage),
    KeySpec{Level::Stage, "uses", Shape::Name, "Another workflow as a block."}.only_in(kUsesStage),
    KeySpec{Level::Stage, "with", Shape::Values, "Values for the inputs of the used workflow."}.only_in(
        kUsesStage),
    KeySpec{Level::Stage, "publish", Shape::PublishRule,
            "What happens to the lane's branch when all in it is done. Only with lane."}
        .only_in(kNoGate),
    KeySpec{Level::Stage, "env", Shape::Texts, "Names of environment variables that the worker also gets."}
        .only_in(kWork),

    KeySpec{Level::Product, "path", Shape::Text, "The file or folder, relative to the worker's directory."}
        .must_be_there(),
    KeySpec{Level::Product, "complete", Shape::Object, "What it means that the file looks complete."}.of(
        Level::Complete),

    KeySpec{Level::Complete, "not_empty", Shape::Always, "It is not empty. Always checked."},
    KeySpec{Level::Complete, "heading", Shape::Text, "It has a heading with this text."},
    KeySpec{Level::Complete, "table", Shape::Text,
            "It has a table below the heading with this text, and every cell is filled."},
    KeySpec{Level::Complete, "checkboxes", Shape::Whole, "It has at least this many checkbox items."}.from_to(
        1, kCheckboxesMax),
    KeySpec{Level::Complete, "no_placeholders", Shape::Flag,
            "No TODO, TBD, {{…}}, <…> on a line of its own, [NEEDS CLARIFICATION]."},
    KeySpec{Level::Complete, "matches", Shape::Text,
            "This ECMAScript regular expression is found in it; ^ and $ stand for line ends."},
    KeySpec{Level::Complete, "constitution", Shape::Flag,
            "It has a Constitution Check whose table is completed for every article."},
    KeySpec{Level::Complete, "run", Shape::Argv, "This command exits 0."},

    KeySpec{Level::Gate, "ask", Shape::Text, "The question."}.must_be_there(),
    KeySpec{Level::Gate, "shows", Shape::Texts,
            "Files that the answer is bound to: if they change, it is asked again."},

    KeySpec{Level::Each, "in", Shape::Items, "The items, or \"{name}\": that value, split at spaces and commas."},
    KeySpec{Level::Each, "tasks", Shape::Text,
            "Instead of in: the tasks of this phase on the run's list, each after those that block it."},
    KeySpec{Level::Each, "as", Shape::ValueName,
            "The name of the item's value within the stage. Without it: item."},
    KeySpec{Level::Each, "parallel", Shape::Whole, "How many items at the same time."}.from_to(1, kParallelMax),

    KeySpec{Level::Repeat, "until", Shape::Object, "When it ends well."}.of(Level::Until).must_be_there(),
    KeySpec{Level::Repeat, "max", Shape::Whole, "How many times at most. Without it: 10."}.from_to(1,
                                                                                                   kIterationsMax),
    KeySpec{Level::Repeat, "stalled_max", Shape::Whole, "How many times in a row without progress. Without it: 3."}
        .from_to(1, kIterationsMax),

    KeySpec{Level::Repeat, "accept_last", Shape::Flag,
            "A loop that reaches a limit is done with what it has. Without it: it failed."},

    KeySpec{Level::Until, "verdict", Shape::Texts, "The verdict that ends it, or a list of them."}.must_be_there(),

    KeySpec{
        Level::Lane, "base", Shape::Text,
        "The branch or commit that the lane starts from. Without it: the lane around it, or what is checked out."},
    KeySpec{Level::Lane, "branch", Shape::Text, "Its branch. Without it: lane/RUN/STAGE."},
    KeySpec{Level::Lane, "retries", Shape::Whole, "Further attempts for all of its stages together."}.from_to(
        0, kRetriesMax),

    KeySpec{Level::Config, "workers", Shape::Object, "Which programs do the work."}.of(Level::Workers),
    KeySpec{Level::Config, "lanes", Shape::Object, "Where lanes live."}.of(Level::LanesConfig),
    KeySpec{Level::Config, "limits", Shape::Object, "What a run may use if its workflow does not say."}.of(
        Level::Limits),
    KeySpec{Level::Config, "notify", Shape::Object, "What to start when a run waits, fails or ends."}.of(
        Level::Notify),

    KeySpec{Level::Workers, "default", Shape::Object, "The worker for every role without an entry of its own."}.of(
        Level::Worker),
    KeySpec{Level::Workers, "roles", Shape::Roles, "Workers by role."}.of(Level::Worker),

    KeySpec{Level::Worker, "run", Shape::Command, "The command: one string is a shell line, a list is an argv."}
        .must_be_there(),
    KeySpec{Level::Worker, "env", Shape::Texts, "Names of environment variables that it also gets."},
    KeySpec{Level::Worker, "timeout", Shape::Time,
            "After this an attempt is stopped, unless the stage says otherwise."},
    KeySpec{Level::Worker, "retries", Shape::Whole, "Further attempts, unless the stage says otherwise."}.from_to(
        0, kRetriesMax),

    KeySpec{Level::LanesConfig, "root", Shape::Text, "The folder for worktrees."},
    KeySpec{Level::LanesConfig, "parallel", Shape::Whole, "How many lanes at the same time."}.from_to(
        1, kParallelMax),

    KeySpec{Level::Notify, "run", Shape::Command, "The command; {message} in an argv is the message."}
        .must_be_there(),
});

}  // namespace

static_assert(std::ranges::is_sorted(kKeys, {}, &KeySpec::level), "keys_of() needs each level in one piece");

std::span<const KeySpec> all_keys() { return kKeys; }

std::span<const KeySpec> keys_of(Level level) {
  const auto found = std::ranges::equal_range(kKeys, level, {}, &KeySpec::level);
  return std::span<const KeySpec>(found.begin(), found.end());
}

const KeySpec* find_key(Level level, std::string_view name) {
  for (const KeySpec& key : keys_of(level)) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

}  // namespace reprise
