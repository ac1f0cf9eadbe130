#include "prompt_scenes.h"

#include <gtest/gtest.h>

namespace reprise::cli_test {
namespace {

constexpr const char* kAgents = R"SH(
git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main
mkdir -p .reprise; printf 'workers:\n  default: {run: [agent]}\n' >.reprise/config.yaml
cat >~/bin/agent <<'END'
#!/bin/sh
verdict() { echo '{"status":"done","verdict":"'$1'"}' >"$REPRISE_RESULT"; }
case $REPRISE_RUN:$REPRISE_STEP in
*gate) verdict approved ;;
qa-loop*/review) verdict APPROVE ;;
*/review) verdict PASS ;;
esac
exit 0
END
printf '#!/bin/sh\ndate -u -d "-$*" +%%Y-%%m-%%dT%%H:%%M:%%SZ\n' >~/bin/ago
cat >~/bin/story <<'END'
#!/bin/sh
mkdir -p docs/stories
printf '# Story %s: About %s\n\n**Status:** %s\n\n## Acceptance Criteria\n\n- [ ] it works\n\n' "$1" "$1" "$2" >docs/stories/$1.story.md
printf '## Dev Notes\n\nNone.\n\n## Change Log\n\n| Date | Agent | Change |\n|---|---|---|\n' >>docs/stories/$1.story.md
END
cat >~/bin/old <<'END'
#!/bin/sh
git add -A; when=$(ago 20 days); GIT_AUTHOR_DATE=$when GIT_COMMITTER_DATE=$when git commit -qm old --allow-empty
git ls-files -z | xargs -0 touch -d '20 days ago'
END
chmod +x ~/bin/agent ~/bin/ago ~/bin/story ~/bin/old; old
)SH";

constexpr const char* kEpic = R"SH(
mkdir -p .aiox docs/epics
cat >docs/epics/EPIC-3-EXECUTION.yaml <<END
execution:
  epicId: 3
  storyBasePath: docs/stories
  stories:
    3.3: {file: 3.3.story.md, executor: "@dev", quality_gate: "@qa"}
    3.4: {file: 3.4.story.md, executor: "@dev", quality_gate: "@qa"}
    3.5: {file: 3.5.story.md, executor: "@dev", quality_gate: "@qa"}
  waves:
    - {wave: 1, stories: ["3.3"], gate: {agent: "@architect"}}
    - {wave: 2, stories: ["3.4", "3.5"], dependencies: [1], gate: {agent: "@architect"}}
END
epic() { cat >.aiox/epic-3-state.yaml <<END
epic_state:
  epicId: 3
  execution_plan: docs/epics/EPIC-3-EXECUTION.yaml
  started_at: "$(ago 19 days)"
  updated_at: "$(ago $1)"
  status: active
  current_wave: 2
  total_waves: 2
  waves:
    1:
      status: completed
      stories:
        3.3: {status: completed}
    2:
      status: in_progress
      stories:
        3.4: {status: in_progress}
        3.5: {status: pending}
  gate_verdicts:
    1: {status: approved}
END
}
)SH";

}  // namespace

void must(const World& world, const std::string& line) {
  const Ended ended = world.shell("set -e; " + line);
  ASSERT_EQ(ended.exit, 0) << line << "\n" << ended.out << ended.err;
}

void set_up_agents(const World& world) { must(world, kAgents); }

void clean_story(const World& world, const std::string& id) {
  must(world, "story " + id + " InProgress; old; touch -d '2 hours ago' docs/stories/" + id + ".story.md");
}

void stale_loop(const World& world, const std::string& id) {
  must(world, "story " + id + " InReview; mkdir -p qa/" + id + "; old; s=" + id + R"SH(
review() { echo '{"iteration":'$1',"verdict":"REJECT","fixedAt":"'$(ago 4 days)'"}'; }
echo '{"storyId":"'$s'","currentIteration":3,"maxIterations":5,"status":"in_progress",' >qa/$s/loop-status.json
echo '"updatedAt":"'$(ago 3 days)'","history":['$(review 1),$(review 2)']}' >>qa/$s/loop-status.json
sed -i 's/^None\.$/Keep the old endpoint./' docs/stories/$s.story.md)SH");
}

void begun_spec(const World& world, const std::string& name) {
  must(world, "d=docs/stories/" + name + "/spec; mkdir -p $d; echo '{\"goals\":3}' >$d/requirements.json; " +
                  "git add -A; git commit -qm spec; touch -d '5 days ago' $d/requirements.json $d");
}

void broken_epic(const World& world) {
  must(world, "story 3.3 Done; story 3.4 Done; " + std::string(kEpic) + "old; epic '14 days'; git add -A; " +
                  "git commit -qm epic");
}

void clean_epic(const World& world) {
  must(world, "story 3.3 Done; story 3.4 InProgress; story 3.5 Draft; " + std::string(kEpic) +
                  "old; epic '2 hours'; git add -A; git commit -qm epic");
}

void torn_epic(const World& world) {
  clean_epic(world);
  must(world, "f=.aiox/epic-3-state.yaml; sed -i '16,$d' $f; printf '        3.4: {status: in_pro' >>$f");
}

void spec_loop(const World& world) {
  must(world, R"SH(d=specs/005-auth; mkdir -p $d/.workflow; echo '# Spec' >$d/spec.md
row() { echo "| $1 | $2 |"; }
{ printf '# Feature Index: 005-auth\n\n## Feature Metadata\n\n| Field | Value |\n|---|---|\n'
  row ID 005-auth; row 'Original Description' 'Let users sign in'
  printf '\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n'
  row '**Loop Status**' validating; row '**Current Iteration**' '1 / 10'
  row '**Last Activity**' "$(ago 2 hours)"; row '**Stale Count**' '0 / 3'
} >$d/.workflow/index.md
git add -A; git commit -qm loop)SH");
}

std::string state_of(const World& world) {
  const Ended ended = world.shell(R"SH(
find . -path ./.git -prune -o \( -type f -o -type l \) -print0 | sort -z | xargs -0 -r sha256sum
git status --short; git for-each-ref; git worktree list
store=$(find .git/reprise -type f ! -name 'journal.db*' ! -path '*/guards/*' 2>/dev/null | sort)
test -z "$store" || echo "$store" | tr '\n' '\0' | xargs -0 sha256sum
for id in $(reprise status --json 2>/dev/null | grep -o '"id":"[^"]*"' | cut -d'"' -f4); do
  reprise events "$id" --json
done
)SH");
  return ended.out;
}

}  // namespace reprise::cli_test
