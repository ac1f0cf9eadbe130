# Work that is not where one thinks: another checkout, a file that was torn early, a run that is busy, wider work.
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main
$ mkdir -p .reprise/workflows && printf 'name: w\nstages:\n  make: {run: "echo made >made.txt", produces: [made.txt]}\n  ok: {needs: make, gate: "Go?"}\n' >.reprise/workflows/w.yaml; git add -A; git commit -qm begin

# ALL03_ARunThatWorkedInAnotherCheckoutSaysSoBeforeItGoesOn
$ reprise run w one --quiet >/dev/null 2>&1; git worktree add -q ../other main -b other; cd ../other; COLUMNS=300 reprise plan w/one | head -3
w/one: resumable once confirmed, 1 warning
warning: the run worked in the main checkout, and this is ../other: what its steps left there is not here [other_checkout]
    reprise -C <project> resume w/one
$ cd ../other; reprise resume w/one --quiet
this needs a confirmation: reprise resume w/one --yes
? 3
$ COLUMNS=300 reprise plan w/one | head -2
w/one: waits for you, clean
waits for gate ok: Go?

# ALL01_AStateFileThatWasTornEarlyIsListedAsDamaged
$ mkdir -p specs/001-login; printf '# Pipeline State\n\n- s' >specs/001-login/.pipeline-state.md; reprise scan --system playbook
playbook/001-login  unknown, damaged
  specs/001-login/.pipeline-state.md: it ends before it says where the run is; most of it is lost
  specs/001-login/.pipeline-state.md
  reprise plan playbook/001-login

# OR15_WhatIsBusyIsSaidWhereNothingCanBeResumed
$ reprise cancel w/one --because over; rm -r specs; printf 'name: busy\nstages:\n  wait: {run: "until [ -e go ]; do sleep 0.05; done"}\n' >.reprise/workflows/busy.yaml
recorded: cancel
$ reprise run busy b --detach 2>/dev/null; until reprise status busy/b | grep -q running; do sleep 0.05; done; reprise resume
busy/b
nothing to resume
  busy/b is being worked on; watch it: reprise attach busy/b
  see what there is:  reprise scan --all
  start something:    reprise run WORKFLOW    (reprise workflow list)
$ reprise run busy b
reprise: run busy/b is being worked on, by process <pid> on <host>
  try: reprise attach busy/b
? 3
$ touch go; reprise attach busy/b >/dev/null 2>&1

# OR10_ARejectedGateGoesOnFromThatGate
$ reprise run w two --quiet >/dev/null 2>&1; reprise reject w/two ok --because later; reprise resume w/two --from ok --yes --quiet 2>&1 | head -2
recorded: reject ok
waiting: Go?
  reprise approve w/two ok
