# The three modes, without a terminal: what is decided, said and logged. On a terminal: prompts_test.cc.
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main; mkdir -p .reprise/workflows; printf 'workers:\n  default: {run: [agent]}\n' >.reprise/config.yaml
$ cat >~/bin/agent <<'END'
> #!/bin/sh
> echo "$REPRISE_RUN $REPRISE_STEP" >>~/ran.txt
> verdict() { echo '{"status":"done","verdict":"'$1'"}' >"$REPRISE_RESULT"; }
> case $REPRISE_STEP in */gate|final-gate) verdict approved ;; */review) verdict PASS ;; esac
> exit 0
> END
$ printf '#!/bin/sh\ndate -u -d "-$*" +%%Y-%%m-%%dT%%H:%%M:%%SZ\n' >~/bin/ago
$ cat >~/bin/story <<'END'
> #!/bin/sh
> mkdir -p docs/stories
> printf '# Story %s: About %s\n\n**Status:** %s\n\n## Acceptance Criteria\n\n- [ ] it works\n\n## Dependencies\n\n%s\n\n## Change Log\n\n| Date | Agent | Change |\n|---|---|---|\n' "$1" "$1" "$2" "$3" >docs/stories/$1.story.md
> touch -d '15 days ago' docs/stories/$1.story.md
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
>   mode: ${MODE:-interactive}
>   started_at: "$(ago 20 days)"
>   updated_at: "$(ago $1)"
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
> touch -d '15 days ago' docs/epics/*
> END
$ chmod +x ~/bin/*; story 5.1 Done; story 5.2 InProgress; story 5.3 Draft '- Story 5.2'; epic '2 hours' completed in_progress pending; printf 'name: w\nlimits: {parallel: 1}\nstages:\n  make: {run: "echo made >made.txt", produces: [made.txt]}\n  ship: {needs: make, gate: {ask: "Ship it?", shows: [made.txt]}}\n  push: {needs: ship, inputs: [made.txt], run: "cp made.txt pushed.txt", produces: [pushed.txt]}\n' >.reprise/workflows/w.yaml; git add -A; GIT_COMMITTER_DATE="$(ago 20 days)" git commit -qm begin

# OR10_SeveralWithoutATerminalAreExit2WithTheCommands
$ reprise run w one --quiet >/dev/null 2>&1
? 3
$ reprise resume
reprise: several runs can be resumed; say which
  try: reprise resume epic/5
  try: reprise resume w/one
  try: reprise resume story-cycle/5.2
? 2
$ reprise resume --json | grep -o '"hints".*'; exit ${PIPESTATUS[0]}
reprise: several runs can be resumed; say which
  try: reprise resume epic/5
  try: reprise resume w/one
  try: reprise resume story-cycle/5.2
"hints":["reprise resume epic/5","reprise resume w/one","reprise resume story-cycle/5.2"]}}
? 2

# OR09_AutopilotTakesTheMostRecentAndSaysWhichWerePassedOver: the choice is printed before anything starts, and logged.
$ reprise approve w/one --quiet; reprise resume --mode autopilot 2>&1 | grep -e autopilot -e '^done'
autopilot chose w/one: of 3 it was active last, <took> ago
autopilot passed over epic/5: its last activity is longer ago, 2h 0m
autopilot passed over story-cycle/5.2: epic/5 covers it
autopilot resumes w/one at once: the state is clean and <took> old
done    push (<took>)
done: w/one
$ reprise events w/one | grep -o 'autopilot .*'
autopilot chose w/one: of 3 it was active last, <took> ago","by":"autopilot"}
autopilot passed over epic/5: its last activity is longer ago, 2h 0m","by":"autopilot"}
autopilot passed over story-cycle/5.2: epic/5 covers it","by":"autopilot"}
autopilot resumes w/one at once: the state is clean and <took> old","by":"autopilot"}

# OR09_WarningsAreLoggedAndTheRunGoesOn: a state that is older than a day counts as one with a warning.
$ epic '3 days' completed in_progress pending; reprise resume epic/5 --mode autopilot 2>&1 | grep -e autopilot -e '^info' -e '^warning' -e '^done'; grep -c epic/5 ~/ran.txt; reprise events epic/5 | grep -o 'autopilot .*\|the last activity was.*'
info: the last activity was 3d 0h ago; resume with careful validation [old_state]
autopilot resumes epic/5 with a warning: the state is 3d 0h old
info: the last activity was 3d 0h ago; resume with careful validation [old_state]
done    wave-1/5.2 (<took>)
done    wave-1/gate (<took>) verdict approved
done    wave-2/5.3 (<took>)
done    wave-2/gate (<took>) verdict approved
done    final-gate (<took>) verdict approved
done: epic/5
5
autopilot resumes epic/5 with a warning: the state is 3d 0h old","by":"autopilot"}
the last activity was 3d 0h ago; resume with careful validation [old_state]","by":"autopilot"}
$ reprise status epic/5 --json | grep -o '"mode":"[a-z]*"'
"mode":"autopilot"

# OR17_TheModeOfTheOriginalWorkflowIsTheResumes: an epic that was started in autopilot is resumed so.
$ rm -rf .git/reprise ~/ran.txt; git checkout -q docs; touch -d '15 days ago' docs/*/*; MODE=yolo epic '3 days' completed in_progress pending; reprise resume epic/5 2>&1 | grep -e autopilot -e confirmation; grep -c epic/5 ~/ran.txt; rm -rf .git/reprise ~/ran.txt; MODE=preflight epic '2 hours' completed in_progress pending; git checkout -q docs; touch -d '15 days ago' docs/*/*; reprise resume epic/5 2>&1 | tail -1; ls ~/ran.txt 2>&1 | wc -l
autopilot resumes epic/5 with a warning: the state is 3d 0h old
5
this needs a confirmation: reprise resume epic/5 --yes
1

# OR09_AConflictHaltsAndNothingIsStarted: exit 4 with the commands, nothing adopted.
$ story 5.2 Done; epic '2 hours' completed in_progress pending; reprise resume --mode autopilot 2>&1 | grep -e autopilot -e blocking -e 'reprise ' -e '^blocked'; code=${PIPESTATUS[0]}; ls ~/ran.txt .git/reprise 2>&1 | grep -c 'No such'; exit $code
autopilot chose epic/5: it is the only interrupted work
blocking: story 5.2: the state says in_progress, docs/stories/5.2.story.md says "Done": the story was completed outside this workflow [done_outside]
    reprise accept epic/5 done_outside --because TEXT
  accept   reprise accept epic/5 done_outside --because TEXT
  from     reprise resume epic/5 --from wave-1/5.2
  restart  reprise fresh epic/5 --run
  fresh    reprise fresh epic/5
  cleanup  reprise cleanup epic/5
autopilot halts at epic/5: 1 conflict
blocking: story 5.2: the state says in_progress, docs/stories/5.2.story.md says "Done": the story was completed outside this workflow [done_outside]
blocked; see the way out above
2
? 4

# OR09_TheLogIsInTheDocument
$ reprise resume epic/5 --mode autopilot --json | grep -o '"log":.*'
blocked; see the way out above
"log":["autopilot halts at epic/5: 1 conflict","blocking: story 5.2: the state says in_progress, docs/stories/5.2.story.md says \"Done\": the story was completed outside this workflow [done_outside]"]}

# OR10_ConfirmationHintsKeepWhatWasTyped
$ story 5.2 InProgress; epic '3 days' completed in_progress pending; reprise resume epic/5 --from wave-1/5.2 --mode interactive 2>&1 | tail -1; reprise resume epic/5 --mode preflight --detach 2>&1 | tail -1
this needs a confirmation: reprise resume epic/5 --from wave-1/5.2 --mode interactive --yes
this needs a confirmation: reprise resume epic/5 --mode preflight --detach --yes
$ epic '2 hours' completed in_progress pending; reprise fresh epic/5 --run 2>&1 | tail -1; reprise plan epic/5 --from wave-1/5.2 | grep 'resume  '
nothing was changed. Do it: reprise fresh epic/5 --run --yes
  resume   reprise resume epic/5 --from wave-1/5.2

# OR11_PreflightReportsEveryFileStatusAndDependency: then it wants consent; nothing was started or changed.
$ before=$(git status --short; ls .git/reprise 2>&1); reprise resume epic/5 --mode preflight 2>&1 | sed -n '/^===/,$p'; code=${PIPESTATUS[0]}; test "$before" = "$(git status --short; ls .git/reprise 2>&1)" && echo unchanged; exit $code
=== Pre-flight: epic/5 ===
| 
Interrupted: 2h 0m ago (recent)
State source: .aiox/epic-5-state.yaml
Validation: clean
| 
Files: 5 same
  same .aiox/epic-5-state.yaml
      state; now sha256:<commit>, 421 bytes, <time>
  same docs/epics/EPIC-5-EXECUTION.yaml
      execution plan, wave-1/5.2; now sha256:<commit>, 432 bytes, <time>
  same docs/stories/5.1.story.md
      story, story 5.1; now sha256:<commit>, 156 bytes, <time>
  same docs/stories/5.2.story.md
      story, story 5.2; now sha256:<commit>, 162 bytes, <time>
  same docs/stories/5.3.story.md
      story, story 5.3; now sha256:<commit>, 168 bytes, <time>
| 
Statuses: 3 compared, 0 do not agree
  agrees story 5.1: recorded completed, seen Done (docs/stories/5.1.story.md)
  agrees story 5.2: recorded in_progress, seen InProgress (docs/stories/5.2.story.md)
  agrees story 5.3: recorded pending, seen Draft (docs/stories/5.3.story.md)
| 
Dependencies: 7 followed, 0 broken
  sound wave-1/gate needs wave-1/5.1: done
  sound wave-1/gate needs wave-1/5.2: comes before it
  sound wave-2/5.3 needs wave-1: comes before it
  sound wave-2/gate needs wave-1: comes before it
  sound wave-2/gate needs wave-2/5.3: comes before it
  sound final-gate needs wave-2: comes before it
  sound story 5.3 needs story 5.2: comes before it
| 
The plan from here to the end: 5 steps
  2. continue wave-1/5.2 -- @dev: it was in progress
  3. run wave-1/gate -- @architect: something before it is not done
  4. run wave-2/5.3 -- @dev: it has not begun
  5. run wave-2/gate -- @architect: something before it is not done
  6. run final-gate -- @architect: something before it is not done
| 
Risks: 1
  - it was begun before, wave-1/5.2: it was in progress
| 
Saved: 1 step
| 
this needs a confirmation: reprise resume epic/5 --mode preflight --yes
unchanged
? 3
$ reprise resume epic/5 --mode preflight --json | grep -o '"preflight":{"validation":"[a-z]*"\|"statuses":\[.*\],"dep\|"risks":.*'
this needs a confirmation: reprise resume epic/5 --mode preflight --yes
"preflight":{"validation":"clean"
"statuses":[{"subject":"story 5.1","file":"docs/stories/5.1.story.md","claimed":"completed","seen":"Done","agrees":true},{"subject":"story 5.2","file":"docs/stories/5.2.story.md","claimed":"in_progress","seen":"InProgress","agrees":true},{"subject":"story 5.3","file":"docs/stories/5.3.story.md","claimed":"pending","seen":"Draft","agrees":true}],"dep
"risks":["it was begun before, wave-1/5.2: it was in progress"]}}

# OR11_AMissingStoryAChangedOneAndACircleAreSeen
$ rm docs/stories/5.3.story.md; sed -i 's/it works/it works twice/' docs/stories/5.2.story.md; story 5.1 Done '- Story 5.2'; sed -i 's/^## Dependencies/&\n\n- Story 5.1/' docs/stories/5.2.story.md; reprise resume epic/5 --mode preflight 2>&1 | grep -e '^  missing' -e '^  changed' -e '^  differs' -e '^  broken' -e critical; git checkout -q docs; touch -d '15 days ago' docs/*/*
  changed docs/stories/5.2.story.md
  missing docs/stories/5.3.story.md
      story, story 5.3, critical
  differs story 5.3: recorded pending, seen no file (docs/stories/5.3.story.md)
  broken story 5.1 needs story 5.2: goes round in a circle
  broken story 5.2 needs story 5.1: goes round in a circle

# OR11_OfARunOfOursEveryRecordedFileIsCompared
$ reprise run w two --quiet >/dev/null 2>&1; reprise approve w/two --quiet; echo other >made.txt; reprise resume w/two --mode preflight 2>&1 | sed -n '/^===/,$p'
=== Pre-flight: w/two ===
| 
Interrupted: <took> ago (fresh)
State source: the journal; definition .reprise/workflows/w.yaml
Validation: 1 warning
| 
Files: 1 changed, 1 new
  changed made.txt
      approved, ship; recorded sha256:<commit>; now sha256:<commit>, 6 bytes, <time>
  new pushed.txt
      artifact, push; now sha256:<commit>, 5 bytes, <time>
| 
Statuses: 1 compared, 0 do not agree
  agrees make: recorded done, seen done
| 
Dependencies: 2 followed, 0 broken
  sound ship needs make: done
  sound push needs ship: comes before it
| 
The plan from here to the end: 2 steps
  2. wait ship: it was approved, but what it shows has changed since (made.txt)
  3. run push: it never started
| 
Waits for a person:
  - gate ship: Ship it?
| 
Risks: 2
  - warning: made.txt was changed after step make produced it [artifact_changed]
  - it stops until a person decides, gate ship: Ship it?
| 
Saved: 1 step, <took> of work
| 
this needs a confirmation: reprise resume w/two --mode preflight --yes
$ rm made.txt; reprise resume w/two --mode preflight --json 2>/dev/null | grep -o '"preflight":.*' | grep -o '"path":"[^"]*","role":"[a-z]*","standing":"[a-z]*"'
"path":"made.txt","role":"approved","standing":"missing"
"path":"pushed.txt","role":"artifact","standing":"new"

# OR11_YesIsTheConsentOfAScript
$ reprise resume w/two --mode preflight --yes --json 2>/dev/null | grep -o '"outcome":{[^}]*}\|"preflight":{"validation":"[^"]*"'; cat pushed.txt
"outcome":{"status":"done","exit":0,"failed_step":null,"reason":"","waiting_for":[],"next":[]}
"preflight":{"validation":"clean"
made

# OR16_NothingToResumeOffersTwoAlternatives
$ rm -rf .aiox docs .git/reprise; reprise resume; reprise resume --mode autopilot
nothing to resume
  see what there is:  reprise scan --all
  start something:    reprise run WORKFLOW    (reprise workflow list)
nothing to resume
  see what there is:  reprise scan --all
  start something:    reprise run WORKFLOW    (reprise workflow list)
