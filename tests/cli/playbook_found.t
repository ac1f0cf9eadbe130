# PB07_WorkThatAnotherToolLeftGoesOnAtItsStage: what the file lists is believed as far as its artifacts go.
$ mkdir -p scripts .reprise && cat >scripts/agent.sh <<'END'
> #!/bin/sh
> # does each stage in a moment; STOP names one that is cut off, FAIL one that fails
> echo "$REPRISE_STAGE" >>ran.txt; cp "$REPRISE_BRIEF" "brief-$REPRISE_STAGE.md"
> d=specs/$subject; mkdir -p "$d"
> test -e "fail-$REPRISE_STAGE" && { echo "no luck"; exit 1; }
> test -e "stop-$REPRISE_STAGE" && { echo half >"$d/half.md"; echo '# Certified TODO' >"$d/test-certification.md"; kill -9 $PPID $(cat runner.pid); sleep 60; }
> case "$REPRISE_STAGE" in
> spec) printf '# Login\n\n[NEEDS CLARIFICATION: which users?]\n' >"$d/feature.spec.md" ;;
> clarify) printf '# Login\n\nAll users.\n' >"$d/feature.spec.md" ;;
> architect)
>   { printf '# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n'
>     for n in I II III IV V VI VII VIII; do echo "| Article $n | COMPLIES |"; done; } >"$d/adr.md" ;;
> tasks) echo '- [ ] the form' >"$d/tasks.md" ;;
> tdd) echo 'certified' >"$d/test-certification.md" ;;
> testrunner) echo 'all passed' >"$d/test-report.md" ;;
> code-review) echo 'fine' >"$d/code-review.md" ;;
> security) echo 'safe' >"$d/security-review.md" ;;
> refactor) echo 'tidied' >"$d/refactor-notes.md" ;;
> esac
> END
$ chmod +x scripts/agent.sh; printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml
$ mkdir -p specs/001-login && printf '# Login\n\nUsers sign in with a password.\n' >specs/001-login/feature.spec.md
$ cat >state.sh <<'END'
> # state.sh STAGE STATUS COMPLETED...: writes the state file of 001-login
> hash=$(sha256sum specs/001-login/feature.spec.md | cut -d' ' -f1); stage=$1; status=$2; shift 2
> signed=x; test "$stage" = architect && signed=' '
> { printf '# Pipeline State: 001-login\n\n- run_id: r1\n- feature: 001-login\n- spec_hash: sha256:%s\n' "$hash"
>   printf -- '- last_updated_at: %s\n' "$(date -u +%FT%TZ)"
>   printf -- '- current_stage: %s\n- status: %s\n' "$stage" "$status"
>   printf '\n## Completed Stages\n\n| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n'
>   for row in "$@"; do printf '| %s | 2020-01-02T03:00:00Z | %s | N/A |\n' "${row%%:*}" "${row#*:}"; done
>   printf '\n## Human Checkpoints Cleared\n\n- [x] Spec approval\n- [%s] Architecture sign-off\n\n## Notes\n' "$signed"
> } >specs/001-login/.pipeline-state.md
> END
$ subject=001-login REPRISE_STAGE=architect REPRISE_BRIEF=/dev/null scripts/agent.sh; rm ran.txt
$ echo '# Certified TODO' >specs/001-login/test-certification.md; echo '- [ ] one' >specs/001-login/tasks.md
$ sh state.sh tdd ABORTED spec:feature.spec.md clarify:feature.spec.md architect:adr.md tasks:tasks.md
$ reprise resume playbook/001-login
playbook/001-login: ready to resume, clean
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  keep     architect              it is completed
  keep     architecture-sign-off  its box is ticked, and it is not asked for again
  keep     tasks                  it is completed
  continue tdd                    it was cut off, and its unfinished file is there
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: tdd
saved: 4 step(s), <took> of work
  resume   reprise resume playbook/001-login
  fresh    reprise fresh playbook/001-login
| 
approve spec-approval by specs/001-login/.pipeline-state.md line 21
approve architecture-sign-off by specs/001-login/.pipeline-state.md line 22
start   tdd
done    tdd (<took>)
start   programmer
done    programmer (<took>)
start   testrunner
done    testrunner (<took>)
start   code-review
done    code-review (<took>)
start   security
done    security (<took>)
wait    security-sign-off: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
waiting: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  reprise approve playbook/001-login security-sign-off
then: reprise resume playbook/001-login
? 3
$ cat ran.txt; grep -A5 '## Resume' brief-tdd.md
tdd
programmer
testrunner
code-review
security
| ## Resume
| 
An earlier attempt was cut off. Do not start over: continue from what is there.
- partial output: `specs/001-login/test-certification.md`
| 
| ## Notes
$ sed 's/^/  /' specs/001-login/.pipeline-state.md
  # Pipeline State: 001-login
  
  - run_id: r1
  - feature: 001-login
  - spec_hash: <digest>
  - last_updated_at: <time>
  - current_stage: security
  - status: WAITING_FOR_HUMAN
  
  ## Completed Stages
  
  | Stage | Completed At | Output Artifact | Output Hash |
  |---|---|---|---|
  | spec | <time> | feature.spec.md | N/A |
  | clarify | <time> | feature.spec.md | N/A |
  | architect | <time> | adr.md | N/A |
  | tasks | <time> | tasks.md | N/A |
  | tdd | <time> | specs/001-login/test-certification.md | <digest> |
  | programmer | <time> | N/A | N/A |
  | testrunner | <time> | specs/001-login/test-report.md | <digest> |
  | code-review | <time> | specs/001-login/code-review.md | <digest> |
  | security | <time> | specs/001-login/security-review.md | <digest> |
  
  ## Human Checkpoints Cleared
  
  - [x] Spec approval
  - [x] Architecture sign-off
  
  ## Notes
  
  Resumed from checkpoint at <time>. Prior session ended at stage: tdd.
  
  ## Iteration Counts
  
  | Stage | Cycle Count | Budget | Status |
  |-------|-------------|--------|--------|
  | tdd | 1 | 3 | WITHIN_BUDGET |
  | programmer | 1 | 5 | WITHIN_BUDGET |
  | testrunner | 1 | 2 | WITHIN_BUDGET |
  | code-review | 1 | 1 | WITHIN_BUDGET |
  | security | 1 | 1 | WITHIN_BUDGET |
  
  ## Current Stage Detail
  
  - stage: security
  - dispatched_at: <time>
  - job_status: WAITING_FOR_HUMAN
  - retry_count: 0
  - last_output_summary: N/A
$ reprise events playbook/001-login | grep -e run_created -e claim -e step_skipped | sed 's/.*Z  //; s/"definition.*"values.*native_file/…"native_file/; s/"work.*//'
run_created  {
claim_imported  {"step":"spec","done":true,"source":"specs/001-login/.pipeline-state.md line 14","rule":"PB-10",
claim_imported  {"step":"clarify","done":true,"source":"specs/001-login/.pipeline-state.md line 15","rule":"PB-10",
claim_imported  {"step":"architect","done":true,"source":"specs/001-login/.pipeline-state.md line 16","rule":"PB-10",
claim_imported  {"step":"tasks","done":true,"source":"specs/001-login/.pipeline-state.md line 17","rule":"PB-10",
claim_imported  {"step":"tdd","source":"specs/001-login/.pipeline-state.md","rule":"PB-08",

# What is claimed without its artifact is refused, and said; what was there before is kept.
$ sed -i '/^| security | .*sha256/a | refactor | 2026-01-01 | refactor-notes.md | N/A |' specs/001-login/.pipeline-state.md
$ reprise resume playbook/001-login --quiet; COLUMNS=500 reprise plan playbook/001-login | head -4
waiting: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  reprise approve playbook/001-login security-sign-off
then: reprise resume playbook/001-login
playbook/001-login: waits for you, clean
waits for gate security-sign-off: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  keep     spec                   it is completed
  keep     clarify                it is completed
$ reprise events playbook/001-login | grep state_file_edited | tail -1 | sed 's/.*"refused"/refused/'
refused:["line 23: refactor is claimed to be completed, but what it makes is not there"…

# A status set to CANCELLED ends the run.
$ sed -i 's/^- status: .*/- status: CANCELLED/' specs/001-login/.pipeline-state.md; reprise resume playbook/001-login --yes --quiet
stopped: cancelled in specs/001-login/.pipeline-state.md
? 1
$ reprise status playbook/001-login | head -2
playbook/001-login  stopped at security-sign-off
  2 blocked, 11 done; updated <time>; resumed 2 time(s)

# PB12_AFailedRunIsNotResumedAndHandsItsNotesOn
$ rm -rf specs/001-login/.pipeline-state.md; sh state.sh tdd FAILED spec:feature.spec.md; echo 'The tests need a database.' >>specs/001-login/.pipeline-state.md
$ reprise resume playbook/001-login
playbook/001-login: cannot be resumed, only started anew
info: a fresh run is given its notes: The tests need a database. [notes_of_failed]
  refuse   spec         a failed run is never resumed; a fresh one is given its notes
  refuse   clarify      a failed run is never resumed; a fresh one is given its notes
  refuse   architect    a failed run is never resumed; a fresh one is given its notes
  refuse   tasks        a failed run is never resumed; a fresh one is given its notes
  refuse   tdd          a failed run is never resumed; a fresh one is given its notes
  refuse   programmer   a failed run is never resumed; a fresh one is given its notes
  refuse   testrunner   a failed run is never resumed; a fresh one is given its notes
  refuse   code-review  a failed run is never resumed; a fresh one is given its notes
  refuse   security     a failed run is never resumed; a fresh one is given its notes
  refuse   refactor     a failed run is never resumed; a fresh one is given its notes
  fresh    reprise fresh playbook/001-login
| 
cannot resume playbook/001-login: a failed run is never resumed; a fresh one is given its notes
  try: reprise fresh playbook/001-login
? 4
$ rm -f ran.txt; reprise run playbook 001-login --quiet; grep -A2 '## Notes' brief-spec.md; cat ran.txt
playbook/001-login@2
waiting: Spec approval: is specs/001-login/feature.spec.md what is to be built?
  reprise approve playbook/001-login@2 spec-approval
then: reprise resume playbook/001-login@2
| ## Notes
| 
- From the failed run before this one: The tests need a database.
spec
clarify
$ grep -c 'tests need a database' specs/001-login/.pipeline-state.md
1

# A fresh start sets the state aside; undo brings it back.
$ reprise fresh playbook/001-login
sets aside specs/001-login/.pipeline-state.md
puts run playbook/001-login@2 away
nothing was changed. Do it: reprise fresh playbook/001-login@2 --yes
? 3
$ reprise fresh playbook/001-login --yes; ls -a specs/001-login | grep pipeline; reprise scan
sets aside specs/001-login/.pipeline-state.md
puts run playbook/001-login@2 away
set aside; `reprise undo` brings it back
reprise run playbook 001-login
no interrupted work was found here
$ reprise undo --yes; reprise scan
brings back specs/001-login/.pipeline-state.md, set aside <time> by tester@<host>
brought back; look at it: reprise plan playbook/001-login
playbook/001-login  waiting at clarify
  the run waits for a person
  specs/001-login/.pipeline-state.md
  reprise plan playbook/001-login
$ reprise undo --yes; ls -a specs/001-login | grep pipeline; reprise undo --yes
sets aside again specs/001-login/.pipeline-state.md, brought back <time> by tester@<host>
set aside again; `reprise undo` brings it back
brings back specs/001-login/.pipeline-state.md, set aside <time> by tester@<host>
brought back; look at it: reprise plan playbook/001-login
$ reprise fresh 001-login --yes --quiet; echo mine >specs/001-login/.pipeline-state.md; reprise undo --yes; cat specs/001-login/.pipeline-state.md
sets aside specs/001-login/.pipeline-state.md
set aside; `reprise undo` brings it back
reprise run playbook 001-login
brings back specs/001-login/.pipeline-state.md, set aside <time> by tester@<host>
reprise: specs/001-login/.pipeline-state.md is there again; it would be overwritten
  try: mv specs/001-login/.pipeline-state.md specs/001-login/.pipeline-state.md.new
mine
$ rm specs/001-login/.pipeline-state.md; reprise undo --yes
brings back specs/001-login/.pipeline-state.md, set aside <time> by tester@<host>
brought back; look at it: reprise plan playbook/001-login
$ COLUMNS=500 reprise plan 001-login | head -1
playbook/001-login: waits for you, clean

# A stage that used up its budget asks instead of ending the run.
$ reprise fresh playbook/001-login --yes --quiet; touch fail-clarify; rm -f ran.txt
sets aside specs/001-login/.pipeline-state.md
set aside; `reprise undo` brings it back
reprise run playbook 001-login
$ reprise run playbook 001-login --quiet; cat ran.txt; grep -e status: -e job_ specs/001-login/.pipeline-state.md
playbook/001-login@3
waiting: Stage clarify failed: exit 1: no luck. Try it again?
  reprise approve playbook/001-login@3 clarify
then: reprise resume playbook/001-login@3
spec
clarify
clarify
- status: WAITING_FOR_HUMAN
- job_status: WAITING_FOR_HUMAN
$ rm fail-clarify; reprise approve playbook/001-login clarify; reprise resume 001-login --quiet; tail -1 ran.txt
recorded: approve clarify
waiting: Spec approval: is specs/001-login/feature.spec.md what is to be built?
  reprise approve playbook/001-login@3 spec-approval
then: reprise resume playbook/001-login@3
clarify

# PB06_TheFilesOwnCheckpointIsAskedBeforeAnythingStarts
$ reprise fresh playbook/001-login --yes --quiet; rm -f ran.txt specs/001-login/adr.md; printf '# Login\n\nUsers sign in with a password.\n' >specs/001-login/feature.spec.md
sets aside specs/001-login/.pipeline-state.md
puts run playbook/001-login@3 away
set aside; `reprise undo` brings it back
reprise run playbook 001-login
$ sh state.sh architect WAITING_FOR_HUMAN spec:feature.spec.md clarify:feature.spec.md; reprise resume 001-login --yes --quiet; ls ran.txt
waiting: "Architecture sign-off" is open at stage architect. Approve it?
  reprise approve playbook/001-login@4 architecture-sign-off
then: reprise resume playbook/001-login@4
ls: cannot access 'ran.txt': No such file or directory
? 2
$ reprise approve 001-login 'Architecture sign-off'; reprise resume 001-login --quiet; cat ran.txt
recorded: approve architecture-sign-off
waiting: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  reprise approve playbook/001-login@4 security-sign-off
then: reprise resume playbook/001-login@4
architect
tasks
tdd
programmer
testrunner
code-review
security

# PB10_WhatCameOutDifferentlyIsAPersonsToDecide
$ reprise approve 001-login --quiet; rm specs/001-login/tasks.md; sed -i "s/the form/the form and the page/" scripts/agent.sh; rm ran.txt; reprise resume 001-login --yes --quiet; cat ran.txt
waiting: What tdd was made from has come out differently. Approve to do it again; `reprise skip playbook/001-login@4 tdd --because TEXT` keeps it as it is.
  reprise approve playbook/001-login@4 tdd
then: reprise resume playbook/001-login@4
tasks
$ reprise approve 001-login tdd; rm ran.txt; reprise resume 001-login --yes --quiet; cat ran.txt
recorded: approve tdd
tdd
refactor

# OR11_PreflightOfAPlaybookComparesItsFiles: gates are no steps that are missing, and context is read as far as it is there.
$ rm -rf .git/reprise; sh state.sh tdd IN_PROGRESS spec:feature.spec.md clarify:feature.spec.md architect:adr.md tasks:tasks.md; rm specs/001-login/tasks.md; reprise resume 001-login --mode preflight 2>&1 | sed -n '/^===/,$p'
=== Pre-flight: playbook/001-login ===
| 
Interrupted: <took> ago (fresh)
State source: specs/001-login/.pipeline-state.md
Validation: clean
| 
Files: 3 same, 1 missing, 5 new
  same specs/001-login/.pipeline-state.md
      state; now sha256:<commit>, 634 bytes, <time>
  same specs/001-login/adr.md
      artifact, architect <time>; now sha256:<commit>, 276 bytes, <time>
  new specs/001-login/code-review.md
      artifact, code-review; now sha256:<commit>, 5 bytes, <time>
  same specs/001-login/feature.spec.md
      spec, spec, critical; recorded sha256:<commit>; now sha256:<commit>, 40 bytes, <time>
  new specs/001-login/refactor-notes.md
      artifact, refactor; now sha256:<commit>, 7 bytes, <time>
  new specs/001-login/security-review.md
      artifact, security; now sha256:<commit>, 5 bytes, <time>
  missing specs/001-login/tasks.md
      artifact, tasks, critical <time>
  new specs/001-login/test-certification.md
      artifact, tdd; now sha256:<commit>, 10 bytes, <time>
  new specs/001-login/test-report.md
      artifact, testrunner; now sha256:<commit>, 11 bytes, <time>
| 
Statuses: 2 compared, 0 do not agree
  agrees checkpoint Spec approval: recorded approved, seen approved (specs/001-login/.pipeline-state.md)
  agrees checkpoint Architecture sign-off: recorded approved, seen approved (specs/001-login/.pipeline-state.md)
| 
Dependencies: 12 followed, 0 broken
  sound clarify needs spec: done
  sound spec-approval needs clarify: done
  sound architect needs spec-approval: done
  sound architecture-sign-off needs architect: done
  sound tasks needs architecture-sign-off: done
  sound tdd needs tasks: comes before it
  sound programmer needs tdd: comes before it
  sound testrunner needs programmer: comes before it
  sound code-review needs testrunner: comes before it
  sound security needs code-review: comes before it
  sound security-sign-off needs security: comes before it
  sound refactor needs security-sign-off: comes before it
| 
The plan from here to the end: 8 steps
  6. rerun tasks -- @tasks: it is listed as completed, but its artifact is gone (tasks.md)
  7. rerun tdd -- @tdd: something before it runs again
  8. run programmer -- @programmer: it comes after the point where the run stopped
  9. run testrunner -- @testrunner: it comes after the point where the run stopped
  10. run code-review -- @code-review: it comes after the point where the run stopped
  11. run security -- @security: it comes after the point where the run stopped
  12. run security-sign-off: it has not been reached yet
  13. run refactor -- @refactor: it comes after the point where the run stopped
| 
Risks: 2
  - finished work is not kept as it is, tasks: it is listed as completed, but its artifact is gone (tasks.md)
  - it was begun before, tdd: something before it runs again
| 
Saved: 3 steps
| 
this needs a confirmation: reprise resume playbook/001-login --mode preflight --yes
