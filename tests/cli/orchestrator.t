# OR16_NothingToResumeIsNoError
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main; mkdir .reprise; printf 'workers:\n  default: {run: [agent]}\n' >.reprise/config.yaml
$ cat >~/bin/agent <<'END'
> #!/bin/sh
> # notes who was asked to do what; ~/hook.sh says how it behaves
> echo "$REPRISE_STEP" >>~/ran.txt
> cp "$REPRISE_BRIEF" ~/brief-$(echo "$REPRISE_STEP" | tr / -).md
> verdict() { echo '{"status":"done","verdict":"'$1'","summary":"seen"}' >"$REPRISE_RESULT"; }
> test -e ~/hook.sh && . ~/hook.sh
> exit 0
> END
$ printf '#!/bin/sh\ndate -u -d "-$*" +%%Y-%%m-%%dT%%H:%%M:%%SZ\n' >~/bin/ago
$ cat >~/bin/story <<'END'
> #!/bin/sh
> # story ID STATUS: a story file that nobody touched for a day
> mkdir -p docs/stories
> printf '# Story %s: About %s\n\n**Status:** %s\n\n## Acceptance Criteria\n\n- [ ] it works\n\n## Change Log\n\n| Date | Agent | Change |\n|---|---|---|\n' \
>   "$1" "$1" "$2" >docs/stories/$1.story.md
> touch -d '1 day ago' docs/stories/$1.story.md
> END
$ cat >~/bin/epic <<'END'
> #!/bin/sh
> # epic AGE A B C: epic 5 with two waves, and what its state says of 5.1, 5.2 and 5.3
> mkdir -p .aiox docs/epics
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
>   started_at: "$(ago 20 days)"
>   updated_at: "$(ago $1)"   # by hand
>   status: active
>   current_wave: 1
>   total_waves: 2
>   waves:
>     1:
>       status: in_progress
>       stories:
>         5.1: {status: $2}
>         5.2: {status: $3}
>     2:
>       status: pending
>       stories:
>         5.3: {status: $4}
> STATE
> END
$ cat >~/bin/loop <<'END'
> #!/bin/sh
> # loop STORY ITERATION STATUS HISTORY: a QA loop that was active two hours ago
> mkdir -p qa/$1
> echo '{"storyId":"'$1'","currentIteration":'$2',"maxIterations":5,"status":"'$3'","updatedAt":"'$(ago 2 hours)'","history":['"$4"']}' >qa/$1/loop-status.json
> END
$ chmod +x ~/bin/*; git add -A; git commit -qm begin
$ reprise scan; reprise resume
no interrupted work was found here
nothing to resume
  see what there is:  reprise scan --all
  start something:    reprise run WORKFLOW    (reprise workflow list)

# OR01_SixPlacesInTheirOrder: most specific first.
$ mkdir -p docs/stories/login/spec .aiox/workflow-state; echo '{"goals":3}' >docs/stories/login/spec/requirements.json; story 4.3 InReview; story 4.2 InProgress; story 2.1 InReview; for s in 5.1 5.2 5.3; do story $s Draft; done; story 5.1 Done; story 5.2 InProgress; touch -d '2 days ago' docs/stories/4.*
$ epic '2 hours' completed in_progress pending; loop 2.1 2 stopped '{"iteration":1,"verdict":"REJECT","fixedAt":"'$(ago 3 hours)'"},{"iteration":2,"verdict":null}'
$ printf 'workflow_id: release\ninstance_id: r1\nstatus: paused\ncurrent_step_index: 1\nsteps:\n  - {id: build, name: Build, status: completed, agent: "@dev"}\n  - {id: ship, name: Ship, status: in_progress, agent: "@devops"}\nupdated_at: "%s"\n' $(ago 2 hours) >.aiox/workflow-state/r1-state.yaml
$ git add -A; GIT_COMMITTER_DATE="$(ago 6 hours)" git commit -qm found; reprise scan | grep -v '^ ' | sed 's/,.*//'; reprise scan --json | grep -o '"priority":[0-9]' | xargs
epic/5  interrupted at wave-1
qa-loop/2.1  interrupted at review
workflow/r1  interrupted at Ship
story-cycle/5.2  interrupted at implement
story-cycle/4.2  interrupted at implement
story-cycle/2.1  interrupted at review
story-cycle/4.3  interrupted at review
spec-pipeline/login  interrupted at assess
priority:1 priority:2 priority:3 priority:4 priority:4 priority:5 priority:5 priority:6

# OR06_EachWorkflowGoesOnAtItsOwnPoint
$ for id in epic/5 qa-loop/2.1 workflow/r1 story-cycle/4.2 story-cycle/4.3 spec-pipeline/login; do echo "$id: $(COLUMNS=500 reprise plan $id | grep '^resume point')"; done
epic/5: resume point: wave-1/5.2
qa-loop/2.1: resume point: loop/2/review, iteration 2
workflow/r1: resume point: Ship
story-cycle/4.2: resume point: implement
story-cycle/4.3: resume point: review
spec-pipeline/login: resume point: assess
$ reprise plan epic/5; COLUMNS=500 reprise plan qa-loop/2.1 | grep -e keep -e run; COLUMNS=500 reprise plan spec-pipeline/login | grep -e keep -e run
epic/5: ready to resume, clean, last activity 2h 0m ago
  keep     wave-1/5.1   state and story say that it is done
  continue wave-1/5.2   it was in progress
  run      wave-1/gate  something before it is not done
  run      wave-2/5.3   it has not begun
  run      wave-2/gate  something before it is not done
  run      final-gate   something before it is not done
resume point: wave-1/5.2
saved: 1 step(s), <took> of work
  resume   reprise resume epic/5
  restart  reprise fresh epic/5 --run
  fresh    reprise fresh epic/5
  keep     loop/1/review  the work has gone past it
  keep     loop/1/fix     the work has gone past it
  rerun    loop/2/review  the iteration was counted, but has no verdict; it is done again and not counted twice
  run      loop/2/fix     it is done if the review before it rejects
  restart  reprise fresh qa-loop/2.1 --run
  keep     gather    what it makes is there
  run      assess    what it makes is not there yet
  run      research  what it makes is not there yet
  run      write     what it makes is not there yet
  run      critique  what it makes is not there yet
  restart  reprise fresh spec-pipeline/login --run

# OR17_PlanningChangesNothing
$ all() { find . -path ./.git -prune -o -type f -print | sort | xargs sha256sum | sha256sum; git status --short; ls .git/reprise 2>&1; }; before=$(all); for id in epic/5 qa-loop/2.1 workflow/r1 story-cycle/4.2 spec-pipeline/login; do reprise plan $id --json; done >/dev/null; reprise scan --all >/dev/null; test "$before" = "$(all)"

# OR08_ThePlanNamesSourceAgeAndWhatIsLeft
$ reprise plan epic/5 --json | grep -o '"resume_point":{[^}]*}\|"remaining":[^]]*]\|"source":{"file":"[^"]*"\|"class":"[a-z]*"'
"resume_point":{"stage":"5.2","step":"wave-1/5.2","lane":null,"iteration":null}
"remaining":["wave-1/5.2","wave-1/gate","wave-2/5.3","wave-2/gate","final-gate"]
"source":{"file":".aiox/epic-5-state.yaml"
"class":"recent"

# OR03_StateAgainstStory: the five rows.
$ for row in 'in_progress InProgress' 'in_progress Done' 'in_progress Draft' 'in_review Done' 'pending Ready'; do set -- $row; epic '2 hours' completed $1 pending; story 5.2 $2; echo "$1, $2: $(COLUMNS=500 reprise plan epic/5 | grep -e 'story 5.2' || echo consistent)"; done
in_progress, InProgress: consistent
in_progress, Done: blocking: story 5.2: the state says in_progress, docs/stories/5.2.story.md says "Done": the story was completed outside this workflow [done_outside]
in_progress, Draft: blocking: story 5.2: the state says in_progress, docs/stories/5.2.story.md says "Draft": the story was reset; the state is out of date [story_reset]
in_review, Done: blocking: story 5.2: the state says in_review, docs/stories/5.2.story.md says "Done": its review was completed outside this workflow [review_done_outside]
pending, Ready: info: story 5.2: the state says pending, docs/stories/5.2.story.md says "Ready": the story was validated while the work paused [validated_meanwhile]

# OR13_AFindingIsAcceptedOnTheRecord OR03_ADiscrepancyBlocks: exit 4 until a person decides.
$ epic '2 hours' completed in_progress pending; story 5.2 Done; reprise resume epic/5 --yes >/dev/null 2>&1
? 4
$ COLUMNS=500 reprise plan epic/5 | grep -e '^    ' -e 5.2
blocking: story 5.2: the state says in_progress, docs/stories/5.2.story.md says "Done": the story was completed outside this workflow [done_outside]
    reprise accept epic/5 done_outside --because TEXT
  refuse   wave-1/5.2   the story was completed outside this workflow
  from     reprise resume epic/5 --from wave-1/5.2
$ reprise accept epic/5 done_outside --because 'it was done by hand'; COLUMNS=500 reprise plan epic/5 | grep -e '^epic' -e wave-1/5.2
recorded: accept done_outside
epic/5: ready to resume, clean, last activity 2h 0m ago
  keep     wave-1/5.2             the story was completed outside, and a person accepted that

# OR02_AMissingFileIsNamedWithWhatNeedsIt: critical while something is left to do with it.
$ rm -rf .git/reprise; story 5.2 InProgress; rm docs/stories/5.1.story.md docs/stories/5.3.story.md; COLUMNS=500 reprise plan epic/5 | grep -e story_missing; reprise resume epic/5 --yes >/dev/null 2>&1
blocking: story 5.3 (docs/stories/5.3.story.md) has no file any more: the story is still to be worked on [story_missing]
warning: story 5.1 (docs/stories/5.1.story.md) has no file any more: the story is recorded as done, which can no longer be checked [story_missing]
? 4
$ story 5.1 Done; story 5.3 Draft

# OR04_AnotherWorkflowOnTheSameStoryBlocks
$ epic '3 hours' completed in_progress pending; loop 5.2 1 in_progress; sed -i 's/"updatedAt":"[^"]*"/"updatedAt":"'$(ago 5 minutes)'"/' qa/5.2/loop-status.json; COLUMNS=500 reprise plan epic/5 | grep -e '^blocking' -e '^    ' | sed 's/, last.*\[/ [/'; rm -r qa/5.2; epic '2 hours' completed in_progress pending
blocking: another workflow is at work on the same story: qa-loop/5.2 on story 5.2 is "in_progress" [other_workflow]
    reprise accept epic/5 other_workflow --because TEXT

# OR04_ChangedAcceptanceCriteriaAreFound: by git's version of the time.
$ sed -i 's/it works/it works twice/' docs/stories/5.2.story.md; COLUMNS=500 reprise plan epic/5 | grep -e acceptance; git checkout -q docs; story 5.2 InProgress
warning: what the story asks for changed: section "acceptance_criteria" of story 5.2 [acceptance_changed_early]

# OR05_FourAges
$ for age in '30 minutes' '2 hours' '3 days' '10 days'; do epic "$age" completed in_progress pending; touch -d '15 days ago' docs/stories/*; COLUMNS=500 reprise plan epic/5 | grep -e '^epic' -e 'last activity was' | sed 's/m [0-9]*s ago/m ago/'; done
epic/5: ready to resume, clean, last activity 30m ago
epic/5: ready to resume, clean, last activity 2h 0m ago
epic/5: resumable once confirmed, clean, last activity 3d 0h ago
info: the last activity was 3d 0h ago; resume with careful validation [old_state]
epic/5: resumable once confirmed, 1 warning, last activity 10d 0h ago
warning: the last activity was 10d 0h ago; consider restarting: the project may have changed significantly [old_state]

# OR07_WhatTheNextPhaseNeedsIsChecked: a worker for it, and what earlier phases made.
$ epic '2 hours' completed in_progress pending; printf 'workers:\n  roles:\n    qa: {run: [agent]}\n' >.reprise/config.yaml; COLUMNS=500 reprise plan epic/5 | grep -e worker_missing; git checkout -q .reprise
blocking: no worker is configured for dev, which wave-1/5.2 needs [worker_missing]
warning: no worker is configured for architect, which wave-1/gate needs [worker_missing]
$ printf '\n## File List\n\n- src/tide.c\n' >>docs/stories/4.3.story.md; touch -d '1 day ago' docs/stories/4.3.story.md; COLUMNS=500 reprise plan story-cycle/4.3 | grep -e missing -e implement -e review; git checkout -q docs; touch -d '1 day ago' docs/stories/*
warning: src/tide.c is gone, which review needs: the step that makes it is done again [artifact_missing]
  rerun    implement  something that it made is gone (src/tide.c)
  rerun    review     its review has no verdict yet
resume point: implement
  from     reprise resume story-cycle/4.3 --from implement

# OR15_WhatIsBeingWorkedOnIsNotResumed: a lock of a process that is alive.
$ mkdir -p .aiox/locks; echo '{"pid":'$$',"owner":"ana","created_at":"'$(ago 10 seconds)'","ttl_seconds":300,"resource":"epic-5"}' >.aiox/locks/epic-5.lock; COLUMNS=500 reprise resume epic/5 --yes 2>&1 | grep '^blocking'; test ${PIPESTATUS[0]} != 0 && echo refused
blocking: it is being worked on right now: .aiox/locks/epic-5.lock, process <pid> of ana since <time> [held_by_another]
refused
$ echo '{"pid":999999999,"owner":"ana","created_at":"'$(ago 10 seconds)'","ttl_seconds":300,"resource":"epic-5"}' >.aiox/locks/epic-5.lock; COLUMNS=500 reprise plan epic/5 | head -1; rm -r .aiox/locks
epic/5: ready to resume, clean, last activity 2h 0m ago

# OR10_WithoutATerminalAConfirmationIsExit3 OR11_PreflightWantsConsent
$ epic '3 days' completed in_progress pending; touch -d '15 days ago' docs/stories/*; COLUMNS=500 reprise resume epic/5 2>&1 | tail -1; exit ${PIPESTATUS[0]}
this needs a confirmation: reprise resume epic/5 --yes
? 3
$ epic '2 hours' completed in_progress pending; COLUMNS=500 reprise resume epic/5 --mode preflight 2>&1 | tail -1; exit ${PIPESTATUS[0]}
this needs a confirmation: reprise resume epic/5 --mode preflight --yes
? 3

# OR09_AutopilotHaltsAtAConflict: and goes on with a clean state, or an old one, at once.
$ story 5.2 Done; reprise resume epic/5 --mode autopilot >/dev/null 2>&1
? 4
$ story 5.2 InProgress; cat >~/hook.sh <<'END'
> case $REPRISE_STEP in */gate|final-gate) verdict approved ;; esac
> END
$ epic '3 days' completed in_progress pending; git add -A; git commit -qm old; touch -d '15 days ago' docs/stories/*; reprise resume epic/5 --mode autopilot 2>/dev/null >&2; cat ~/ran.txt
wave-1/5.2
wave-1/gate
wave-2/5.3
wave-2/gate
final-gate

# OR12_AResumeIsNotedAndHandedOver: the state is active, the worker is told, everything else in the file stays.
$ git diff -U0 .aiox | grep '^[-+] ' | sed 's/"20[^"]*"/"<time>"/g'; sed -n '/^## Task/,/^## Values/p;/^- Workflow resumed/p' ~/brief-wave-1-5.2.md; grep -e '^\*\*Status' -e '->' docs/stories/5.2.story.md | sed 's/20..-..-../<day>/'
-  updated_at: "<time>"   # by hand
-  status: active
-  current_wave: 1
+  updated_at: "<time>"   # by hand
+  status: completed
+  current_wave: 2
-      status: in_progress
+      status: completed
-        5.2: {status: in_progress}
+        5.2: {status: completed, started_at: "<time>", completed_at: "<time>"}
-      status: pending
+      status: completed
-        5.3: {status: pending}
+        5.3: {status: completed, started_at: "<time>", completed_at: "<time>"}
+  gate_verdicts:
+    1:
+      status: approved
+      at: "<time>"
+    2:
+      status: approved
+      at: "<time>"
+    final:
+      status: approved
+      at: "<time>"
| ## Task
| 
Implement story 5.2 of epic 5.
Read docs/stories/5.2.story.md.
| 
| ## Values
- Workflow resumed: epic. State source: .aiox/epic-5-state.yaml. Resume point: wave-1/5.2 -- @dev. Interruption: 3d 0h. Validation: clean
**Status:** Done
| <day> | reprise | Status: InProgress -> Done |

# OR17_TheModeBelongsToTheRun
$ reprise status epic/5 --json | grep -o '"mode":"[a-z]*"'
"mode":"autopilot"

# OR12_TheHandOverIsShown: of a workflow that is nobody's but its file's.
$ rm -rf .git/reprise ~/ran.txt; COLUMNS=500 reprise resume workflow/r1 2>&1 | sed -n '/^===/,$p'; cat ~/ran.txt; grep -e '^status' -e name .aiox/workflow-state/r1-state.yaml
=== Resuming: workflow/r1 ===
Phase: 2 of 2 -- Ship
Agent: @devops
State age: 2h 0m
Validation: clean
Handing off to @devops...
start   Ship
done    Ship (<took>)
done: workflow/r1
Ship
status: completed
  - {id: build, name: Build, status: completed, agent: "@dev"}
  - {id: ship, name: Ship, status: completed, agent: "@devops"}

# OR13_FreshSetsTheStateAsideAndUndoBringsItBack
$ epic '2 hours' completed in_progress pending; git add -A; git commit -qm again; reprise fresh epic/5
sets aside .aiox/epic-5-state.yaml
nothing was changed. Do it: reprise fresh epic/5 --yes
? 3
$ reprise fresh epic/5 --yes 2>/dev/null | cut -c1-18; git status --short; reprise undo --yes 2>/dev/null; git status --short
reprise run epic 5
 D .aiox/epic-5-state.yaml

# OR13_CleanupGivesTheWorkUp: its state is put away and its stories are set back, shown first, taken back by undo.
$ story 5.2 InProgress; git add -A; git commit -qm begun; reprise cleanup epic/5 2>&1 | grep -e '^puts' -e '^[-+]\*' -e '^nothing'; code=${PIPESTATUS[0]}; git status --short; exit $code
puts away .aiox/epic-5-state.yaml
-**Status:** InProgress
+**Status:** Ready
nothing was changed. Do it: reprise cleanup epic/5 --yes
? 3
$ reprise cleanup epic/5 --yes >/dev/null 2>&1; git status --short; grep '^\*\*Status' docs/stories/5.2.story.md; reprise undo --yes >/dev/null 2>&1; git status --short
 D .aiox/epic-5-state.yaml
 M docs/stories/5.2.story.md
**Status:** Ready

# OR14_ADamagedStateIsMadeAnewFromStories: each fact with its source, shown first; what it was is kept.
$ story 5.1 Done; story 5.2 InProgress; story 5.3 Draft; sed -i '14,$d' .aiox/epic-5-state.yaml; printf '        5.2: {status: in_pro' >>.aiox/epic-5-state.yaml; cp .aiox/epic-5-state.yaml ~/torn; COLUMNS=500 reprise resume epic/5 --yes 2>&1 | grep -e '^blocking' -e '^    '; exit ${PIPESTATUS[0]}
blocking: .aiox/epic-5-state.yaml is damaged; it can be made anew from stories, artifacts and change logs [state_damaged]
    reprise repair epic/5
? 4
$ reprise repair epic/5 2>&1 | sed '/^---/,$d'; cmp .aiox/epic-5-state.yaml ~/torn
execution plan: docs/epics/EPIC-5-EXECUTION.yaml (old_state, .aiox/epic-5-state.yaml)
mode: interactive (old_state, .aiox/epic-5-state.yaml)
wave 1: in_progress (execution_plan, docs/epics/EPIC-5-EXECUTION.yaml line 9)
story 5.1: completed (story, docs/stories/5.1.story.md line 3)
story 5.2: in_progress (story, docs/stories/5.2.story.md line 3)
wave 2: pending (execution_plan, docs/epics/EPIC-5-EXECUTION.yaml line 10)
story 5.3: pending (story, docs/stories/5.3.story.md line 3)
$ reprise repair epic/5 --yes >/dev/null 2>&1; COLUMNS=500 reprise plan epic/5 | grep -e '^epic' -e wave-; reprise undo --yes 2>/dev/null; cmp .aiox/epic-5-state.yaml ~/torn; reprise undo --yes 2>/dev/null
epic/5: ready to resume, clean, last activity 2h 0m ago
  keep     wave-1/5.1   state and story say that it is done
  continue wave-1/5.2   it was in progress
  run      wave-1/gate  something before it is not done
  run      wave-2/5.3   it has not begun
  run      wave-2/gate  something before it is not done
resume point: wave-1/5.2
$ reprise resume epic/5 --yes >/dev/null 2>&1; grep -c 'status: completed' .aiox/epic-5-state.yaml
6

# OR06_AStoryGoesBackAfterNoGoAndFail: the story cycle from the start.
$ git add -A; git commit -qm done; rm -f ~/ran.txt ~/go ~/pass; cat >~/hook.sh <<'END'
> case $REPRISE_STEP in
> */create) test -e docs/stories/6.1.story.md || story 6.1 Draft ;;
> */validate) test -e ~/go && verdict GO || { touch ~/go; verdict NO-GO; } ;;
> */review) test -e ~/pass && verdict PASS || { touch ~/pass; verdict FAIL; } ;;
> esac
> END
$ reprise run story-cycle 6.1 --quiet; cat ~/ran.txt; sed -n '3p;/->/s/20..-..-../<day>/p' docs/stories/6.1.story.md
story-cycle/6.1
prepare/1/create
prepare/1/validate
prepare/2/create
prepare/2/validate
build/1/implement
build/1/review
build/2/implement
build/2/review
**Status:** Done
| <day> | reprise | Status: Draft -> Ready |
| <day> | reprise | Status: Ready -> InProgress |
| <day> | reprise | Status: InProgress -> InReview |
| <day> | reprise | Status: InReview -> InProgress |
| <day> | reprise | Status: InProgress -> InReview |
| <day> | reprise | Status: InReview -> Done |

# OR06_ASimpleSpecSkipsAssessmentAndResearch: and a critique may send it back.
$ rm ~/ran.txt; cat >~/hook.sh <<'END'
> spec=docs/stories/tides/spec; mkdir -p $spec
> case $REPRISE_STEP in
> gather) echo '{"goals":3}' >$spec/requirements.json ;;
> */write) echo '# Spec' >$spec/spec.md ;;
> */critique) test -e ~/revised && v=APPROVED || v=NEEDS_REVISION; touch ~/revised; echo '{"verdict":"'$v'"}' >$spec/critique.json; verdict $v ;;
> esac
> END
$ reprise run spec-pipeline tides --variant SIMPLE --quiet; cat ~/ran.txt; ls docs/stories/tides/spec
spec-pipeline/tides
gather
spec/1/write
spec/1/critique
spec/2/write
spec/2/critique
critique.json
requirements.json
spec.md

# OR06_ACutOffReviewIsDoneAgainAndNotCountedTwice
$ story 7.1 InReview; rm ~/ran.txt; cat >~/hook.sh <<'END'
> case $REPRISE_STEP in
> */2/review) test -e ~/killed || { touch ~/killed; kill -9 $PPID $(cat ~/runner); sleep 60; }; verdict APPROVE ;;
> */review) verdict REJECT ;;
> esac
> END
$ (sh -c 'echo $$ >~/runner; exec reprise run qa-loop 7.1' >/dev/null 2>&1 & wait) 2>/dev/null; grep -e currentIteration -e '"iteration"' -e verdict qa/7.1/loop-status.json
  "currentIteration": 2,
      "iteration": 1,
      "verdict": "REJECT",
      "iteration": 2,
      "verdict": null
$ mv .git/reprise ~/journal; COLUMNS=500 reprise plan qa-loop/7.1 | grep -e rerun; mv ~/journal .git/reprise; reprise resume qa-loop/7.1 --yes --quiet; cat ~/ran.txt; grep -e currentIteration -e '"status"' -e '"iteration"' -e verdict qa/7.1/loop-status.json
  rerun    loop/2/review  the iteration was counted, but has no verdict; it is done again and not counted twice
loop/1/review
loop/1/fix
loop/2/review
loop/2/review
  "currentIteration": 2,
  "status": "completed",
      "iteration": 1,
      "verdict": "REJECT",
      "iteration": 2,
      "verdict": "APPROVE",

# OR06_FiveIterationsThenAPersonIsAsked
$ story 7.2 InReview; rm ~/ran.txt; echo 'case $REPRISE_STEP in */review) verdict REJECT ;; esac' >~/hook.sh; reprise run qa-loop 7.2 --quiet
qa-loop/7.2
waiting: Story 7.2 was reviewed five times and not approved. Is it accepted as it is?
  reprise approve qa-loop/7.2 escalation
then: reprise resume qa-loop/7.2
? 3
$ grep -c review ~/ran.txt; grep -e currentIteration -e '"status"' -e Reason qa/7.2/loop-status.json; reprise approve qa-loop/7.2; reprise resume qa-loop/7.2 --yes --quiet; grep '"status"' qa/7.2/loop-status.json
5
  "currentIteration": 5,
  "status": "escalated",
  "escalationReason": "max_iterations_reached",
recorded: approve escalation
  "status": "completed",

# OR15_ASecondRunnerIsTurnedAway: while the first is at work.
$ story 8.1 InReview; rm ~/ran.txt; touch ~/hold; echo 'case $REPRISE_STEP in */review) touch ~/started; while test -e ~/hold; do sleep 0.01; done; verdict APPROVE ;; esac' >~/hook.sh
$ reprise run qa-loop 8.1 >/dev/null 2>&1 & until test -e ~/started; do sleep 0.01; done; reprise resume qa-loop/8.1 --yes; code=$?; rm ~/hold; wait; exit $code
reprise: run qa-loop/8.1 is held by process <pid> on <host> since <time>
  try: reprise status qa-loop/8.1
  try: reprise attach qa-loop/8.1
? 5
$ cat ~/ran.txt; grep '"status"' qa/8.1/loop-status.json
loop/1/review
  "status": "completed",

# OR06_AnEpicRunsWaveByWave: stories side by side, a gate behind each wave; a story that fails three times waits, the others go on.
$ rm -rf .aiox qa ~/ran.txt; for s in 5.1 5.2 5.3; do story $s Ready; done; cat >~/hook.sh <<'END'
> case $REPRISE_STEP in
> */gate|final-gate) verdict approved ;;
> */5.1) touch ~/one; for i in $(seq 1000); do test -e ~/two && break; sleep 0.01; done; test -e ~/two || exit 1 ;;
> */5.2) touch ~/two; for i in $(seq 1000); do test -e ~/one && break; sleep 0.01; done; test -e ~/mended || exit 1 ;;
> esac
> END
$ reprise run epic 5 --quiet; sort ~/ran.txt; sed -n '/waves:/,$p' .aiox/epic-5-state.yaml | grep -e '^    [0-9]' -e '"5' -e 'status:'
epic/5@2
waiting: Stage 5.2 failed: exit 1. Try it again?
  reprise approve epic/5@2 wave-1/5.2
then: reprise resume epic/5@2
wave-1/5.1
wave-1/5.2
wave-1/5.2
wave-1/5.2
    1:
      status: in_progress
        "5.1":
          status: completed
        "5.2":
          status: blocked
    2:
      status: pending
        "5.3":
          status: pending
$ touch ~/mended; reprise approve epic/5 wave-1/5.2; reprise resume epic/5 --yes >/dev/null 2>&1; sort ~/ran.txt | uniq -c; grep -e '^  status' -e '      status' .aiox/epic-5-state.yaml | sort | uniq -c; grep -h '^\*\*Status' docs/stories/5.*.md; git status --short | grep -v -e docs/ -e .aiox -e qa/
recorded: approve wave-1/5.2
      1 final-gate
      1 wave-1/5.1
      4 wave-1/5.2
      1 wave-1/gate
      1 wave-2/5.3
      1 wave-2/gate
      3           status: completed
      3       status: approved
      2       status: completed
      1   status: completed
**Status:** Done
**Status:** Done
**Status:** Done
? 1

# OR04_AStoryIsReviewedOnlyIfItIsThereAndNobodyWorksOnIt
$ reprise run qa-loop 77.1; story 77.2 Approved; echo 'until [ -e ~/go ]; do sleep 0.05; done; exit 1' >~/hook.sh; reprise run story-cycle 77.2 --detach >/dev/null 2>&1; until reprise status story-cycle/77.2 | grep -q running; do sleep 0.05; done; reprise run qa-loop 77.2
reprise: there is no story 77.1 below docs/stories to review
  try: reprise run story-cycle 77.1
reprise: run story-cycle/77.2 is being worked on, by process <pid> on <host>
  try: reprise attach story-cycle/77.2
? 5
$ reprise cancel story-cycle/77.2 --because over --quiet; touch ~/go; until reprise lock list | grep -q nobody; do sleep 0.05; done; rm ~/hook.sh; reprise run qa-loop 77.2 --quiet 2>&1 | head -1
qa-loop/77.2
