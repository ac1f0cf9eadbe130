# TP04_ATierTakesItsShareOfThePhases: the same run in the three tiers; a stub stands in for every agent.
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main; mkdir .reprise
$ cat >~/bin/agent <<'END'
> #!/bin/sh
> # notes who was asked to do what; ~/hook.sh says how it behaves
> echo "$REPRISE_STEP" >>~/ran.txt
> cp "$REPRISE_BRIEF" ~/brief-$(echo "$REPRISE_STEP" | tr / -).md
> test -e ~/hook.sh && . ~/hook.sh
> exit 0
> END
$ cat >~/bin/task <<'END'
> #!/bin/sh
> # task LIST ID SUBJECT STATUS METADATA [BLOCKERS]: a task as a coding agent leaves it
> mkdir -p ~/.claude/tasks/$1
> printf '{"id":"%s","subject":"%s","description":"All about %s.","status":"%s","blocks":[],"blockedBy":[%s],"metadata":{%s}}' \
>   "$2" "$3" "$2" "$4" "$6" "$5" >~/.claude/tasks/$1/$2.json
> END
$ cat >~/bin/permanent <<'END'
> #!/bin/sh
> # permanent LIST TIER PHASE [MORE]: the permanent task of a list
> task $1 1 "[PERMANENT] Tides" pending '"tier":"'$2'","current_phase":"'$3'","branch":"main"'"$4"
> END
$ chmod +x ~/bin/*; printf 'workers:\n  default: {run: [agent]}\n' >.reprise/config.yaml; git add -A; git commit -qm begin
$ for tier in TRIVIAL STANDARD COMPLEX; do reprise run task-pipeline new-$tier --variant $tier --quiet; tr '\n' ' ' <~/ran.txt; echo; rm ~/ran.txt; done
task-pipeline/new-TRIVIAL
P0/lead P6/lead P8/lead 
task-pipeline/new-STANDARD
P0/lead P1/lead P2/lead P3/lead P6/lead P7/lead P8/lead 
task-pipeline/new-COMPLEX
P0/lead P1/lead P2/lead P3/lead P4/lead P5/lead P6/lead P7/lead P8/lead 
$ git status --short; reprise task list --list new-TRIVIAL
task-pipeline/new-TRIVIAL  (it is the list of a run)
  1    completed    -         P8  [PERMANENT] new-TRIVIAL

# TP10_TasksWithoutBlockersRunSideBySide: each of two waits until the other has begun; the third waits for both.
$ cat >~/hook.sh <<'END'
> case $REPRISE_STEP in
> P0/lead) echo '{"status":"done","tasks":[{"id":"a","subject":"Heights","phase":"P6"},{"id":"b","subject":"Times","phase":"P6"},{"subject":"Both","phase":"P6","blockedBy":["a","b"]}]}' >"$REPRISE_RESULT" ;;
> P6/tasks/2) touch ~/two; for i in $(seq 1000); do test -e ~/three && break; sleep 0.01; done; test -e ~/three || exit 1 ;;
> P6/tasks/3) touch ~/three; for i in $(seq 1000); do test -e ~/two && break; sleep 0.01; done; test -e ~/two || exit 1 ;;
> P6/tasks/4) echo "after both" >>~/ran.txt ;;
> esac
> END
$ reprise run task-pipeline side --variant TRIVIAL --quiet; sort ~/ran.txt; reprise task list --list side
task-pipeline/side
P0/lead
P6/lead
P6/tasks/2
P6/tasks/3
P6/tasks/4
P8/lead
after both
task-pipeline/side  (it is the list of a run)
  1    completed    -         P8  [PERMANENT] side
  2    completed    -         P6  Heights
  3    completed    -         P6  Times
  4    completed    -         P6  Both
$ rm ~/two ~/three ~/ran.txt; permanent cut COMPLEX P6; task cut 2 Heights in_progress '"phase":"P6"'; task cut 3 Times in_progress '"phase":"P6"'
$ reprise resume task-pipeline/cut --yes --quiet; sort ~/ran.txt; ls ~/two ~/three | wc -l
P6/tasks/2
P6/tasks/3
P7/lead
P8/lead
2

# TP02_ThePermanentTaskIsKnownByItsSubject: tier, branch and phase are taken from it, or from its description.
$ rm -rf ~/.claude/tasks ~/hook.sh ~/ran.txt .git/reprise; permanent tides STANDARD P2; task tides 2 'Ask' completed '"phase":"P0"'; task tides 3 'Draw' completed '"phase":"P1"'; task tides 4 'Search' in_progress '"phase":"P2"'; task tides 5 'Read' completed '"phase":"P2"'; task tides 6 'Build' pending '"phase":"P6"' '"4"'
$ reprise scan | sed "s|$HOME|~|"; COLUMNS=500 reprise plan tides --report l2 | sed -n '/Recovery summary/,/Readiness/p'
task-pipeline/tides  interrupted at P2
  3 of 5 tasks are completed
  ~/.claude/tasks/tides
  reprise plan task-pipeline/tides
| ## Recovery summary
| 
- List: tides
- Permanent task: 1, current phase P2 by metadata, resumed 0 times before
- Tier: STANDARD
- Last completed phase: P1 (design)
- Resume phase: P2 (research)
- Work tasks: 3 of 5 completed, 1 in progress, 1 pending, 0 failed
- Readiness: ready
$ task words 1 '[PERMANENT] In words' pending ''; sed -i 's/All about 1./Tier: STANDARD\\nBranch: main\\n\\n| Phase | Status |\\n|---|---|\\n| P0-P1 | COMPLETE |\\n| P2 | IN_PROGRESS |\\n| P3-P8 | PENDING |/' ~/.claude/tasks/words/1.json; task words 2 'Search' in_progress '"phase":"P2"'
$ COLUMNS=500 reprise plan words --report l2 | grep -e '^- Permanent' -e '^- Tier'
- Permanent task: 1, current phase P2 by description, resumed 0 times before
- Tier: STANDARD

# TP03_WorkTasksAreSortedByStatus TP22_L1IsTheSeedsYaml: the permanent task is not counted.
$ reprise plan tides --report l1
domain: cross-cutting
skill: pipeline-resume
last_completed_phase: "P1"
resume_phase: "P2"
total_tasks: 5
completed_tasks: 3
in_progress_tasks: 1
pending_tasks: 1
failed_tasks: 0
contradictions: []

# TP22_TheSignalIsOneLine
$ COLUMNS=500 reprise plan tides --report signal | tee ~/signal
PASS|resume:P2|tasks:3/5|ref:.git/reprise/attempts/task-pipeline/tides/pipeline-resume.md

# TP22_TheReportHasMatrixRationaleAndQualityGate
$ COLUMNS=500 reprise plan tides --report l2 | sed -n '/^## Phase matrix/,/^## Contradictions/p'
| ## Phase matrix
| 
| Phase | Tasks | Completed | Failed | Pending | In progress | Stale | Suspect | Standing |
|-------|-------|-----------|--------|---------|-------------|-------|---------|----------|
| P0 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | completed |
| P1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | completed |
| P2 | 2 | 1 | 0 | 0 | 1 | 0 | 0 | incomplete |
| P3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | not started |
| P6 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | incomplete |
| P7 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | not started |
| P8 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | not started |
| 
| ## Resume rationale
| 
- Resume at P2: its tasks differ in status (TP-06 incomplete)
- Granularity: phase-level, in the standard tier an incomplete phase restarts as a whole (TP-11 standard phase)
- Reconstruction: shallow, permanent task and statuses say enough in this tier (TP-11 shallow)
- Resume count: it was not resumed before (TP-14 first)
- P2/4: rerun, it was cut off, and in this tier a phase restarts as a whole (TP-06 restart)
- P2/5: rerun, it is completed, but its phase is not, and in this tier a phase restarts as a whole (TP-06 mixed)
- P3: run, it comes after a phase that is not done (TP-03 later)
- P6/6: run, it was not started (TP-03 pending)
- P7: run, it comes after a phase that is not done (TP-03 later)
- P8: run, it comes after a phase that is not done (TP-03 later)
- Kept: 2
| 
| ## Contradictions
$ COLUMNS=500 reprise plan tides --report l2 | sed -n '/^## Quality gate/,/^## Checklist/p'
| ## Quality gate
| 
- [x] PERMANENT Task found and context extracted: current_phase P2 (metadata), tier STANDARD, branch main, 0 references
- [x] All task statuses accurately determined: 3 / 1 / 1 / 0
- [x] Resume point identified with clear rationale: P2
- [x] Git branch state validated: the branch is the permanent task's
- [x] No task status contradictions (or contradictions explicitly resolved): none
- [ ] Agents re-spawned with sufficient context to continue: nothing is started yet; 3 tasks with permanent task and description, 0 of them with partial output
- [x] User informed of resume strategy before execution begins: shown before anything was done
| 
| ## Checklist

# TP21_TheChecklistIsInTheSeedsOrder
$ COLUMNS=500 reprise plan tides --report l2 | sed -n '/^## Checklist/,$p'
| ## Checklist
| 
```
Resume Checklist:
[x] TaskList -- retrieve all tasks in the session: 5 work tasks in list tides
[x] Find [PERMANENT] task by subject prefix: task 1
[x] TaskGet PT -- extract current_phase, tier, branch, references: current_phase P2 (metadata), tier STANDARD, branch main, 0 references
[x] Categorize work tasks: completed / in_progress / pending / failed: 3 / 1 / 1 / 0
[x] Check git branch matches PT expectations: the branch is the permanent task's
[x] Check git status for uncommitted changes: clean
[x] Detect compaction (check if session context was summarized): nothing is taken from memory; all of this was read from tasks, git and files
[x] Identify resume point: first non-completed phase: P2
[x] Check for task status contradictions and resolve: none
[x] Build resume context for agents: PT + task descriptions + any partial output: 3 tasks with permanent task and description, 0 of them with partial output
[x] Present reconstructed state to user before acting: shown before anything was done
[ ] Update PT metadata: resume_count++, current_phase = resume point: to be written on resume: resume_count 1, current_phase P2
```

# TP24_TheStateIsReadFromTheRecordEachTime TP24_LookingChangesNothing: without the journal it is the same.
$ all() { (cd ~/.claude && find . -type f | sort | xargs sha256sum; cd "$OLDPWD"; find . -path ./.git -prune -o -type f -print | sort | xargs sha256sum) | sha256sum; }; before=$(all); reprise scan >/dev/null; reprise plan tides --report l2 >~/first; reprise plan tides >/dev/null; test "$before" = "$(all)" && rm -rf .git/reprise && COLUMNS=500 reprise plan tides --report l2 | cmp - ~/first

# TP06_AMixedPhaseRestartsAsAWhole TP23_AResumeIsCountedAndCompletedTasksStay
$ COLUMNS=500 reprise plan tides | grep -e 'P2/' -e '^resume point'
  rerun    P2/4  it was cut off, and in this tier a phase restarts as a whole
  rerun    P2/5  it is completed, but its phase is not, and in this tier a phase restarts as a whole
resume point: P2/4
$ echo 'echo "with $(grep -o "\"current_phase\":\"P.\"\|\"resume_count\":." ~/.claude/tasks/tides/1.json | xargs)" >>~/ran.txt' >~/hook.sh
$ reprise resume tides --yes --quiet; sort ~/ran.txt; ls ~/.claude/tasks/tides
P2/tasks/4
P2/tasks/5
P3/lead
P6/tasks/6
P7/lead
P8/lead
with current_phase:P2 resume_count:1
with current_phase:P2 resume_count:1
with current_phase:P3 resume_count:1
with current_phase:P6 resume_count:1
with current_phase:P7 resume_count:1
with current_phase:P8 resume_count:1
1.json
2.json
3.json
4.json
5.json
6.json
$ grep -o '"current_phase":"P."\|"resume_count":[0-9]' ~/.claude/tasks/tides/1.json; cat ~/.claude/tasks/tides/2.json; echo; reprise task list --list tides
"current_phase":"P8"
"resume_count":1
{"id":"2","subject":"Ask","description":"All about 2.","status":"completed","blocks":[],"blockedBy":[],"metadata":{"phase":"P0"}}
tides  (it was named)
  1    completed    -         P8  [PERMANENT] Tides
  2    completed    -         P0  Ask
  3    completed    -         P1  Draw
  4    completed    -         P2  Search
  5    completed    reprise   P2  Read
  6    completed    reprise   P6  Build

# TP22_TheReportIsKeptWhereTheSignalSays
$ head -3 "$(sed 's/.*ref://' ~/signal)"
| # Recovery report: Tides
| 
| ## Recovery summary

# TP05_ATrivialPipelineGoesOnByItsOneTask: completed, failed, cut off, none.
$ rm -rf ~/.claude/tasks .git/reprise ~/hook.sh ~/ran.txt; permanent t TRIVIAL P6
$ for status in completed failed in_progress; do task t 2 'Paint' $status '"phase":"P6"'; echo "$status: $(COLUMNS=500 reprise plan t | grep '^resume point')"; done
completed: resume point: P8
failed: resume point: P6/2
in_progress: resume point: P6/2
$ rm ~/.claude/tasks/t/2.json; permanent t TRIVIAL P0; COLUMNS=500 reprise plan t | grep '^resume point'
resume point: P0

# TP07_ATaskBehindAFailedBlockerIsVerified: and all of its phase before the next one.
$ rm -rf ~/.claude/tasks; echo one >one.txt; echo two >two.txt; git add -A; git commit -qm files; touch -d '2020-01-01' one.txt two.txt
$ permanent c COMPLEX P7; task c 2 'Base' failed '"phase":"P6"'; task c 3 'On it' completed '"phase":"P6","output":"one.txt"' '"2"'; task c 4 'Beside' completed '"phase":"P6","output":"two.txt"'; task c 5 'Check' completed '"phase":"P7","output":"two.txt"'
$ COLUMNS=500 reprise plan c | grep -e '^warning' -e P6/ -e P7/
warning: the permanent task is at P7, but by its tasks it is at P6 [permanent_ahead]
warning: task 3 is completed, but task 2, which blocks it, is failed [suspect_task]
warning: work of phase P7 was begun, but phase P6 is not done [phase_out_of_order]
  rerun    P6/2  it failed
  verify   P6/3  it is completed, but something that blocks it failed (task 2)
  keep     P6/4  it is completed
  verify   P7/5  it is completed, but something before it is not done, runs again or is verified
resume point: P6/2

# TP17_ContradictionsAreListedAndTheCarefulReadingWins TP20_APermanentTaskAheadIsNotBelieved
$ COLUMNS=500 reprise plan c --report l1 | sed -n '/contradictions/,$p'
contradictions:
  - "permanent_ahead: the permanent task is at P7, but by its tasks it is at P6"
  - "suspect_task: task 3 is completed, but task 2, which blocks it, is failed"
  - "phase_conflict: phase P6 has 2 completed and 1 failed tasks"
  - "phase_out_of_order: work of phase P7 was begun, but phase P6 is not done"
$ COLUMNS=500 reprise plan c --report l2 | sed -n '/^## Contradictions/,/^## Other/p'
| ## Contradictions
| 
- permanent_ahead: the permanent task is at P7, but by its tasks it is at P6. Resolved: the tasks count; current_phase is reset.
- suspect_task: task 3 is completed, but task 2, which blocks it, is failed. Resolved: the failed blocker counts; the completed task is verified.
- phase_conflict: phase P6 has 2 completed and 1 failed tasks. Resolved: the failed task counts; the phase is incomplete.
- phase_out_of_order: work of phase P7 was begun, but phase P6 is not done. Resolved: the earlier phase counts; what lies behind it is verified.
| 
| ## Other findings

# TP19_AFileThatChangedMakesItsTaskStale: by digest where there is one, else by time; it is verified before what follows.
$ rm -rf ~/.claude/tasks; permanent s COMPLEX P7; task s 2 'One' completed '"phase":"P6","files":["one.txt"],"hashes":{"one.txt":"'$(sha256sum one.txt | cut -c1-64)'"},"completed_at":"2019-01-01T00:00:00Z"'; task s 3 'Two' completed '"phase":"P6","files":["two.txt"],"completed_at":"2021-01-01T00:00:00Z"'; task s 4 'Check' pending '"phase":"P7"'
$ COLUMNS=500 reprise plan s | grep -e '^warning' -e P6 -e P7
  keep     P6/2  it is completed
  keep     P6/3  it is completed
  run      P7/4  it was not started
resume point: P7/4
$ touch one.txt; COLUMNS=500 reprise plan s | grep -e '^warning' -e P6; echo more >>one.txt; touch two.txt; COLUMNS=500 reprise plan s | grep -e '^warning' -e P6 -e P7
  keep     P6/2  it is completed
  keep     P6/3  it is completed
warning: task 2 is completed, but one.txt was changed since [stale_task]
warning: task 3 is completed, but two.txt was changed since [stale_task]
  verify   P6/2  it is completed, but a file of it was changed since (one.txt)
  verify   P6/3  it is completed, but a file of it was changed since (two.txt)
  run      P7/4  it was not started
resume point: P6/2
$ git checkout -q one.txt

# TP08_WhatWasCutOffRestartsUnlessItLeftSomething TP09_WhoeverTakesOverIsToldEverything
$ rm -rf ~/.claude/tasks; permanent p COMPLEX P6; task p 2 'Draw' in_progress '"phase":"P6","partial_output":"half.md"'; task p 3 'Write' in_progress '"phase":"P6","partial_output":"gone.md"'; echo half >half.md
$ COLUMNS=500 reprise plan p | grep P6/
  continue P6/2  it was cut off, and is handed what it left (half.md)
  rerun    P6/3  it was cut off and left nothing to go on with
resume point: P6/2
$ reprise resume p --yes --quiet; sort ~/ran.txt; sed -n '/^# Step/p;/^## Task/,/^## Values/p;/^## Resume/,/^- partial/p' ~/brief-P6-tasks-2.md; grep -c '## Resume' ~/brief-P6-tasks-3.md
P6/tasks/2
P6/tasks/3
P7/lead
P8/lead
| # Step P6/tasks/2 (attempt 1)
| ## Task
| 
Task 2 of p: Draw
| 
All about 2.
| 
| ## What this is part of
| 
[PERMANENT] Tides
| 
All about 1.
| 
branch: main
current_phase: P6
tier: COMPLEX
| 
| ## Values
| ## Resume
| 
An earlier attempt was cut off. Do not start over: continue from what is there.
- partial output: `half.md`
0
? 1
$ rm half.md

# TP11_HowFinelyAndHowDeeplyIsStated
$ rm -rf ~/.claude/tasks; for tier in TRIVIAL STANDARD COMPLEX; do permanent g-$tier $tier P6; task g-$tier 2 'One' completed '"phase":"P6","output":"one.txt"'; task g-$tier 3 'Two' in_progress '"phase":"P6"'; COLUMNS=500 reprise plan g-$tier --report l2 | grep -e '^- Granularity' -e '^- Reconstruction'; done
- Granularity: phase-level, a trivial pipeline has one phase of work (TP-11 trivial phase)
- Reconstruction: shallow, permanent task and statuses say enough in this tier (TP-11 shallow)
- Granularity: phase-level, in the standard tier an incomplete phase restarts as a whole (TP-11 standard phase)
- Reconstruction: shallow, permanent task and statuses say enough in this tier (TP-11 shallow)
- Granularity: task-level, every completed task of the phase left files, commits or results (TP-11 task)
- Reconstruction: deep, a complex pipeline is only understood with descriptions and files (TP-11 deep)

# TP12_AnEarlierPhaseWarnsALaterOneIsRefused
$ rm -rf ~/.claude/tasks; permanent o STANDARD P3; for n in 0 1 2; do task o 1$n "Of P$n" completed '"phase":"P'$n'"'; done; task o 20 'Plan' failed '"phase":"P3"'
$ COLUMNS=500 reprise plan o --from P1 | grep -e '^warning' -e '^resume point'; for phase in P6 P4 P9; do COLUMNS=500 reprise plan o --from $phase | grep -e '^blocking' -e '^    '; done
warning: to go on from "P1": work that is done will be done again; by the tasks it goes on with P3 [override_repeats_work]
resume point: P1/11
blocking: to go on from "P6": that would jump over work that failed or is not finished; by the tasks it goes on with P3 [override_skips_unfinished]
    reprise resume task-pipeline/o --from P3
blocking: to go on from "P4": the tier does not go through that phase; by the tasks it goes on with P3 [override_not_on_path]
    reprise resume task-pipeline/o --from P3
blocking: to go on from "P9": that is not a phase; by the tasks it goes on with P3 [override_unknown]
    reprise resume task-pipeline/o --from P3
$ reprise resume o --from P6 --yes >/dev/null 2>&1
? 4
$ reprise resume o --from P1 >/dev/null 2>&1
? 3
$ rm -f ~/ran.txt; reprise resume o --from P1 --yes --quiet; grep tasks ~/ran.txt
P1/tasks/11
P2/tasks/12
P3/tasks/20

# TP13_AnotherBranchIsShownAndAskedAbout: a person confirms it, and the permanent task says so from then on.
$ rm -rf ~/.claude/tasks .git/reprise ~/ran.txt; git branch feature/tides; permanent b TRIVIAL P6; sed -i 's/"main"/"feature\/tides"/' ~/.claude/tasks/b/1.json; task b 2 'Paint' pending '"phase":"P6"'
$ COLUMNS=500 reprise resume b --yes 2>&1 | grep -e '^blocking' -e '^    ' -e switch; exit ${PIPESTATUS[0]}
blocking: another branch is checked out: the permanent task expects feature/tides, checked out is main [branch_mismatch]
    reprise accept task-pipeline/b branch_mismatch --because TEXT
  switch   git switch feature/tides
? 4
$ git switch -q feature/tides; COLUMNS=500 reprise plan b | head -1; git switch -q main
task-pipeline/b: ready to resume, clean
$ reprise accept b branch_mismatch --because 'merged meanwhile'; reprise resume b --yes --quiet; cat ~/ran.txt; grep -o '"branch":"[a-z/]*"' ~/.claude/tasks/b/1.json
recorded: accept branch_mismatch
P6/tasks/2
P8/lead
"branch":"main"

# TP13_UnexpectedChangesAreReviewedFirst
$ permanent e TRIVIAL P6; task e 2 'Paint' in_progress '"phase":"P6","files":["two.txt"]'; echo by hand >>one.txt; echo by the task >>two.txt
$ COLUMNS=500 reprise plan e | grep -e '^warning' -e '^    ' -e pipeline_changes; reprise resume e >/dev/null 2>&1
warning: one.txt has uncommitted changes, and no task that was started names it; review it before going on [uncommitted_changes]
    git diff HEAD -- one.txt
info: 1 files of tasks have uncommitted changes [pipeline_changes]
? 3
$ git checkout -q one.txt two.txt

# TP13_AMissingCommitMakesItsPhaseIncomplete
$ permanent m COMPLEX P7; task m 2 'Paint' completed '"phase":"P6","commits":["'$(git rev-parse HEAD)'"]'; task m 3 'Frame' completed '"phase":"P6","commits":["0123456789abcdef0123456789abcdef01234567"]'
$ COLUMNS=500 reprise plan m | grep -e '^warning' -e P6/ -e '^resume point'
warning: commit <digest> of task 3 is gone, so phase P6 is incomplete [commits_missing]
  verify   P6/2  it is completed, but its phase is said to have failed, or lost a commit
  rerun    P6/3  it is completed, but a commit of it is gone (<digest>)
resume point: P6/2

# TP14_TheMoreOftenItWasResumedTheMoreIsAsked
$ for count in 0 1 3; do permanent r COMPLEX P6 ',"resume_count":'$count; task r 2 'Paint' completed '"phase":"P5"'; task r 3 'Frame' in_progress '"phase":"P6"'; COLUMNS=500 reprise plan r | grep -e '^task' -e '^warning' -e P5/; done
task-pipeline/r: ready to resume, clean
  keep     P5/2  it is completed
task-pipeline/r: resumable once confirmed, 1 warning
warning: task 2 is completed, but no file or commit shows it, and the pipeline was resumed before [unproven_task]
  verify   P5/2  it is completed, but the pipeline was resumed before, and no file or commit shows it
resume point: P5/2
task-pipeline/r: resumable once confirmed, 2 warnings
warning: task 2 is completed, but no file or commit shows it, and the pipeline was resumed before [unproven_task]
warning: the pipeline was resumed 3 times, and its runs end in P6; recommended: checkpoint: what is cut off there leaves nothing behind; commit partial work more often [repeated_resumes]
  verify   P5/2  it is completed, but the pipeline was resumed before, and no file or commit shows it
resume point: P5/2

# TP15_WithoutAPermanentTaskNothingIsResumed: repair makes one of git, tree and tasks.
$ task none 2 'Ask' completed '"phase":"P0"'; task none 3 'Draw' pending '"phase":"P1"'; export CLAUDE_CODE_TASK_LIST_ID=none; COLUMNS=500 reprise plan none --report l1 | head -4; reprise plan none --report signal; COLUMNS=500 reprise resume none --yes 2>&1 | grep -e '^blocking' -e '^    '; exit ${PIPESTATUS[0]}
domain: cross-cutting
skill: pipeline-resume
status: no_pt_found
last_completed_phase: "P0"
FAIL|reason:no_pt_found|tasks:1/2|ref:.git/reprise/attempts/task-pipeline/none/pipeline-resume.md
blocking: the list has no permanent task, so there is nothing to resume from [no_pt_found]
    reprise repair task-pipeline/none
? 4
$ CLAUDE_CODE_TASK_LIST_ID=none reprise repair none >/dev/null 2>&1
? 3
$ CLAUDE_CODE_TASK_LIST_ID=none reprise repair none --yes >/dev/null 2>&1; reprise task get 4 --list none | grep -e subject -e phase -e branch -e tier; COLUMNS=500 reprise plan none | grep -e '^task' -e '^resume point'
  "subject": "[PERMANENT] none",
    "tier": "COMPLEX",
    "current_phase": "P1",
    "branch": "main",
task-pipeline/none: ready to resume, clean
resume point: P1/3

# TP16_APhaseThatIsNotNamedIsInferredAndWrittenFirst
$ rm -f ~/ran.txt; task i 1 '[PERMANENT] Tides' pending '"tier":"STANDARD","branch":"main"'; task i 2 'Ask' completed '"phase":"P0"'; task i 3 'Draw' pending '"phase":"P1"'; COLUMNS=500 reprise plan i | grep -e phase_inferred -e '^resume point'
info: the permanent task names no current phase; by its tasks it is P1 [phase_inferred]
resume point: P1/3
$ echo 'grep -o "\"current_phase\":\"P.\"" ~/.claude/tasks/i/1.json >>~/ran.txt' >~/hook.sh; reprise resume i --yes --quiet; head -2 ~/ran.txt
P1/tasks/3
"current_phase":"P1"

# TP18_AllDoneButNotDeliveredGoesOnWithP8
$ rm ~/hook.sh; permanent d STANDARD P7; for n in 0 1 2 3 6 7; do task d 1$n "Of P$n" completed '"phase":"P'$n'"'; done; COLUMNS=500 reprise plan d | grep -e not_delivered -e P8
info: all tasks are completed, but the pipeline is not delivered; it goes on with P8 [not_delivered]
info: the permanent task is at P7, but by its tasks it is at P8 [permanent_behind]
  run      P8     everything before it is done, and the pipeline is not delivered
resume point: P8
$ rm ~/ran.txt; reprise resume d --yes --quiet; cat ~/ran.txt; grep -o '"status":"[a-z]*"\|"[a-z]*_status":"[a-z]*"' ~/.claude/tasks/d/1.json; reprise scan | grep -c task-pipeline/d
P8/lead
"status":"completed"
"pt_status":"delivered"
0
? 1

# TP20_WithoutAnyTaskAnAdvancedPermanentTaskIsCorrupted
$ permanent x COMPLEX P6; COLUMNS=500 reprise resume x --yes 2>&1 | grep -e '^blocking' -e '^    '; exit ${PIPESTATUS[0]}
blocking: the permanent task is at P6, but there is not a single work task [permanent_corrupted]
    reprise repair task-pipeline/x
? 4

# TP23_WhatALeadNamesAgainIsNotMadeAgain: the run is killed after the tasks were made.
$ rm -f ~/ran.txt; cat >~/hook.sh <<'END'
> case $REPRISE_STEP in
> P0/lead) echo '{"status":"done","tasks":[{"id":"a","subject":"Heights","phase":"P6"},{"id":"b","subject":"Times","phase":"P6"}]}' >"$REPRISE_RESULT" ;;
> P6/tasks/2) test -e ~/killed || { touch ~/killed; kill -9 $PPID $(cat ~/runner); sleep 60; } ;;
> esac
> END
$ (sh -c 'echo $$ >~/runner; exec reprise run task-pipeline again --variant TRIVIAL --parallel 1' >/dev/null 2>&1 & wait) 2>/dev/null; reprise task list --list again
task-pipeline/again  (it is the list of a run)
  1    pending      -         P6  [PERMANENT] again
  2    in_progress  -         P6  Heights
  3    pending      -         P6  Times
$ reprise resume again --from P0 --yes --quiet; reprise task list --list again; grep -c P6/tasks/3 ~/ran.txt
task-pipeline/again  (it is the list of a run)
  1    completed    -         P8  [PERMANENT] again
  2    completed    -         P6  Heights
  3    completed    -         P6  Times
1

# TP17_TasksThatWaitForEachOtherAreRefused
$ permanent k COMPLEX P6; task k 2 'Self' pending '"phase":"P6"' '"2"'; task k 3 'One' pending '"phase":"P6"' '"4"'; task k 4 'Other' pending '"phase":"P6"' '"3"'; COLUMNS=500 reprise resume k --yes 2>&1 | grep -e '^blocking' -e refuse; exit ${PIPESTATUS[0]}
blocking: task 2 blocks itself: 2 -> 2 [self_block]
blocking: tasks wait for each other, each for the next: 3 -> 4 -> 3 [blocker_cycle]
  refuse   P6/2  it waits for itself through its blockers
  refuse   P6/3  it waits for itself through its blockers
  refuse   P6/4  it waits for itself through its blockers
? 4
$ reprise task update 2 --list k --remove-blocked-by 2; reprise task update 3 --list k --remove-blocked-by 4; COLUMNS=500 reprise plan k | head -1
task-pipeline/k: ready to resume, clean

# TP17_TwoPermanentTasksAreOneAndAWarning TP17_ATornTaskBlocks
$ permanent two STANDARD P1; task two 9 '[PERMANENT] Old' completed '"tier":"COMPLEX","current_phase":"P5","branch":"main"'; task two 3 'Ask' completed '"phase":"P0"'; task two 4 'Draw' pending '"phase":"P1"'; COLUMNS=500 reprise plan two | grep -e '^task' -e '^warning' -e '^resume point'
task-pipeline/two: resumable once confirmed, 1 warning
warning: task 9 is a permanent task too; task 1 is used [duplicate_permanent]
resume point: P1/4
$ printf '{"id":"5","subject":"Cut' >~/.claude/tasks/two/5.json; COLUMNS=500 reprise resume two --yes 2>&1 | grep -e '^blocking' -e refuse; exit ${PIPESTATUS[0]}
blocking: task 5 cannot be read (5.json) [damaged_task]
  refuse   P1/5  its file cannot be read, so nobody can be told what it is about
? 4

# OR11_PreflightOfATaskListComparesItsFiles
$ reprise resume k --mode preflight 2>&1 | sed -n '/^===/,$p' | sed 's|/.*/tasks/|<tasks>/|'
=== Pre-flight: task-pipeline/k ===
| 
Interrupted: <took> ago (fresh)
State source: <tasks>/k
Validation: clean
| 
Files: 1 same
  same <tasks>/k
      state, <time>; it lies outside of the project and was not looked at
| 
Statuses: 3 compared, 0 do not agree
  agrees task 2: recorded pending, seen run: it was not started (2.json)
  agrees task 3: recorded pending, seen run: it was not started (3.json)
  agrees task 4: recorded pending, seen run: it was not started (4.json)
| 
Dependencies: 11 followed, 0 broken
  sound P1 needs P0: done
  sound P2 needs P1: done
  sound P3 needs P2: done
  sound P4 needs P3: done
  sound P5 needs P4: done
  sound P6/2 needs P5: done
  sound P6/3 needs P5: done
  sound P6/4 needs P5: done
  sound P7 needs P6: comes before it
  sound P8 needs P7: comes before it
  sound task 4 needs task 3: comes before it
| 
The plan from here to the end: 5 steps
  7. run P6/2: it was not started
  8. run P6/3: it was not started
  9. run P6/4: it was not started
  10. run P7: it comes after a phase that is not done
  11. run P8: it comes after a phase that is not done
| 
Risks: 1
  - info: no commits are recorded, so it cannot be told whether one is missing; the branch has 0 commits that main has not [commits_not_recorded]
| 
this needs a confirmation: reprise resume task-pipeline/k --mode preflight --yes
