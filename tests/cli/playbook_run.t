# PB06_TheCheckpointIsShownAndWaitedFor: a playbook from its start, with approvals by command and by hand.
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
$ reprise run playbook 001-login --input description='users sign in'
playbook/001-login
start   spec
done    spec (<took>)
start   clarify
done    clarify (<took>)
wait    spec-approval: Spec approval: is specs/001-login/feature.spec.md what is to be built?
waiting: Spec approval: is specs/001-login/feature.spec.md what is to be built?
  reprise approve playbook/001-login spec-approval
then: reprise resume playbook/001-login
? 3
$ cat specs/001-login/.pipeline-state.md
| # Pipeline State
| 
- run_id: playbook/001-login
- feature: 001-login
- coordinator_mode: pipeline
- debug_mode: off
- spec_version: N/A
- spec_hash: N/A
- started_at: <time>
- last_updated_at: <time>
- current_stage: clarify
- status: WAITING_FOR_HUMAN
| 
| ## Completed Stages
| 
| Stage | Completed At | Output Artifact | Output Hash |
|-------|--------------|-----------------|-------------|
| spec | <time> | specs/001-login/feature.spec.md | <digest> |
| clarify | <time> | specs/001-login/feature.spec.md | <digest> |
| 
| ## Current Stage Detail
| 
- stage: clarify
- dispatched_at: <time>
- job_status: WAITING_FOR_HUMAN
- retry_count: 0
- last_output_summary: N/A
| 
| ## Iteration Counts
| 
| Stage | Cycle Count | Budget | Status |
|-------|-------------|--------|--------|
| spec | 1 | 2 | WITHIN_BUDGET |
| clarify | 1 | 1 | WITHIN_BUDGET |
| 
| ## Failure Clusters
| 
| Cluster | First Seen | Retry Count | Stage | Notes |
|---------|------------|-------------|-------|-------|
| 
| ## Human Checkpoints Cleared
| 
- [ ] Spec approval
- [ ] Architecture sign-off
- [ ] Convergence escalation
- [ ] Security sign-off
| 
| ## Notes
$ reprise inbox
playbook/001-login  gate spec-approval: Spec approval: is specs/001-login/feature.spec.md what is to be built?
  see specs/001-login/feature.spec.md
  reprise approve playbook/001-login spec-approval
  reprise reject playbook/001-login spec-approval --because TEXT
$ reprise plan playbook/001-login
playbook/001-login: waits for you, clean
waits for gate spec-approval: Spec approval: is specs/001-login/feature.spec.md what is to be built?
  keep     spec                   it is completed
  keep     clarify                it is completed
  wait     spec-approval          a person has been asked and has not decided
  run      architect              it never started
  run      architecture-sign-off  it has not been reached yet
  run      tasks                  it comes after the point where the run stopped
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: spec-approval
saved: 2 step(s), <took> of work
  approve  reprise approve playbook/001-login spec-approval
  fresh    reprise fresh playbook/001-login

# A feature with unfinished work is never begun a second time.
$ reprise run playbook 001-login
reprise: playbook/001-login is not finished and is not overwritten (specs/001-login/.pipeline-state.md)
  try: reprise plan playbook/001-login
  try: reprise resume playbook/001-login
  try: reprise fresh playbook/001-login
? 3

# PB02_TheHashIsPinnedWithTheApproval, PB11_ABoxTickedByHandIsTheTruth: a note by hand is taken over as well.
$ sed -i 's/- \[ \] Spec approval/- [x] Spec approval/; s/^## Notes/## Notes\n\nAna: go ahead./' specs/001-login/.pipeline-state.md
$ COLUMNS=500 reprise plan playbook/001-login | head -5
playbook/001-login: ready to resume, clean
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          it was approved, and is not asked again
  run      architect              it never started
$ reprise resume playbook/001-login --quiet
waiting: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  reprise approve playbook/001-login architecture-sign-off
then: reprise resume playbook/001-login
? 3
$ grep -e spec_hash -e '\[x\]' -e Ana specs/001-login/.pipeline-state.md | sed 's/sha256:.*/sha256:/'
- spec_hash: sha256:
- [x] Spec approval
Ana: go ahead.
$ reprise events playbook/001-login | grep -e gate_decided -e state_file_edited -e note_added | sed 's/.*Z  //; s/"before.*//; s/"shows.*//'
note_added  {"text":"Resumed from checkpoint at <time>. Prior session ended at stage: clarify."}
gate_decided  {"gate":"spec-approval","approved":true,"by":"specs/001-login/.pipeline-state.md line 43",
note_added  {"text":"Ana: go ahead.","by":"specs/001-login/.pipeline-state.md"}
state_file_edited  {"file":"specs/001-login/.pipeline-state.md",

# PB09_AResumeIsNotedInTheFile: and the time of the last update moves.
$ grep -c 'Resumed from checkpoint at .*Prior session ended at stage: clarify' specs/001-login/.pipeline-state.md
1

# PB05_TheConstitutionCheckCannotBeSkipped: not by skip, not by --from.
$ reprise skip playbook/001-login architect --because 'in a hurry'
reprise: step architect is required and cannot be skipped
  try: reprise status playbook/001-login
? 2
$ sed -i '/Article VIII/d' specs/001-login/adr.md; COLUMNS=500 reprise plan playbook/001-login | grep -e architect -e readiness
waits for gate architecture-sign-off: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  rerun    architect              adr.md has no completed Constitution Check: line 5: Article VIII has no row
  wait     architecture-sign-off  a person has been asked and has not decided (specs/001-login/adr.md)
resume point: architect
  approve  reprise approve playbook/001-login architecture-sign-off
$ reprise resume playbook/001-login --from tasks
reprise: cannot start from "tasks": step "architecture-sign-off", which it needs, is not kept: a person has been asked and has not decided (specs/001-login/adr.md)
  try: reprise plan playbook/001-login
? 2
$ rm ran.txt; reprise resume playbook/001-login --quiet; cat ran.txt
waiting: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  reprise approve playbook/001-login architecture-sign-off
then: reprise resume playbook/001-login
architect
$ grep -c COMPLIES specs/001-login/adr.md; reprise approve playbook/001-login 'Architecture sign-off'; rm ran.txt; reprise resume playbook/001-login --quiet; cat ran.txt
8
recorded: approve architecture-sign-off
waiting: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  reprise approve playbook/001-login security-sign-off
then: reprise resume playbook/001-login
tasks
tdd
programmer
testrunner
code-review
security

# PB08_EachStageIsGivenWhatItsRuleSays
$ grep -h -A9 -e '## Inputs' brief-architect.md | grep '`' | sed 's/ sha256.*//'
- `specs/001-login/feature.spec.md`
- `specs/001-login/adr.md`
- `specs/001-login/adr.md`: not empty, with a completed Constitution Check
$ grep -h -A9 -e '## Inputs' brief-programmer.md | grep '`' | sed 's/ sha256.*//'
- `specs/001-login/feature.spec.md`
- `specs/001-login/adr.md`
- `specs/001-login/tasks.md`
- `specs/001-login/test-certification.md`
$ grep -h -A9 -e '## Inputs' brief-code-review.md | grep '`' | sed 's/ sha256.*//'
- `specs/001-login/feature.spec.md`
- `specs/001-login/adr.md`
- `specs/001-login/test-report.md`
- `specs/001-login/code-review.md`: not empty, with no placeholders left

# PB02_AChangedSpecBlocksUntilAPersonAccepts: then everything after clarify runs again.
$ echo 'And admins.' >>specs/001-login/feature.spec.md; COLUMNS=500 reprise resume playbook/001-login --yes | head -3
playbook/001-login: blocked, 1 conflict, 2 warnings
blocking: specs/001-login/feature.spec.md is not the spec that was approved [spec_hash_changed]
    reprise accept playbook/001-login spec_hash_changed --because TEXT
warning: specs/001-login/feature.spec.md was changed after step clarify produced it [artifact_changed]
    reprise retry playbook/001-login clarify
warning: specs/001-login/feature.spec.md has changed since spec-approval was approved; it is not asked again [approved_changed]
waits for gate security-sign-off: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          it was approved, and is not asked again
  keep     architect              it is completed
  keep     architecture-sign-off  it was approved, and is not asked again
  keep     tasks                  it is completed
  keep     tdd                    it is completed
  keep     programmer             it is completed
  keep     testrunner             it is completed
  keep     code-review            it is completed
  keep     security               it is completed
  wait     security-sign-off      a person has been asked and has not decided
  run      refactor               it never started
saved: 9 step(s), <took> of work
  approve  reprise approve playbook/001-login security-sign-off
  accept   reprise accept playbook/001-login spec_hash_changed --because TEXT
  manual   ${EDITOR:-vi} specs/001-login/.pipeline-state.md
  fresh    reprise fresh playbook/001-login
| 
blocked; see the way out above
$ reprise accept playbook/001-login spec_hash_changed --because 'agreed with Ana'
recorded: accept spec_hash_changed
$ rm ran.txt; reprise resume playbook/001-login --quiet; cat ran.txt
waiting: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  reprise approve playbook/001-login security-sign-off
then: reprise resume playbook/001-login
architect
tasks
tdd
programmer
testrunner
code-review
security
$ sha256sum specs/001-login/feature.spec.md | cut -d' ' -f1 >hash; grep -c "spec_hash: sha256:$(cat hash)" specs/001-login/.pipeline-state.md
1

# PB11_AnApprovedArtifactThatChangedIsAWarning: it is not asked again.
$ echo >>specs/001-login/adr.md; COLUMNS=500 reprise plan playbook/001-login | grep -e warning -e sign-off
playbook/001-login: waits for you, 2 warnings
warning: specs/001-login/adr.md is not as architect left it (line 20); what was approved stays approved [artifact_changed]
warning: specs/001-login/adr.md has changed since architecture-sign-off was approved; it is not asked again [approved_changed]
waits for gate security-sign-off: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  keep     architecture-sign-off  it was approved, and is not asked again
  wait     security-sign-off      a person has been asked and has not decided
resume point: security-sign-off
  approve  reprise approve playbook/001-login security-sign-off

# PB03_ALostArtifactRunsItsStageAgain, PB10_WhatDependsOnItIsKeptIfItComesOutTheSame
$ rm specs/001-login/tasks.md; rm ran.txt; reprise resume playbook/001-login --yes --quiet; cat ran.txt
waiting: Security sign-off: is 001-login safe to ship, by specs/001-login/security-review.md?
  reprise approve playbook/001-login security-sign-off
then: reprise resume playbook/001-login
tasks

# The end.
$ reprise approve playbook/001-login security-sign-off; reprise resume playbook/001-login --yes --quiet
recorded: approve security-sign-off
$ grep -e status: -e current_stage specs/001-login/.pipeline-state.md
- current_stage: done
- status: COMPLETE
- job_status: DONE
$ reprise resume playbook/001-login
playbook/001-login: done, 2 warnings
warning: specs/001-login/adr.md was changed after step architect produced it [artifact_changed]
warning: specs/001-login/adr.md has changed since architecture-sign-off was approved; it is not asked again [approved_changed]
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          it was approved, and is not asked again
  keep     architect              it is completed
  keep     architecture-sign-off  it was approved, and is not asked again
  keep     tasks                  it is completed
  keep     tdd                    it is completed
  keep     programmer             it is completed
  keep     testrunner             it is completed
  keep     code-review            it is completed
  keep     security               it is completed
  keep     security-sign-off      it was approved, and is not asked again
  … and 1 more that are kept (--verbose shows them)
saved: 10 step(s), <took> of work
| 
nothing to resume: the run is done
$ reprise scan
no interrupted work was found here
$ ls -a specs/001-login
.
..
.pipeline-state.md
adr.md
code-review.md
feature.spec.md
refactor-notes.md
security-review.md
tasks.md
test-certification.md
test-report.md
