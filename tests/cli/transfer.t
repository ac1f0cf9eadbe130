# A run of one's own: killed here, exported, resumed in another clone, and brought back. Nothing that was done is done again.
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/ship.yaml <<'EOF'
> name: ship
> limits: {parallel: 1}
> stages:
>   build: {run: 'echo build >>ran.txt; mkdir -p out; echo v2 >out/app; chmod +x out/app', produces: [out/app]}
>   test:
>     needs: build
>     inputs: [out/app]
>     run: 'echo test >>ran.txt; test -e stop && { rm stop; kill -9 $PPID $(cat runner.pid); sleep 60; }; echo fine >report.txt'
>     produces: [report.txt]
>   look: {needs: test, gate: {ask: 'is it good?', shows: [report.txt]}}
>   send: {needs: look, run: 'echo send >>ran.txt'}
> EOF
$ printf 'out/\n*.txt\n*.tar\nstop\nrunner.pid\n.claude/\n' >.gitignore; git add -A; git commit -qm begin; git clone -q . ../elsewhere
$ touch stop; (sh -c 'echo $$ >runner.pid; exec reprise run ship v2' >/dev/null 2>&1 & wait) 2>/dev/null; cat ran.txt
build
test
$ reprise plan ship/v2 --json | grep -o '"decisions":\[.*\],"findings"' >../before; reprise export ship/v2 --output ../v2.tar
exported ship/v2: 7 events, 8 files
elsewhere: reprise import v2.tar
../v2.tar
$ tar -tf ../v2.tar
manifest.json
journal/events.jsonl
journal/texts/<digest>
attempts/build/1/brief.md
attempts/build/1/context.json
attempts/test/1/brief.md
attempts/test/1/context.json
guard/exits.log
project/out/app
end.sha256
$ reprise -C ../elsewhere import ../v2.tar
imported: ship/v2
exported <time> by tester@<host>
look at it: reprise -C ../elsewhere plan ship/v2
go on: reprise -C ../elsewhere resume ship/v2
ship/v2
$ reprise -C ../elsewhere plan ship/v2 --json | grep -o '"decisions":\[.*\],"findings"' >../after; cmp ../before ../after && cat ../after | grep -o '"decision":"[a-z]*"'
"decision":"keep"
"decision":"rerun"
"decision":"run"
"decision":"run"
$ reprise -C ../elsewhere resume ship/v2 --yes --quiet
waiting: is it good?
  reprise -C ../elsewhere approve ship/v2 look
then: reprise -C ../elsewhere resume ship/v2
? 3
$ cat ../elsewhere/ran.txt; test -x ../elsewhere/out/app && reprise -C ../elsewhere log ship/v2 build; reprise -C ../elsewhere verify
test
== build attempt 1
no output; exit 0
command: echo build >>ran.txt; mkdir -p out; echo v2 >out/app; chmod +x out/app
intact: every event is there, in order and unchanged
$ reprise -C ../elsewhere export ship/v2 --quiet --output ../back.tar; reprise import ../back.tar; cat ran.txt
../back.tar
brought up to date: ship/v2
exported <time> by tester@<host>
look at it: reprise plan ship/v2
go on: reprise resume ship/v2
ship/v2
build
test
$ reprise approve ship/v2 look; reprise resume ship/v2 --yes --quiet; cat ran.txt; reprise events ship/v2 | grep -c note_added
recorded: approve look
build
test
send
4

# Imported again, there is nothing to do; gone another way, it is refused, and may have another name.
$ reprise import ../back.tar
here already: ship/v2
exported <time> by tester@<host>
look at it: reprise plan ship/v2
go on: reprise resume ship/v2
ship/v2
$ reprise -C ../elsewhere approve ship/v2 look; reprise export ship/v2 --quiet --output ../third.tar; reprise -C ../elsewhere import ../third.tar
recorded: approve look
../third.tar
reprise: ../third.tar: run ship/v2 is here too and has gone another way: the first 14 of 21 exported events are the same
  try: reprise -C ../elsewhere events ship/v2
  try: reprise -C ../elsewhere import ../third.tar --as v2-imported
? 2
$ reprise -C ../elsewhere import ../third.tar --as v2-other --quiet; reprise -C ../elsewhere status ship/v2-other | head -1; reprise -C ../elsewhere status ship/v2-other | grep -c -e 'note: exported on' -e 'note: imported on'
ship/v2-other
ship/v2-other  done
6

# A file that differs is never overwritten silently: exit 4, and with --yes it is set aside for undo.
$ git clone -q . ../third; mkdir ../third/out; echo mine >../third/out/app; reprise -C ../third import ../v2.tar
1 file of the project is not as the run left it:
  out/app
nothing was changed. Set aside and import: reprise -C ../third import ../v2.tar --yes
? 4
$ reprise -C ../third import ../v2.tar --json; reprise -C ../third status
{"id":"ship/v2","result":"imported","exported_at":"<time>","by":"tester@<host>","host":"<host>","events":7,"differing":["out/app"],"set_aside":["out/app"],"applied":false}
nothing was changed. Set aside and import: reprise -C ../third import ../v2.tar --yes
nothing has run here yet; `reprise -C ../third workflow list` shows what could
$ reprise -C ../third import ../v2.tar --yes; cat ../third/out/app; reprise -C ../third undo --yes; cat ../third/out/app
1 file of the project is not as the run left it:
  out/app
imported: ship/v2
exported <time> by tester@<host>
1 file set aside; `reprise -C ../third undo` brings it back
look at it: reprise -C ../third plan ship/v2
go on: reprise -C ../third resume ship/v2
ship/v2
v2
brings back out/app, set aside <time> by tester@<host>
brought back; look at it: reprise -C ../third plan ship/v2
mine

# Another repository is refused, and so is what is no exported run.
$ git init -q ../foreign; git -C ../foreign -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m other; reprise -C ../foreign import ../v2.tar
reprise: ../v2.tar: it was exported from another repository: commit <commit> and where its history begins are not known here
  try: git fetch --all
? 2
$ reprise -C ../foreign import /dev/null
reprise: /dev/null: it is not a file
  try: ls -l /dev/null
? 2
$ reprise -C ../foreign import .gitignore
reprise: .gitignore: it is not an exported run
  try: ls -l .gitignore
? 2
$ head -c 4096 ../v2.tar >../cut.tar; reprise -C ../foreign import ../cut.tar
reprise: ../cut.tar: it is damaged: it was cut off, or changed since it was exported
  try: ls -l ../cut.tar
? 2
$ cd ../foreign && git status --short && ls .git | grep -c reprise
0
? 1
$ reprise export ship/v2 --output .gitignore
reprise: <project>/.gitignore is there and is no exported run; it is not overwritten
  try: mv <project>/.gitignore <project>/.gitignore.old
? 2
$ reprise export ship/v2 --output nowhere/x.tar
reprise: there is no folder <project>/nowhere
  try: mkdir -p <project>/nowhere
? 2

# A run that is at work is not exported: exit 5, with who has it.
$ cat >.reprise/workflows/slow.yaml <<'EOF'
> name: slow
> stages: {wait: {run: 'touch begun; until [ -e go ]; do sleep 0.05; done'}}
> EOF
$ reprise run slow one >/dev/null 2>&1 & pid=$!; until [ -e begun ]; do sleep 0.05; done; reprise export slow/one; echo "exit $?"; kill -9 $pid; wait $pid 2>/dev/null; reprise export slow/one; echo "exit $?"; touch go; reprise resume slow/one --yes --quiet
reprise: run slow/one is held by process <pid> on <host> since <time>
  try: reprise status slow/one
  try: reprise attach slow/one
exit 5
reprise: a worker of run slow/one is still at work on step wait, although the process that started it is gone
  try: reprise resume slow/one
  try: reprise cancel slow/one
exit 5

# The same through a pipe, as one CI job hands it to the next.
$ reprise export slow/one --output - --quiet >../piped.tar; git clone -q . ../job2; reprise -C ../job2 import ../piped.tar --quiet; reprise -C ../job2 status slow/one | head -1
slow/one
slow/one  done

# A playbook: its state file and artifacts travel, an approval too.
$ mkdir -p scripts && cat >scripts/agent.sh <<'EOF'
> #!/bin/sh
> echo "$REPRISE_STAGE" >>ran.txt
> printf '# Login\n\nAll users.\n' >specs/$subject/feature.spec.md
> { printf '# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n'
>   for n in I II III IV V VI VII VIII; do echo "| Article $n | COMPLIES |"; done; } >specs/$subject/adr.md
> EOF
$ chmod +x scripts/agent.sh; printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml; rm -f ran.txt; git add -A; git commit -qm playbook; git clone -q . ../desk
$ reprise run playbook 001-login --quiet >/dev/null; reprise approve 001-login spec-approval; reprise export 001-login --quiet --output ../login.tar; tar -tf ../login.tar | grep -v '^journal/texts/'
waiting: Spec approval: is specs/001-login/feature.spec.md what is to be built?
  reprise approve playbook/001-login spec-approval
then: reprise resume playbook/001-login
recorded: approve spec-approval
../login.tar
manifest.json
journal/events.jsonl
attempts/spec/1/brief.md
attempts/spec/1/context.json
attempts/clarify/1/brief.md
attempts/clarify/1/context.json
project/specs/001-login/.pipeline-state.md
project/specs/001-login/adr.md
project/specs/001-login/feature.spec.md
end.sha256
$ reprise -C ../desk import ../login.tar --quiet; cmp specs/001-login/.pipeline-state.md ../desk/specs/001-login/.pipeline-state.md; for at in . ../desk; do reprise -C $at plan 001-login | grep -e keep -e 'resume point' -e :; done
playbook/001-login
playbook/001-login: ready to resume, clean
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          it was approved, and is not asked again
resume point: architect
saved: 2 step(s), <took> of work
playbook/001-login: ready to resume, clean
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          it was approved, and is not asked again
resume point: architect
saved: 2 step(s), <took> of work
$ reprise -C ../desk resume 001-login --yes --quiet; cat ../desk/ran.txt; reprise -C ../desk verify
waiting: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  reprise -C ../desk approve playbook/001-login architecture-sign-off
then: reprise -C ../desk resume playbook/001-login
architect
intact: every event is there, in order and unchanged
$ reprise -C ../desk export 001-login --quiet --output ../login2.tar; reprise import ../login2.tar; cmp specs/001-login/.pipeline-state.md ../desk/specs/001-login/.pipeline-state.md; reprise plan 001-login | grep -e keep -e wait
../login2.tar
brought up to date: playbook/001-login
exported <time> by tester@<host>
1 file set aside; `reprise undo` brings it back
look at it: reprise plan playbook/001-login
go on: reprise resume playbook/001-login
playbook/001-login
playbook/001-login: waits for you, clean
waits for gate architecture-sign-off: Architecture sign-off: may 001-login be built as specs/001-login/adr.md says?
  keep     spec                   it is completed
  keep     clarify                it is completed
  keep     spec-approval          it was approved, and is not asked again
  keep     architect              it is completed
  wait     architecture-sign-off  a person has been asked and has not decided

# Lanes: branches, snapshots and what lay uncommitted in the worktrees travel; checkpoints name the new place.
$ mkdir -p plans && cat >plans/P1.md <<'EOF'
> # P1: Foundation
>
> ## Lane Index & Dependencies
>
> - SL-API -- The api
>   - Depends on: (none)
> - SL-WEB -- The web
>   - Depends on: SL-API
>
> ## Swim Lanes
>
> ### SL-API -- The api
>
> | Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
> |---|---|---|---|---|---|---|
> | A1 | impl | - | api.c | - | `test -s api.c` | an api |
>
> ### SL-WEB -- The web
>
> | Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
> |---|---|---|---|---|---|---|
> | W1 | impl | - | web.c | - | `test -s api.c && test -s web.c` | a web |
> EOF
$ cat >scripts/agent.sh <<'EOF'
> #!/bin/sh
> top=$(git rev-parse --path-format=absolute --git-common-dir)/..
> echo "$REPRISE_STAGE" >>"$top/ran.txt"
> test -e "$top/stop" && test $REPRISE_STAGE = W1 && { rm "$top/stop"; echo half >half.c; kill -9 $PPID $(cat "$top/runner.pid"); sleep 60; }
> case $REPRISE_STAGE in A1) echo api >api.c ;; W1) cat half.c >>"$top/ran.txt"; echo web >web.c ;; esac
> EOF
$ rm -f ran.txt; git add -A; git commit -qm lanes; git clone -q . ../train; touch stop
$ (sh -c 'echo $$ >runner.pid; exec reprise run lanes plans/P1.md --run-id one --parallel 1' >/dev/null 2>&1 & wait) 2>/dev/null; cat ran.txt
A1
W1
$ reprise plan lanes/one --json | grep -o '"decision":"[a-z]*"' >../before; reprise export lanes/one --output ../lanes.tar
exported lanes/one/P1/-: 21 events, 10 files
elsewhere: reprise import lanes.tar
../lanes.tar
$ tar -tf ../lanes.tar | grep git/; reprise -C ../train import ../lanes.tar --quiet; git -C ../train branch --list 'lane/*'; cat ../train/.worktrees/P1/SL-WEB/half.c; git -C ../train for-each-ref refs/reprise/transfer; git -C ../train/.worktrees/P1/SL-WEB status --short
git/run.bundle
lanes/one/P1/-
+ lane/P1/SL-API
+ lane/P1/SL-WEB
half
| ?? half.c
$ reprise -C ../train plan lanes/one --json | grep -o '"decision":"[a-z]*"' >../after; cmp ../before ../after && cat ../after
"decision":"keep"
"decision":"keep"
"decision":"rerun"
"decision":"run"
$ grep -c "$(cd ../train && pwd)/.worktrees" ../train/.claude/ai-dev-kit/run-logs/checkpoints.json; grep -c "$PWD/.worktrees" ../train/.claude/ai-dev-kit/run-logs/checkpoints.json
5
0
? 1
$ reprise -C ../train resume lanes/one --yes --quiet; cat ../train/ran.txt; git -C ../train log --format=%s -2 lane/P1/SL-WEB; reprise -C ../train import ../lanes.tar
W1
half
W1: Do task W1 (impl) of lane SL-WEB in phase P1.
A1: Do task A1 (impl) of lane SL-API in phase P1.
here already: lanes/one/P1/-
exported <time> by tester@<host>
look at it: reprise -C ../train plan lanes/one/P1/-
go on: reprise -C ../train resume lanes/one/P1/-
lanes/one/P1/-

# It comes home: what lay in the worktrees here is set aside, branches go forward, nothing is done again.
$ rm ran.txt; reprise -C ../train export lanes/one --quiet --output ../home.tar; reprise import ../home.tar --quiet; git log --format=%s -1 lane/P1/SL-WEB; git -C .worktrees/P1/SL-WEB status --short; cat .worktrees/P1/SL-WEB/web.c
../home.tar
lanes/one/P1/-
W1: Do task W1 (impl) of lane SL-WEB in phase P1.
web
$ reprise resume lanes/one --yes --quiet; ls ran.txt; reprise status lanes/one | head -1; reprise rescue list | grep -c 'an import of the run'; reprise verify
nothing to resume: the run is done
ls: cannot access 'ran.txt': No such file or directory
lanes/one/P1/-  done
1
intact: every event is there, in order and unchanged
$ git commit -q --allow-empty -m 'something else'; git clone -q . ../last; git -C ../last branch lane/P1/SL-API; reprise -C ../last import ../home.tar
reprise: ../home.tar: branch lane/P1/SL-API is here too, at <commit>, with commits that the exported run does not have
  try: git branch -m lane/P1/SL-API lane/P1/SL-API-old
? 2
