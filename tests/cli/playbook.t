# ALL01_OneListWhateverWroteIt: a playbook that broke off is found, and its plan says what is true of it.
$ mkdir -p specs/001-login && printf '# Login\n\nUsers sign in with a password.\n' >specs/001-login/feature.spec.md
$ cat >state.sh <<'END'
> # state.sh STAGE STATUS COMPLETED...: writes the state file of 001-login
> hash=$(sha256sum specs/001-login/feature.spec.md | cut -d' ' -f1); stage=$1; status=$2; shift 2
> { printf '# Pipeline State: 001-login\n\n- run_id: r1\n- feature: 001-login\n- spec_hash: sha256:%s\n' "$hash"
>   printf -- '- last_updated_at: %s\n' "$(date -u +%FT%TZ)"
>   printf -- '- current_stage: %s\n- status: %s\n' "$stage" "$status"
>   printf '\n## Completed Stages\n\n| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n'
>   for row in "$@"; do printf '| %s | 2020-01-02T03:00:00Z | %s | N/A |\n' "${row%%:*}" "${row#*:}"; done
>   printf '\n## Human Checkpoints Cleared\n\n- [x] Spec approval\n- [ ] Architecture sign-off\n\n## Notes\n'
> } >specs/001-login/.pipeline-state.md
> END
$ sh state.sh architect IN_PROGRESS spec:feature.spec.md clarify:feature.spec.md
$ reprise scan
playbook/001-login  interrupted at architect
  the run was in progress
  specs/001-login/.pipeline-state.md
  reprise plan playbook/001-login
$ reprise plan playbook/001-login
playbook/001-login: ready to resume, clean
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  rerun    architect              it was cut off, and may be done again safely
  run      architecture-sign-off  it has not been reached yet
  run      tasks                  it comes after the point where the run stopped
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: architect
saved: 2 step(s), <took> of work
  resume   reprise resume playbook/001-login
  fresh    reprise fresh playbook/001-login
$ reprise why 001-login architect
architect: rerun
  reason    it was cut off, and may be done again safely
  rule      PB-08 again
  evidence  claim specs/001-login/.pipeline-state.md: not listed as completed
  evidence  file adr.md: missing
  evidence  check Constitution Check: there is no adr.md

# PB05_, PB03_: what is listed as completed must be there, and the Constitution Check must be completed.
$ sh state.sh tasks IN_PROGRESS spec:feature.spec.md clarify:feature.spec.md architect:adr.md
$ reprise plan playbook/001-login
playbook/001-login: ready to resume, clean
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  rerun    architect              it is listed as completed, but its artifact is gone (adr.md)
  run      architecture-sign-off  it has not been reached yet
  rerun    tasks                  something before it runs again
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: architect
saved: 2 step(s), <took> of work
  resume   reprise resume playbook/001-login
  fresh    reprise fresh playbook/001-login
$ echo '# Decision' >specs/001-login/adr.md; reprise plan playbook/001-login
playbook/001-login: ready to resume, clean
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  rerun    architect              adr.md has no completed Constitution Check: there is no heading "Constitution Check" with a table that has a column "Status"
  run      architecture-sign-off  it has not been reached yet
  rerun    tasks                  something before it runs again
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: architect
saved: 2 step(s), <took> of work
  resume   reprise resume playbook/001-login
  fresh    reprise fresh playbook/001-login
$ { printf '# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n'; for n in I II III IV V VI VII VIII; do echo "| Article $n | COMPLIES |"; done; } >specs/001-login/adr.md
$ reprise plan playbook/001-login
playbook/001-login: waits for you, clean
waits for gate architecture-sign-off: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  keep     architect              it is completed
  wait     architecture-sign-off  what it is about is there, and its box is not ticked
  rerun    tasks                  it was cut off, and may be done again safely
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: architecture-sign-off
saved: 3 step(s), <took> of work
  approve  reprise approve playbook/001-login architecture-sign-off
  fresh    reprise fresh playbook/001-login

# PB04_: a task list that looks complete finishes its stage; one with a placeholder does not.
$ printf -- '- [ ] one\n- [ ] TODO\n' >specs/001-login/tasks.md; reprise why 001-login tasks
tasks: rerun
  reason    it was cut off, and may be done again safely
  rule      PB-08 again
  evidence  claim specs/001-login/.pipeline-state.md: not listed as completed
  evidence  file tasks.md: <digest>
  evidence  check tasks.md: line 2: placeholder TODO
$ printf -- '- [ ] one\n- [ ] two\n' >specs/001-login/tasks.md; reprise plan playbook/001-login
playbook/001-login: waits for you, clean
waits for gate architecture-sign-off: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  keep     architect              it is completed
  wait     architecture-sign-off  what it is about is there, and its box is not ticked
  verify   tasks                  its artifact is there and passes its check, but a checkpoint before it is not ticked
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: architecture-sign-off
saved: 3 step(s), <took> of work
  approve  reprise approve playbook/001-login architecture-sign-off
  fresh    reprise fresh playbook/001-login

# PB06_, PB11_: an open checkpoint is shown; a ticked one is not asked again.
$ sh state.sh architect WAITING_FOR_HUMAN spec:feature.spec.md clarify:feature.spec.md
$ reprise plan playbook/001-login
playbook/001-login: waits for you, clean
waits for gate architecture-sign-off: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  keep     architect              its artifact is there and passes its check
  wait     architecture-sign-off  what it is about is there, and its box is not ticked
  run      tasks                  it comes after the point where the run stopped
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: architecture-sign-off
saved: 3 step(s), <took> of work
  approve  reprise approve playbook/001-login architecture-sign-off
  fresh    reprise fresh playbook/001-login
$ sed -i 's/- \[ \] Architecture/- [x] Architecture/' specs/001-login/.pipeline-state.md
$ reprise plan playbook/001-login
playbook/001-login: ready to resume, clean
info: "Architecture sign-off" is ticked in line 20 and not asked again [already_approved]
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  keep     architect              its artifact is there and passes its check
  keep     architecture-sign-off  its box is ticked, and it is not asked for again
  run      tasks                  it comes after the point where the run stopped
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
resume point: tasks
saved: 3 step(s), <took> of work
  resume   reprise resume playbook/001-login
  fresh    reprise fresh playbook/001-login

# PB02_: a changed spec blocks, whatever else is true.
$ sh state.sh tasks IN_PROGRESS spec:feature.spec.md clarify:feature.spec.md architect:adr.md
$ echo 'And with a key.' >>specs/001-login/feature.spec.md; reprise plan playbook/001-login
playbook/001-login: blocked, 1 conflict
blocking: specs/001-login/feature.spec.md is not the spec that was approved [spec_hash_changed]
    reprise accept playbook/001-login spec_hash_changed --because TEXT
waits for gate architecture-sign-off: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          its box is ticked, and it is not asked for again
  keep     architect              it is completed
  wait     architecture-sign-off  what it is about is there, and its box is not ticked
  verify   tasks                  its artifact is there and passes its check, but a checkpoint before it is not ticked
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
saved: 3 step(s), <took> of work
  approve  reprise approve playbook/001-login architecture-sign-off
  accept   reprise accept playbook/001-login spec_hash_changed --because TEXT
  manual   ${EDITOR:-vi} specs/001-login/.pipeline-state.md
  fresh    reprise fresh playbook/001-login
$ rm specs/001-login/feature.spec.md; reprise plan playbook/001-login
playbook/001-login: blocked, 1 conflict
blocking: specs/001-login/feature.spec.md is not there [spec_missing]
    git log --all -- specs/001-login/feature.spec.md
  rerun    spec                   it is listed as completed, but its artifact is gone (feature.spec.md)
  rerun    clarify                it is listed as completed, but its artifact is gone (feature.spec.md)
  keep     spec-approval          its box is ticked, and it is not asked for again
  verify   architect              it is completed, but something before it runs again
  run      architecture-sign-off  it has not been reached yet
  rerun    tasks                  something before it runs again
  run      tdd                    it comes after the point where the run stopped
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
  manual   ${EDITOR:-vi} specs/001-login/.pipeline-state.md
  fresh    reprise fresh playbook/001-login
$ echo '# Login' >specs/001-login/feature.spec.md

# PB01_, PB12_: what is over is not resumed; what cannot be understood is never a fresh start.
$ sh state.sh done COMPLETE spec:feature.spec.md; reprise scan; reprise plan playbook/001-login
no interrupted work was found here
playbook/001-login: done
  keep     spec         it is completed
  keep     clarify      its artifact is there and passes its check
  keep     architect    the run is complete
  keep     tasks        the run is complete
  keep     tdd          the run is complete
  keep     programmer   the run is complete
  keep     testrunner   the run is complete
  keep     code-review  the run is complete
  keep     security     the run is complete
  keep     refactor     the run is complete
saved: 10 step(s), <took> of work
$ sh state.sh programmer FAILED spec:feature.spec.md; reprise scan --all; reprise plan playbook/001-login
playbook/001-login  failed at programmer
  a failed run is never resumed; a fresh one is given its notes
  specs/001-login/.pipeline-state.md
  reprise plan playbook/001-login
playbook/001-login: cannot be resumed, only started anew
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
$ sh state.sh tdd PONDERING spec:feature.spec.md; reprise plan playbook/001-login
playbook/001-login: blocked, 1 conflict, 1 warning
blocking: the file's status is not one that is known: line 8 says "PONDERING" [status_unknown]
  way out: set `status` in specs/001-login/.pipeline-state.md to IN_PROGRESS, WAITING_FOR_HUMAN, COMPLETE, FAILED, CANCELLED or ABORTED
warning: not listed as completed, but counted as done because the run went past it and its artifact passes its check: architect, tasks [stage_not_listed]
info: line 8: not one of the status words: PONDERING [not_understood]
waits for gate architecture-sign-off: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  keep     spec                   it is completed
  keep     clarify                the spec is approved, or up for approval, as it is
  keep     spec-approval          its box is ticked, and it is not asked for again
  keep     architect              the run went past it, and its artifact is there and passes its check; the file does not list it
  wait     architecture-sign-off  what it is about is there, and its box is not ticked
  verify   tasks                  the run went past it and its artifact is there, but a checkpoint before it is not ticked
  rerun    tdd                    it was cut off, and may be done again safely
  run      programmer             it comes after the point where the run stopped
  run      testrunner             it comes after the point where the run stopped
  run      code-review            it comes after the point where the run stopped
  run      security               it comes after the point where the run stopped
  run      security-sign-off      it has not been reached yet
  run      refactor               it comes after the point where the run stopped
saved: 3 step(s), <took> of work
  approve  reprise approve playbook/001-login architecture-sign-off
  manual   ${EDITOR:-vi} specs/001-login/.pipeline-state.md
  fresh    reprise fresh playbook/001-login
$ printf '# Pipeline State\n\n- spec_hash: \0x\n' >specs/001-login/.pipeline-state.md; reprise scan; reprise plan playbook/001-login
playbook/001-login  unknown, damaged
  specs/001-login/.pipeline-state.md: line 3: a NUL byte; the file was probably not written to its end
  specs/001-login/.pipeline-state.md
  reprise plan playbook/001-login
playbook/001-login: blocked, 1 conflict
blocking: specs/001-login/.pipeline-state.md: line 3: a NUL byte; the file was probably not written to its end [damaged]
  manual   ${EDITOR:-vi} specs/001-login/.pipeline-state.md
  fresh    reprise fresh playbook/001-login

# Files of the same name that are somebody else's are left alone, and so is what lies outside of the project.
$ mkdir specs/002-other; echo 'pipeline: on' >specs/002-other/pipeline-state.md; mkdir specs/--help; ln -s /etc/passwd specs/--help/.pipeline-state.md
$ reprise scan --all
playbook/001-login  unknown, damaged
  specs/001-login/.pipeline-state.md: line 3: a NUL byte; the file was probably not written to its end
  specs/001-login/.pipeline-state.md
  reprise plan playbook/001-login
ignored specs/--help/.pipeline-state.md: it is a link to a place outside of the project
ignored specs/002-other/pipeline-state.md: it is not a playbook's state file: no title "Pipeline State" with spec_hash or current_stage, and not two of status, spec_hash and current_stage

# Without a program for its roles it is not begun.
$ sh state.sh tasks IN_PROGRESS spec:feature.spec.md; reprise resume playbook/001-login --yes --quiet; ls .git/reprise 2>&1
reprise: no program is named for role "architect". Add to .reprise/config.yaml:
  workers:
    default: {run: [./scripts/agent.sh]}
  try: reprise init
ls: cannot access '.git/reprise': No such file or directory
? 2
