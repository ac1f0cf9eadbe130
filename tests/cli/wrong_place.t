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
? 5
$ touch go; reprise attach busy/b >/dev/null 2>&1

# OR10_ARejectedGateGoesOnFromThatGate
$ reprise run w two --quiet >/dev/null 2>&1; reprise reject w/two ok --because later; reprise resume w/two --from ok --yes --quiet 2>&1 | head -2
recorded: reject ok
waiting: Go?
  reprise approve w/two ok

# OR13_AFreshStartOfAnOwnRunIsUndone
$ printf 'name: step\nstages:\n  a: {run: "echo a >>done.txt"}\n  b: {needs: a, run: "test -e allowed"}\n' >.reprise/workflows/step.yaml; reprise run step x --quiet >/dev/null 2>&1; reprise fresh step/x --yes; reprise fresh step/x --yes
puts run step/x away
put away; `reprise undo` brings it back
reprise run step x
reprise: run step/x is put away already
  try: reprise undo
? 2
$ reprise status | grep -c step/x; reprise undo --yes; reprise status step/x | head -3
0
brings back run step/x
brought back; look at it: reprise plan step/x
step/x  failed at b
  1 done, 1 failed; updated <time>
  step b failed: exit 1
$ touch allowed; reprise resume step/x --quiet --yes; cat done.txt; reprise status step/x | grep -e 'set aside' -e 'brought back'
a
  <time> run set aside by tester@<host>
  <time> run brought back by tester@<host>
$ reprise undo --yes; reprise status | grep -c step/x; reprise undo --yes; reprise status | grep step/x
sets aside again run step/x
set aside again; `reprise undo` brings it back
0
brings back run step/x
brought back; look at it: reprise plan step/x
step/x  done
$ reprise run w five --quiet >/dev/null 2>&1; reprise fresh w/five --yes --quiet >/dev/null 2>&1; reprise run w five --quiet >/dev/null 2>&1; reprise undo --yes
brings back run w/five
reprise: run w/five@2 is in its place now, and is not over
  try: reprise cancel w/five@2
? 5
$ reprise cancel w/five@2 --because other --quiet; reprise undo --yes; reprise status w/five | head -1; reprise inbox | grep five
brings back run w/five
brought back; look at it: reprise plan w/five@1
w/five@1  waiting at ok
w/five@1  gate ok: Go?
  reprise approve w/five@1 ok
  reprise reject w/five@1 ok --because TEXT
$ reprise fresh w/five --yes --quiet >/dev/null 2>&1; reprise gc --keep 0d >/dev/null; reprise undo --yes
sets aside again run step/x
set aside again; `reprise undo` brings it back
$ printf 'name: long\nstages:\n  wait: {run: "echo $PPID >runner.pid; until [ -e stop ]; do sleep 0.05; done"}\n' >.reprise/workflows/long.yaml; reprise run long l --detach >/dev/null 2>&1; until [ -s runner.pid ]; do sleep 0.05; done; kill -9 $(reprise lock list | sed -n 's/^long.*process \([0-9]*\).*/\1/p'); until reprise lock list | grep -q '^long.*dead'; do sleep 0.05; done; reprise fresh long/l --yes; touch stop
reprise: a worker of run long/l is still at work: wait#1
  try: reprise resume long/l
  try: reprise cancel long/l

# CommandsThatAreNamedWorkFromElsewhere
$ P=$PWD; mkdir -p ../elsewhere; cd ../elsewhere; reprise -C "$P" run w three --quiet; reprise -C "$P" status w/three nonsense; reprise -C "$P" inbox
w/three
waiting: Go?
  reprise -C <project> approve w/three ok
then: reprise -C <project> resume w/three
reprise: "nonsense" is more than status takes
  try: reprise status --help
w/two  gate ok: Go?
  reprise -C <project> approve w/two ok
  reprise -C <project> reject w/two ok --because TEXT
w/three  gate ok: Go?
  reprise -C <project> approve w/three ok
  reprise -C <project> reject w/three ok --because TEXT
$ P=$PWD; cd ../elsewhere; reprise -C "$P" inbox | grep approve | sh; reprise -C "$P" resume w/three --json | grep -o '"outcome":{[^}]*}'
recorded: approve ok
recorded: approve ok
done: w/three
kept 1 finished step(s), which saved <took> of work
"outcome":{"status":"done","exit":0,"failed_step":null,"reason":"","waiting_for":[],"next":[]}

# EveryRefusalNamesTheNextCommand
$ reprise approve w/three nope; reprise skip w/three nope --because x; reprise why w/three nope; reprise plan w/three --from nope; reprise run w four --mode turbo
reprise: run w/three is done
  try: reprise inbox
reprise: run w/three is done
  try: reprise status w/three
reprise: run w/three has no stage "nope"
  try: reprise plan w/three
reprise: there is no stage "nope"; there are: make, ok
  try: reprise scan
reprise: --mode cannot be "turbo"; allowed: autopilot, interactive, preflight
  try: reprise run --help
? 2
$ reprise rollback w/three; reprise fork w/three; reprise import nofile.tar; reprise log w/three nope; reprise cleanup w/three
reprise: run w/three has no lane yet
  try: reprise status w/three
reprise: fork needs --from STAGE
  try: reprise plan w/three
reprise: nofile.tar: it is not there
  try: ls -l .
reprise: run w/three has no attempt of step "nope"
  try: reprise status w/three
there is nothing to clean up
