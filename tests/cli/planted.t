# A repository with interrupted work of all five systems, and 30 problems planted in it. The program says all of
# them, nothing besides, and changes nothing while it looks. First the parts; then the repository with nothing wrong.
$ cat >~/parts.sh <<'END'
> # the parts of a scene; all of it happened some hours ago
> set -e; export CLAUDE_CONFIG_DIR=~/config
> ago() { date -u -d "-$*" +%Y-%m-%dT%H:%M:%SZ; }
> digest() { sha256sum "$1" | cut -c1-64; }
> commit() { local t=$(ago $1); git add -A; GIT_AUTHOR_DATE=$t GIT_COMMITTER_DATE=$t git commit -qm "$2"; }
>
> # feature NAME STATUS STAGE: a playbook; the stages before STAGE are completed, each with what it made
> feature() {
>   local d=specs/$1 rows= step file; mkdir -p $d
>   printf '# %s\n\nIt works.\n' $1 >$d/feature.spec.md; echo '- [ ] the form' >$d/tasks.md
>   { printf '# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n'
>     printf '| Article %s | COMPLIES |\n' I II III IV V VI VII VIII; } >$d/adr.md
>   for step in spec:feature.spec clarify:feature.spec architect:adr tasks:tasks tdd:test-certification \
>       programmer:tasks testrunner:test-report code-review:code-review security:security-review refactor:refactor-notes; do
>     file=${step#*:}.md; test ${step%%:*} != $3 || break
>     test -e $d/$file || echo 'All of it.' >$d/$file
>     rows+="| ${step%%:*} | $(ago 3 hours) | $file | sha256:$(digest $d/$file) |"$'\n'
>   done
>   { printf '# Pipeline State: %s\n\n- run_id: r1\n- feature: %s\n' $1 $1
>     printf -- '- spec_hash: sha256:%s\n- last_updated_at: %s\n' $(digest $d/feature.spec.md) $(ago 2 hours)
>     printf -- '- current_stage: %s\n- status: %s\n\n## Completed Stages\n\n' $3 $2
>     printf '| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n%s\n' "$rows"
>     printf '## Human Checkpoints Cleared\n\n- [x] Spec approval\n- [x] Architecture sign-off\n- [ ] Security sign-off\n'
>   } >$d/.pipeline-state.md
> }
>
> # index NAME STATUS ITERATION QUESTION GAP: a spec loop, and what its question and its gap say
> index() {
>   local d=specs/$1; mkdir -p $d/.workflow; printf '# %s\n\nIt works.\n' $1 >$d/spec.md
>   { printf '# Feature Index: %s\n\n## Feature Metadata\n\n| Field | Value |\n|---|---|\n' $1
>     printf '| ID | %s |\n| Branch | main |\n| Original Description | All about %s |\n' $1 $1
>     printf '\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n| **Loop Status** | %s |\n' $2
>     printf '| **Current Iteration** | %s / 10 |\n| **Last Activity** | %s |\n| **Stale Count** | 0 / 3 |\n' $3 $(ago 2 hours)
>     printf '\n## Pending Questions\n\n| ID | Question Summary | Gaps | Status |\n|---|---|---|---|\n'
>     printf '| C2.1 | How long? | G-004 | %s |\n' "$4"
>     printf '\n## Gap Priority Queue\n\n| Priority | Gap ID | Status | Resolution |\n|---|---|---|---|\n'
>     printf '| Critical | G-001 | resolved | In iteration 1 |\n| Important | G-004 | %s | - |\n' $5
>   } >$d/.workflow/index.md
> }
>
> # task LIST ID SUBJECT STATUS METADATA [BLOCKERS [BLOCKS]]: a task as a coding agent leaves it
> task() {
>   mkdir -p ~/config/tasks/$1
>   printf '{"id":"%s","subject":"%s","description":"All about %s.","status":"%s","blocks":[%s],"blockedBy":[%s],"metadata":{%s}}' \
>     $2 "$3" $2 $4 "$7" "$6" "$5" >~/config/tasks/$1/$2.json
> }
>
> # phase NAME LANE...: a phase plan with one task in each lane
> phase() {
>   local name=$1 lane; shift
>   { printf '# %s: Parts\n\n## Lane Index & Dependencies\n\n' $name
>     for lane; do printf -- '- SL-%s -- %s\n  - Depends on: none\n' $lane $lane; done
>     printf '\n## D. Swim Lanes\n'
>     for lane; do
>       printf '\n### SL-%s -- %s\n\n| Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files |' $lane $lane
>       printf ' Test Command(s) | Acceptance Criteria |\n|---|---|---|---|---|---|---|\n'
>       printf '| %s1 | impl | - | src/%s.c | - | `test -s src/%s.c` | there |\n' $lane ${lane,,} ${lane,,}
>     done; } >plans/$name.md
> }
>
> # checkpoint LANE STAGE STATUS AGE NOTES: one record as another program writes it
> checkpoint() {
>   printf '%s{"run_id": "night", "phase": "P1", "lane": "%s", "stage": "%s", "status": "%s", "timestamp": "%s",\n' \
>     "$separator" $1 $2 $3 "$(ago $4)"; separator=', '
>   printf '   "base_branch": "main", "worktree_path": "%s", "notes": "%s",\n' "$PWD/.worktrees/P1/$1" "$5"
>   printf '   "resume_hint": "/ai-dev-kit:execute-lane plans/P1.md %s --resume --run-id night"}\n' $1
> }
>
> # story ID STATUS
> story() {
>   printf '# Story %s: About %s\n\n**Status:** %s\n\n## Acceptance Criteria\n\n- [ ] it works\n' $1 $1 $2 >docs/stories/$1.story.md
>   printf '\n## Change Log\n\n| Date | Agent | Change |\n|---|---|---|\n' >>docs/stories/$1.story.md
> }
> END

$ cat >~/bin/scene <<'END'
> #!/bin/bash
> # interrupted work of all five systems and of a workflow of one's own, with nothing wrong in it
> . ~/parts.sh
> git symbolic-ref HEAD refs/heads/main; git config user.name Tester; git config user.email tester@example.org
> mkdir -p .reprise/workflows src plans docs/epics docs/stories/ports/spec qa/2.1 .aiox/workflow-state .claude/ai-dev-kit/run-logs
> printf 'workers:\n  default: {run: [agent]}\n' >.reprise/config.yaml; printf '.claude/\n.worktrees/\n*.txt\n!rules.txt\n' >.gitignore
> for part in api doc web tide; do echo $part >src/$part.c; done
>
> feature 001-login IN_PROGRESS tdd; feature 002-search WAITING_FOR_HUMAN security
> feature 003-tags ABORTED programmer; feature 004-over COMPLETE done
> index 005-auth clarifying 2 awaiting_answer clarifying; index 006-export validating 1 answered resolved
> index 007-print clarifying 2 'answered — a week' clarifying; index 008-over completed 2 answered resolved
>
> story 5.1 Done; story 5.2 InProgress; story 5.3 Draft; story 2.1 InReview; story 4.2 InProgress
> cat >docs/epics/EPIC-5-EXECUTION.yaml <<PLAN
> execution:
>   epicId: 5
>   storyBasePath: docs/stories
>   stories:
>     5.1: {file: 5.1.story.md, executor: "@dev", quality_gate: "@qa"}
>     5.2: {file: 5.2.story.md, executor: "@dev", quality_gate: "@qa"}
>     5.3: {file: 5.3.story.md, executor: "@dev", quality_gate: "@qa"}
>   waves:
>     - {wave: 1, stories: ["5.1", "5.2"], gate: {agent: "@architect"}}
>     - {wave: 2, stories: ["5.3"], dependencies: [1], gate: {agent: "@architect"}}
> PLAN
> cat >.aiox/epic-5-state.yaml <<STATE
> epic_state:
>   epicId: 5
>   execution_plan: docs/epics/EPIC-5-EXECUTION.yaml
>   mode: interactive
>   started_at: "$(ago 9 hours)"
>   updated_at: "$(ago 2 hours)"
>   status: active
>   current_wave: 1
>   total_waves: 2
>   waves:
>     1: {status: in_progress, stories: {5.1: {status: completed}, 5.2: {status: in_progress}}}
>     2: {status: pending, stories: {5.3: {status: pending}}}
> STATE
> cat >qa/2.1/loop-status.json <<LOOP
> {"storyId": "2.1", "currentIteration": 2, "maxIterations": 5, "status": "stopped", "updatedAt": "$(ago 2 hours)", "history": [
>   {"iteration": 1, "verdict": "REJECT", "reviewedAt": "$(ago 5 hours)", "fixedAt": "$(ago 4 hours)"},
>   {"iteration": 2, "verdict": "REJECT", "reviewedAt": "$(ago 2 hours)"}]}
> LOOP
> cat >.aiox/workflow-state/r1-state.yaml <<STATE
> workflow_id: release
> instance_id: r1
> status: paused
> updated_at: "$(ago 2 hours)"
> current_step_index: 1
> steps:
>   - {id: build, name: Build, status: completed, agent: "@dev"}
>   - {id: ship, name: Ship, status: in_progress, agent: "@devops"}
> STATE
> echo '{"goals":3}' >docs/stories/ports/spec/requirements.json; echo '{"score":12}' >docs/stories/ports/spec/complexity.json
> echo 'be kind' >rules.txt; cat >.reprise/workflows/nightly.yaml <<'FLOW'
> name: nightly
> baseline: [rules.txt]
> stages:
>   first: {run: 'echo one >first.txt', produces: [first.txt]}
>   second: {needs: first, run: 'kill -9 $PPID $(cat ~/runner)', produces: [second.txt]}
>   third: {needs: second, run: 'true'}
> FLOW
> phase P1 API DOC WEB; commit '6 hours' begin
>
> for lane in API DOC WEB; do git worktree add -q --no-track -b lane/P1/SL-$lane .worktrees/P1/SL-$lane; done
> (cd .worktrees/P1/SL-DOC; echo more >>src/doc.c; commit '4 hours' 'DOC1: more')
> separator='[ '; { for lane in API DOC WEB; do checkpoint SL-$lane before_lane_start ready '5 hours'; done
>   for lane in API WEB; do checkpoint SL-$lane after_lane_start complete '4 hours'; done
>   checkpoint SL-DOC after_lane_tests complete '3 hours' "commit $(git rev-parse lane/P1/SL-DOC)"; echo ']'
> } >.claude/ai-dev-kit/run-logs/checkpoints.json
>
> task tides 1 '[PERMANENT] Tides' pending '"tier":"COMPLEX","current_phase":"P6","branch":"main","commits":["'$(git rev-parse main)'"]'
> for n in 0 1 2 3 4 5; do task tides $((n + 2)) "Phase $n" completed '"phase":"P'$n'","completed_at":"'$(ago 5 hours)'"'; done
> task tides 8 Heights completed '"phase":"P6","hashes":{"src/tide.c":"'$(digest src/tide.c)'"},"completed_at":"'$(ago 3 hours)'"' '' '"9"'
> task tides 9 Times in_progress '"phase":"P6"' '"8"'; task tides 10 Print pending '"phase":"P6"'; task tides 11 Check pending '"phase":"P7"'
> task theirs 1 '[PERMANENT] Ports' pending '"tier":"TRIVIAL","current_phase":"P6","branch":"main","repository":"/their/ports"'
> task theirs 2 Wall pending '"phase":"P6"'
>
> touch -d '7 hours ago' docs/stories/*.md docs/stories/*/spec/*; touch -d '3 hours ago' ~/config/tasks/*/*
> (sh -c 'echo $$ >~/runner; exec reprise run nightly one' >/dev/null 2>&1 & wait) 2>/dev/null || true
> END

$ cat >~/bin/candidates <<'END'
> #!/bin/bash
> # candidates [--all]: the ids that scan lists, in the order of the alphabet
> CLAUDE_CONFIG_DIR=~/config reprise scan --json $1 | grep -o '{"id":"[^"]*"' | cut -d'"' -f4 | sort
> END
$ cat >~/bin/found <<'END'
> #!/bin/bash
> # found: what scan ignores, and of every plan each finding and each stage that PB-03 or PB-05 does again, one a line:
> # CANDIDATE CODE SEVERITY RULE MESSAGE
> export CLAUDE_CONFIG_DIR=~/config
> reprise scan --json >~/scan.json || echo "scan ended with $?"
> sed 's/.*"ignored":\[//; s/{"path":/\n&/g' ~/scan.json | sed -nE 's/^\{"path":"([^"]*)","why":"([^"]*)".*/\1 ignored - - \2/p'
> for id in $(candidates); do
>   reprise plan $id --json >~/plan.json || echo "plan $id ended with $?"
>   grep -o '"rule":"[^"]*","code":"[^"]*","severity":"[^"]*","message":"\([^"\\]\|\\.\)*"' ~/plan.json |
>     sed -E 's/"rule":"(.*)","code":"(.*)","severity":"(.*)","message":"(.*)"$/\2 \3 \1 \4/; s/\\"/"/g' | sed "s|^|$id |"
>   grep -o '"stage":"[^"]*","step":"[^"]*","lane":null,"decision":"rerun","rule":"PB-0[35]","reason":"[^"]*"' ~/plan.json |
>     sed -E 's/"stage":"([^"]*)".*"rule":"(.*)","reason":"(.*)"$/\1 rerun \2 \3/' | sed "s|^|$id |"
> done
> END
$ cat >~/bin/looked <<'END'
> #!/bin/bash
> # looked: everything that only looks, at every candidate; says what did not answer
> export CLAUDE_CONFIG_DIR=~/config
> reprise >/dev/null 2>&1; reprise scan --all >/dev/null; reprise scan --json >/dev/null; reprise inbox >/dev/null
> for word in status events log; do reprise $word nightly/one >/dev/null || echo "$word: $?"; done
> for id in $(candidates --all); do
>   reprise plan $id >/dev/null 2>~/err || echo "plan $id: $(cat ~/err)"
>   reprise why $id >/dev/null 2>~/err || echo "why $id: $(cat ~/err)"
>   reprise plan $id --save ~/saved.json >/dev/null 2>&1; reprise resume $id --brief </dev/null >/dev/null 2>&1
> done
> END
$ cat >~/bin/tree <<'END'
> #!/bin/bash
> # tree: names, kinds, modes, times and contents of all there is, git's own files and the task lists too; not what
> # SQLite shares between processes (journal.db-shm)
> { find . ~/config ! -name journal.db-shm -printf '%p %y %m %T@ %l\n' | sort
>   find . ~/config -type f ! -name journal.db-shm | sort | xargs -d '\n' sha256sum; } >~/tree-$1
> END

# ALL01_OneScanListsTheWorkOfAllFiveSystems: and of workflows of one's own; what is over, and another project's list,
# only with --all.
$ chmod +x ~/bin/*; scene; export CLAUDE_CONFIG_DIR=~/config; reprise scan | grep -v '^ ' | sed 's/, last activity.*//' | sort
epic/5  interrupted at wave-1
lanes/night/P1/SL-API  interrupted at after_lane_start
lanes/night/P1/SL-DOC  interrupted at after_lane_tests
lanes/night/P1/SL-WEB  interrupted at after_lane_start
nightly/one  interrupted at second
playbook/001-login  interrupted at tdd
playbook/002-search  waiting at security
playbook/003-tags  interrupted at programmer
qa-loop/2.1  interrupted at fix, iteration 2 of 5
spec-loop/005-auth  waiting at B1, iteration 2 of 10
spec-loop/006-export  interrupted at B3, iteration 1 of 10
spec-loop/007-print  interrupted at B2, iteration 2 of 10
spec-pipeline/ports  interrupted at research
story-cycle/2.1  interrupted at review
story-cycle/4.2  interrupted at implement
story-cycle/5.2  interrupted at implement
task-pipeline/tides  interrupted at P6
workflow/r1  interrupted at Ship
$ export CLAUDE_CONFIG_DIR=~/config; reprise scan --json | grep -o '"system":"[a-z-]*"' | sort | uniq -c
      3 "system":"lanes"
      7 "system":"orchestrator"
      1 "system":"own"
      3 "system":"playbook"
      3 "system":"spec-loop"
      1 "system":"task-pipeline"
$ candidates >~/some; candidates --all | comm -13 ~/some -
playbook/004-over
spec-loop/008-over
task-pipeline/theirs

# ALL01_WhereNothingIsWrongNothingIsSaid: but that two of them are about the same story, and that nobody said how a
# lane is to be published, which is so. Nothing is blocked.
$ found | sed 's/, last active.*//'
lanes/night/P1/SL-DOC publish_unknown info LN-05 it is not published: nobody says how (merge, pr or push)
story-cycle/2.1 other_workflow_seen warning OR-04 another workflow has a state for the same story: qa-loop/2.1 on story 2.1 is "stopped"
story-cycle/5.2 other_workflow_seen warning OR-04 another workflow has a state for the same story: epic/5 on story 5.2 is "active"
$ export CLAUDE_CONFIG_DIR=~/config; for id in $(candidates); do reprise plan $id --json | grep -o '"readiness":"[a-z]*"'; done | sort | uniq -c
      2 "readiness":"confirm"
     14 "readiness":"ready"
      2 "readiness":"wait"

# OR17_LookingAtSoundWorkChangesNothing: no byte, no mode, no time, in the tree, in git's files, in the task lists; also
# where git would like to refresh its index, because a file was touched.
$ touch src/doc.c .worktrees/P1/SL-WEB/src/doc.c; tree before; looked; tree after; cmp ~/tree-before ~/tree-after
$ test $(wc -l <~/tree-after) -gt 500 || echo 'that was not all'; touch src/doc.c; tree after; cmp -s ~/tree-before ~/tree-after
? 1

# What happens to it, and what is to be said of that.
$ cat >~/bin/plant <<'END'
> #!/bin/bash
> # what happened to it while nobody looked: the 30 of ~/planted
> . ~/parts.sh
> t=~/config/tasks/tides
> echo 'And fast.' >>specs/001-login/feature.spec.md                                                       # 1
> rm specs/001-login/tasks.md                                                                              # 2
> sed "s/stage: tdd/stage: clarify/; s/updated_at: .*/updated_at: $(ago 4 hours)/" \
>   specs/001-login/.pipeline-state.md >specs/001-login/pipeline-state.md                                  # 3
> old=$(digest specs/002-search/adr.md); sed -i 's,III | COMPLIES,III | COMPLIES / EXCEPTION / N/A,' specs/002-search/adr.md
> sed -i "s/$old/$(digest specs/002-search/adr.md)/" specs/002-search/.pipeline-state.md                   # 4
> echo 'Or not.' >>specs/002-search/test-report.md                                                         # 5
> sed -i 's/status: ABORTED/status: PONDERING/' specs/003-tags/.pipeline-state.md                          # 6
> sed -i 's,| 2 / 10,| 11 / 10,' specs/005-auth/.workflow/index.md                                         # 7
> rm specs/006-export/spec.md                                                                              # 8
> rm specs/007-print/.workflow/index.md; mkdir specs/007-print/.workflow/index.md                          # 9
> task tides 10 Print pending '"phase":"P6"' '"11"' '"11"'
> task tides 11 Check pending '"phase":"P7"' '"10"' '"10"'                                                 # 10
> task tides 12 Sign pending '"phase":"P7"' '"12"' '"12"'                                                  # 11
> task tides 13 Colours pending '"phase":"P6"' '' '"8"'; sed -i 's/"blockedBy":\[\]/"blockedBy":["13"]/' $t/8.json  # 12
> printf '{"id":"14","subj' >$t/14.json                                                                    # 13
> git branch tides; sed -i 's/"branch":"main"/"branch":"tides"/' $t/1.json                                 # 14
> echo high >>src/tide.c                                                                                   # 15
> task tides 7 'Phase 5' completed '"phase":"P5","completed_at":"2099-01-01T00:00:00Z"'                    # 16
> rm -r .worktrees/P1/SL-API                                                                               # 17
> git -C .worktrees/P1/SL-DOC reset -q --hard main                                                         # 18
> sed -i '/"SL-WEB".*"after_lane_start"/s/after_lane_start/after_lunch/' .claude/ai-dev-kit/run-logs/checkpoints.json  # 19
> sed -i 's/InProgress/Done/' docs/stories/5.2.story.md                                                    # 20
> rm docs/stories/5.3.story.md                                                                             # 21
> sed -i '6s/"@dev"/dev: "@dev"/' docs/epics/EPIC-5-EXECUTION.yaml                                         # 22
> mkdir .aios; sed "s/5.2: {status: in_progress/5.2: {status: pending/; s/updated_at: .*/updated_at: \"$(ago 5 hours)\"/" \
>   .aiox/epic-5-state.yaml >.aios/epic-5-state.yaml                                                       # 23
> sed -i 's/"currentIteration": 2/"currentIteration": 6/' qa/2.1/loop-status.json                          # 24
> sed -i 's/it works/it works twice/' docs/stories/2.1.story.md                                            # 25
> sed -i 's/paused/bewildered/' .aiox/workflow-state/r1-state.yaml                                         # 26
> printf '{"goals' >docs/stories/ports/spec/requirements.json                                              # 27
> echo 'be quick' >rules.txt                                                                               # 28
> mv specs/004-over/.pipeline-state.md ~/away.md; ln -s ~/away.md specs/004-over/.pipeline-state.md        # 29
> rm specs/008-over/.workflow/index.md; ln -s gone.md specs/008-over/.workflow/index.md                    # 30
> commit '1 hour' others
> END

$ cat >~/planted <<'END'
> # N | candidate | code | severity | rule | words of the message. N+: the same problem, told again; 0: no problem of the state
> 1 | playbook/001-login | spec_hash_changed | blocking | PB-02 | specs/001-login/feature.spec.md
> 2 | playbook/001-login | tasks | rerun | PB-03 | tasks.md
> 3 | playbook/001-login | two_state_files | warning | PB-01 | specs/001-login/pipeline-state.md
> 4 | playbook/002-search | architect | rerun | PB-05 | line 9: Article III
> 5 | playbook/002-search | artifact_changed | warning | PB-11 | test-report.md
> 6 | playbook/003-tags | status_unknown | blocking | PB-01 | line 8 says "PONDERING"
> 6+ | playbook/003-tags | not_understood | info | PB-01 | PONDERING
> 7 | spec-loop/005-auth | integrity | blocking | SL-09 | line 16: the current iteration
> 8 | spec-loop/006-export | spec_missing | warning | ALL-03 | specs/006-export/spec.md
> 9 | spec-loop/007-print | damaged | blocking | SL-09 | specs/007-print/.workflow/index.md
> 10 | task-pipeline/tides | blocker_cycle | blocking | TP-17 | 10 -> 11 -> 10
> 11 | task-pipeline/tides | self_block | blocking | TP-17 | 12 -> 12
> 11+ | task-pipeline/tides | not_understood | info | ALL-03 | 12.json
> 12 | task-pipeline/tides | blocker_unfinished | warning | TP-17 | task 8 is completed, but task 13
> 13 | task-pipeline/tides | damaged_task | blocking | TP-17 | 14.json
> 13+ | task-pipeline/tides | not_understood | info | ALL-03 | 14.json
> 14 | task-pipeline/tides | branch_mismatch | blocking | TP-13 | expects tides, checked out is main
> 15 | task-pipeline/tides | stale_task | warning | TP-19 | src/tide.c
> 16 | task-pipeline/tides | time_in_future | info | TP-17 | 2099-01-01T00:00:00Z
> 17 | lanes/night/P1/SL-API | worktree_gone | warning | LN-05 | .worktrees/P1/SL-API
> 18 | lanes/night/P1/SL-DOC | commit_gone | warning | LN-05 | lane/P1/SL-DOC
> 19 | lanes/night/P1/SL-WEB | stage_unknown | warning | LN-05 | after_lunch
> - | lanes/night/P1/SL-WEB | record_odd | info | LN-05 | after_lunch
> 20 | epic/5 | done_outside | blocking | OR-03 | docs/stories/5.2.story.md
> 21 | epic/5 | story_missing | blocking | OR-02 | docs/stories/5.3.story.md
> 22 | epic/5 | plan_damaged | warning | OR-02 | docs/epics/EPIC-5-EXECUTION.yaml:6
> 23 | epic/5 | two_state_files | warning | OR-01 | .aios/epic-5-state.yaml
> 24 | qa-loop/2.1 | iteration_over | warning | OR-06 | 6
> 25 | qa-loop/2.1 | acceptance_changed | blocking | OR-04 | story 2.1
> 26 | workflow/r1 | status_unknown | blocking | OR-06 | status
> 26+ | workflow/r1 | not_understood | info | ALL-03 | bewildered
> 27 | spec-pipeline/ports | artifact_damaged | warning | OR-02 | requirements.json
> 27+ | spec-pipeline/ports | not_understood | info | ALL-03 | requirements.json
> 28 | nightly/one | baseline_changed | blocking | WF-40 | rules.txt
> 29 | specs/004-over/.pipeline-state.md | ignored | - | - | outside of the project
> 30 | specs/008-over/.workflow/index.md | ignored | - | - | not there
> 0 | story-cycle/2.1 | other_workflow_seen | warning | OR-04 | qa-loop/2.1
> 0 | story-cycle/5.2 | other_workflow_seen | warning | OR-04 | epic/5
> END
$ cat >~/bin/compare <<'END'
> #!/bin/bash
> # compare TABLE: what `found` says against the table: what is missing, what is there besides, and how many of either;
> # a row stands for one finding, one with N+ for any number
> found | awk -F' [|] ' '
>   function fits(line, row,  f, n) {
>     n = split(row, f, " [|] "); head = f[2] " " f[3] " " f[4] " " f[5] " "
>     return index(line, head) == 1 && index(substr(line, length(head) + 1), f[6])
>   }
>   NR == FNR { if (!/^#/) rows[++count] = $0; next }
>   { is_known = 0
>     for (i = 1; i <= count && !is_known; ++i) {
>       split(rows[i], f, " [|] "); is_once = f[1] !~ /[+]$/
>       if (!(is_once && i in met_by) && fits($0, rows[i])) { met_by[i] = $0; seen[f[1]] = is_known = 1 }
>     }
>     if (!is_known) { print "besides: " $0; ++besides } }
>   END {
>     for (i = 1; i <= count; ++i) {
>       split(rows[i], f, " [|] ")
>       if (f[1] !~ /^[1-9][0-9]*$/) continue
>       ++wanted; if (f[1] in seen) ++met; else print "missing: " rows[i]
>     }
>     print wanted + 0 " planted, " met + 0 " found, " besides + 0 " besides"
>   }' "$1" -
> END

# ALL01_ThirtyPlantedProblemsAreFoundAndNothingElse: only what nothing happened to is ready to go on.
$ chmod +x ~/bin/*; cp -a . ~/clean; cp -a ~/config ~/clean-config; plant; tree before; compare ~/planted
30 planted, 30 found, 0 besides
$ export CLAUDE_CONFIG_DIR=~/config; for id in $(candidates); do reprise plan $id --json; done >~/plans; grep -o '"readiness":"[a-z]*"' ~/plans | sort | uniq -c
      9 "readiness":"blocked"
      6 "readiness":"confirm"
      1 "readiness":"ready"
      1 "readiness":"wait"

# ALL01_WhatIsBrokenHidesNothingElse: all that was listed before is listed still, but for a story that is done now.
$ candidates | comm -3 ~/some -
story-cycle/5.2
$ export CLAUDE_CONFIG_DIR=~/config; reprise scan | grep -e damaged -e ' unknown' | sed 's/, last activity.*//' | sort
playbook/003-tags  unknown at programmer
spec-loop/007-print  unknown, damaged
task-pipeline/tides  unknown at P6
workflow/r1  unknown at Ship

# OR17_LookingAtBrokenWorkChangesNothing
$ looked; tree after; cmp ~/tree-before ~/tree-after

# ALL02_EveryDecisionAndFindingHasItsReason: rule, reason and evidence; and whatever is blocked has a way out.
$ grep -e '"rule":""' -e '"reason":""' -e '"evidence":\[\]' -e '"message":""' ~/plans; test $(grep -o '"decision":' ~/plans | wc -l) -gt 100
$ ! grep '"options":\[\]' ~/plans

# ALL03_WhatIsThereOutranksWhatTheStateSays: all of these are recorded as done.
$ export CLAUDE_CONFIG_DIR=~/config; for step in 'playbook/001-login tasks' 'playbook/002-search architect' \
>   'task-pipeline/tides P6/8' 'lanes/night/P1/SL-DOC after_lane_tests' 'spec-pipeline/ports gather'; do reprise why $step; done
tasks: rerun
  reason    it is listed as completed, but its artifact is gone (tasks.md)
  rule      PB-03 missing
  evidence  claim specs/001-login/.pipeline-state.md line 17: listed as completed
  evidence  file tasks.md: missing
architect: rerun
  reason    adr.md has no completed Constitution Check: line 9: Article III: the status is left as the template has it
  rule      PB-05 constitution
  evidence  claim specs/002-search/.pipeline-state.md line 16: listed as completed
  evidence  file adr.md: <digest>
  evidence  check Constitution Check: line 9: Article III: the status is left as the template has it
P6/8: verify
  reason    it is completed, but a file of it was changed since (src/tide.c)
  rule      TP-19 stale
  evidence  task 8.json: completed
  evidence  file src/tide.c: changed since it was completed
  evidence  task 13: pending
after_lane_tests: run
  reason    it comes after the point where the lane stopped
  rule      LN-05 commit gone
  evidence  claim .claude/ai-dev-kit/run-logs/checkpoints.json line 16: complete: commit <digest>
gather: rerun
  reason    what it makes is not there, though something later is
  rule      OR-07 spec gone
  evidence  file docs/stories/ports/spec/.pipeline-state.json: the artifact of gather is missing

# The same repository as it was before, and other things that happen to it.
$ cat >~/bin/sow <<'END'
> #!/bin/bash
> # sow: what else may happen to it: the 23 of ~/sown
> . ~/parts.sh
> t=~/config/tasks/tides
> sed -i 's/last_updated_at: .*/last_updated_at: 2099-01-01T00:00:00Z/' specs/001-login/.pipeline-state.md  # 1
> rm specs/002-search/adr.md                                                                               # 2
> sed -i 's/feature: 003-tags/feature: 003-words/' specs/003-tags/.pipeline-state.md                       # 3
> sed -i 's/stage: programmer/stage: applause/' specs/003-tags/.pipeline-state.md                          # 4
> sed -i 's/| C2.1 | How long? | G-004/| C2.1 | How long? | G-009/' specs/005-auth/.workflow/index.md      # 5
> sed -i 's/^| ID .*/| ID | 006-import |/' specs/006-export/.workflow/index.md                             # 6
> truncate -s +8 specs/007-print/.workflow/index.md                                                        # 7
> sed -i 's/"tier":"COMPLEX"/"tier":"ENORMOUS"/' $t/1.json                                                 # 8
> sed -i 's/"commits":\["/&0123456789012345678901234567890123456789","/' $t/1.json                         # 9
> sed -i 's/"status":"pending"/"status":"sulking"/' $t/10.json                                             # 10
> task tides 14 Fold completed '"phase":"P6","completed_at":"'$(ago 3 hours)'","error":"no paper"'         # 11
> task tides 9 Times in_progress '"phase":"P6"' '"8","11"'; sed -i 's/"blocks":\[\]/"blocks":["9"]/' $t/11.json     # 12
> git -C .worktrees/P1/SL-API checkout -q -b elsewhere                                                     # 13
> echo untested >>.worktrees/P1/SL-DOC/src/doc.c                                                           # 14
> phase P1 API DOC                                                                                         # 15
> truncate -s -30 .aiox/epic-5-state.yaml                                                                  # 16
> truncate -s -30 qa/2.1/loop-status.json                                                                  # 17
> sed -i 's/status: paused/status: completed/' .aiox/workflow-state/r1-state.yaml                          # 18
> cp docs/stories/4.2.story.md docs/stories/4.2.again.story.md                                             # 19
> echo '{"verdict":"BLOCKED"}' >docs/stories/ports/spec/critique.json                                      # 20
> echo two >first.txt                                                                                      # 21
> sed -i 's/true/false/' .reprise/workflows/nightly.yaml                                                   # 22
> commit '1 hour' others; echo more >>src/api.c                                                            # 23
> END

$ cat >~/sown <<'END'
> 1 | playbook/001-login | time_in_future | info | OR-05 | 2099-01-01T00:00:00Z
> 2 | playbook/002-search | architect | rerun | PB-03 | adr.md
> 3 | playbook/003-tags | name_differs | warning | PB-01 | "003-words" (line 4)
> 4 | playbook/003-tags | stage_unknown | warning | PB-07 | applause
> 4+ | playbook/003-tags | not_understood | info | PB-01 | applause
> 5 | spec-loop/005-auth | integrity | blocking | SL-09 | line 24: question C2.1
> 5+ | spec-loop/005-auth | integrity | blocking | SL-09 | line 31: no open question is about gap G-004
> 6 | spec-loop/006-export | name_differs | warning | SL-01 | 006-import
> 6+ | spec-loop/006-export | not_understood | info | ALL-03 | 006-import
> 7 | spec-loop/007-print | damaged | blocking | SL-09 | line 32: a NUL byte
> 8 | task-pipeline/tides | tier_unknown | warning | TP-04 | ENORMOUS
> 8+ | task-pipeline/tides | not_understood | info | ALL-03 | ENORMOUS
> 9 | task-pipeline/tides | commits_missing | warning | TP-13 | 0123456789012345678901234567890123456789
> 10 | task-pipeline/tides | status_unknown | warning | TP-17 | task 10 has a status that is not known: "sulking"
> 10+ | task-pipeline/tides | not_understood | info | ALL-03 | sulking
> 11 | task-pipeline/tides | completed_with_error | warning | TP-17 | task 14
> 11+ | task-pipeline/tides | phase_conflict | info | TP-17 | phase P6
> 12 | task-pipeline/tides | started_early | warning | TP-17 | task 9 is in progress, but task 11
> 13 | lanes/night/P1/SL-API | worktree_branch | blocking | LN-05 | elsewhere
> 14 | lanes/night/P1/SL-DOC | worktree_dirty | warning | LN-05 | not committed
> - | lanes/night/P1/SL-DOC | publish_unknown | info | LN-05 | not published
> 15 | lanes/night/P1/SL-WEB | lane_unknown | blocking | LN-05 | plans/P1.md
> 16 | epic/5 | state_damaged | blocking | OR-14 | .aiox/epic-5-state.yaml
> 16+ | epic/5 | not_understood | info | ALL-03 | line 12
> 17 | qa-loop/2.1 | state_damaged | blocking | OR-14 | qa/2.1/loop-status.json
> 18 | workflow/r1 | completed_with_open_steps | warning | OR-06 | not all of its steps
> 19 | story-cycle/4.2 | two_story_files | warning | OR-03 | docs/stories/4.2.again.story.md
> 20 | spec-pipeline/ports | critique_blocked | blocking | OR-06 | critique
> 21 | nightly/one | artifact_changed | warning | WF-20 | first.txt
> 22 | nightly/one | definition_changed | warning | WF-41 | definition
> 23 | task-pipeline/tides | uncommitted_changes | warning | TP-13 | src/api.c
> 0 | story-cycle/2.1 | other_workflow_seen | warning | OR-04 | qa-loop/2.1
> 0 | story-cycle/5.2 | other_workflow_seen | warning | OR-04 | epic/5
> END

# ALL01_TwentyThreeMoreAreFoundAndNothingElse
$ chmod +x ~/bin/*; find . -mindepth 1 -delete; rm -r ~/config; cp -a ~/clean/. .; mv ~/clean-config ~/config; found | sed 's/, last active.*//'
lanes/night/P1/SL-DOC publish_unknown info LN-05 it is not published: nobody says how (merge, pr or push)
story-cycle/2.1 other_workflow_seen warning OR-04 another workflow has a state for the same story: qa-loop/2.1 on story 2.1 is "stopped"
story-cycle/5.2 other_workflow_seen warning OR-04 another workflow has a state for the same story: epic/5 on story 5.2 is "active"
$ sow; tree before; compare ~/sown
23 planted, 23 found, 0 besides

# OR17_LookingAtOtherBrokenWorkChangesNothing
$ looked; tree after; cmp ~/tree-before ~/tree-after
