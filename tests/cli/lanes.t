# LN04_ALaneWorksInItsOwnWorktreeAndBranch: three lanes, one of which needs another, published by merge.
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main
$ mkdir -p plans scripts .reprise && cat >plans/P1.md <<'END'
> # P1: Foundation
>
> ## Interface Freeze Gates
>
> - [ ] IF-1-P1-API: the api is there
>
> ## Lane Index & Dependencies
>
> - SL-API -- The api
>   - Depends on: (none)
>   - Blocks: SL-WEB
>   - Retries: 2
> - SL-WEB -- The web
>   - Depends on: SL-API
> - SL-DOC -- The docs
>   - Depends on: none
>
> ## D. Swim Lanes
>
> ### SL-API -- The api
>
> | Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
> |---|---|---|---|---|---|---|
> | A1 | test | - | t.sh | t.sh | - | a test |
> | A2 | impl | A1 | api.txt | - | `test -s api.txt` | an api |
>
> ### SL-WEB -- The web
>
> | Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
> |---|---|---|---|---|---|---|
> | W1 | impl | - | web.txt | - | `test -s api.txt && test -s web.txt` | a web |
>
> ### SL-DOC -- The docs
>
> | Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
> |---|---|---|---|---|---|---|
> | D1 | impl | - | doc.txt | - | `test -s doc.txt` | docs |
> END
$ cat >scripts/agent.sh <<'END'
> #!/bin/sh
> # does each task in a moment; a file of the project's folder changes how
> top=$(git rev-parse --path-format=absolute --git-common-dir)/..
> cp "$REPRISE_BRIEF" "$top/brief-$REPRISE_STAGE-$REPRISE_ATTEMPT.md"
> echo "$REPRISE_LANE $REPRISE_STAGE ${PWD##*/.worktrees/}" >>"$top/ran.txt"
> test -e "$top/stop-$REPRISE_STAGE" && { rm "$top/stop-$REPRISE_STAGE"; echo half >half.txt; kill -9 $PPID $(cat "$top/runner.pid"); sleep 60; }
> test -e "$top/both-$REPRISE_STAGE" && { echo theirs >"$top/doc.txt"; git -C "$top" add doc.txt; git -C "$top" commit -qm theirs; }
> test -e "$top/fail-$REPRISE_STAGE" && { echo "no luck $REPRISE_ATTEMPT"; exit 1; }
> case "$REPRISE_STAGE" in
> A1) echo 'test -s api.txt' >t.sh ;;
> A2) test "$REPRISE_ATTEMPT" -gt 1 && echo api >api.txt || echo nothing >other.txt ;;
> W1) echo web >web.txt; git add -A; git commit -qm 'a commit of its own'; echo more >>web.txt ;;
> D1) echo "doc of ${PWD##*/.worktrees/}" >doc.txt ;;
> esac
> END
$ chmod +x scripts/agent.sh; printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml
$ printf '*.txt\n!api.txt\n!web.txt\n!doc.txt\n!other.txt\n!half.txt\nbrief-*\n.claude/\n' >.gitignore; git add -A; git commit -qm begin
$ reprise run lanes plans/P1.md --run-id one --input publish=merge --parallel 1 --quiet
lanes/one/P1/-
$ sort ran.txt; git log --format=%s main | sed 's/^lanes SL-[A-Z]*/lanes (the one that was merged second)/' | sort; git status --short; ls .worktrees/P1
SL-API A1 P1/SL-API
SL-API A2 P1/SL-API
SL-API A2 P1/SL-API
SL-DOC D1 P1/SL-DOC
SL-WEB W1 P1/SL-WEB
A1: Do task A1 (test) of lane SL-API in phase P1.
A2: Do task A2 (impl) of lane SL-API in phase P1.
A2: Do task A2 (impl) of lane SL-API in phase P1.
D1: Do task D1 (impl) of lane SL-DOC in phase P1.
W1: Do task W1 (impl) of lane SL-WEB in phase P1.
a commit of its own
begin
lanes (the one that was merged second) (plans/P1.md)
SL-DOC
SL-WEB

# LN02_TheRequiredCheckpointsAreWrittenAtTheirMoments
$ reprise checkpoint list | sort
one  P1  SL-API  after_lane_start  complete  <time>
one  P1  SL-API  after_lane_tests  complete  <time>
one  P1  SL-API  before_lane_start  ready  <time>
one  P1  SL-API  pre_pr  complete  <time>
one  P1  SL-API  retry_attempt  complete  <time>
one  P1  SL-DOC  after_lane_start  complete  <time>
one  P1  SL-DOC  after_lane_tests  complete  <time>
one  P1  SL-DOC  before_lane_start  ready  <time>
one  P1  SL-DOC  pre_pr  complete  <time>
one  P1  SL-WEB  after_lane_start  complete  <time>
one  P1  SL-WEB  after_lane_tests  complete  <time>
one  P1  SL-WEB  before_lane_start  ready  <time>
one  P1  SL-WEB  pre_pr  complete  <time>
$ grep -o '"event":"[a-z_]*"\|"notes":"[a-z_]* [a-z]*' .claude/run-logs/one.jsonl | sed 's/.*:"//' | head -12
phase_start"
lane_start"
branch lane
checkpoint"
before_lane_start ready
checkpoint"
after_lane_start complete
task_start"
task_done"
task_start"
task_done"
test_start"

# LN01_ARecordIsReplacedByItsKeyAndOthersAreKept
$ reprise checkpoint put --run-id other --phase P9 --lane SL-X --stage before_lane_start --status ready --notes first
$ reprise checkpoint put --run-id other --phase P9 --lane SL-X --stage before_lane_start --status complete --notes second; reprise checkpoint list | grep other; reprise checkpoint list | grep -c one
other  P9  SL-X  before_lane_start  complete  <time>
13
$ reprise checkpoint put --run-id other --phase P9 --lane SL-X --stage nonsense --status ready
reprise: --stage is one of before_lane_start, after_lane_start, after_lane_tests, retry_attempt, pre_pr, not "nonsense"
  try: reprise checkpoint put --help
? 2

# LN08_ARetryIsToldWhatFailedAndCounted
$ grep -h 'failure_context' -A4 .claude/ai-dev-kit/run-logs/checkpoints.json | head -3; grep -h retry_attempt -A12 .claude/ai-dev-kit/run-logs/checkpoints.json | grep -e '"retry_attempt":' -e max_retries
    "failure_context": [
      "Attempt 1: exit 1"
    ]
    "retry_attempt": 1,
    "max_retries": 2,
$ sed -n '/[Ff]ailed before/,$p' brief-A2-2.md | head -5; grep -c 'exit 1' brief-A2-2.md
1

# LN03_HintsWorkWhenPasted: the checkpoint file's own commands.
$ grep -o 'reprise run lanes.*--rollback' .claude/ai-dev-kit/run-logs/checkpoints.json | sort -u | tail -1 >hint; cat hint; sh hint
reprise run lanes plans/P1.md --input lane=SL-WEB --run-id one --rollback
rolls lane SL-WEB (.worktrees/P1/SL-WEB) back from <commit> to after_lane_tests (<commit>)
  will run again: SL-WEB/publish
  everything that is there now is kept under refs/reprise/rescue/
nothing was changed. Do it: reprise rollback lanes/one/P1/- --lane SL-WEB --to after_lane_tests --yes
? 3

# LN05_ResumeSkipsWhatIsComplete: killed with its guard in the middle of a task, nothing is done twice.
$ sed 's/P1/P2/g' plans/P1.md >plans/P2.md; git add -A; git commit -qm plan2; touch stop-D1; rm ran.txt
$ (sh -c 'echo $$ >runner.pid; exec reprise run lanes plans/P2.md --run-id two --parallel 1' >/dev/null 2>&1 & wait) 2>/dev/null; cat ran.txt
SL-API A1 P2/SL-API
SL-API A2 P2/SL-API
SL-WEB W1 P2/SL-WEB
SL-DOC D1 P2/SL-DOC
$ reprise run lanes plans/P2.md --run-id two --resume --quiet; cat ran.txt; git log -2 --format=%s lane/P2/SL-WEB
SL-API A1 P2/SL-API
SL-API A2 P2/SL-API
SL-WEB W1 P2/SL-WEB
SL-DOC D1 P2/SL-DOC
SL-DOC D1 P2/SL-DOC
W1: Do task W1 (impl) of lane SL-WEB in phase P2.
a commit of its own

# LN07_RollbackSaysWhereItStandsAndHowToGoOn
$ echo mine >.worktrees/P2/SL-WEB/half.txt; reprise rollback lanes/two --lane SL-WEB
rolls lane SL-WEB (.worktrees/P2/SL-WEB) back from <commit> to after_lane_start (<commit>)
  will run again: SL-WEB/W1
  will run again: SL-WEB/tests
  everything that is there now is kept under refs/reprise/rescue/
nothing was changed. Do it: reprise rollback lanes/two/P2/- --lane SL-WEB --to after_lane_start --yes
? 3
$ reprise rollback lanes/two/P2/SL-WEB --to before_lane_start --yes
rolls lane SL-WEB (.worktrees/P2/SL-WEB) back from <commit> to before_lane_start (<commit>)
  will run again: SL-WEB/W1
  will run again: SL-WEB/tests
  everything that is there now is kept under refs/reprise/rescue/
rolled back; what was there: reprise rescue restore refs/reprise/rescue/lanes/two/P2/SL-WEB-0bd1acec/<time>-<n>
lane SL-WEB is at checkpoint before_lane_start (<commit>)
checkpoints: .claude/ai-dev-kit/run-logs/checkpoints.json
go on: reprise resume lanes/two/P2/-
take it back: reprise undo

# LN06_NothingThatWasThereIsLost
$ git -C .worktrees/P2/SL-WEB log -1 --format=%s; ls .worktrees/P2/SL-WEB/*.txt; reprise rescue list
plan2
.worktrees/P2/SL-WEB/api.txt
.worktrees/P2/SL-WEB/doc.txt
.worktrees/P2/SL-WEB/half.txt
.worktrees/P2/SL-WEB/other.txt
.worktrees/P2/SL-WEB/web.txt
refs/reprise/rescue/lanes/two/P2/SL-WEB-0bd1acec/<time>-<n>  <time>  rollback to before_lane_start
  1 changed file(s), 2 commit(s) that nothing else holds
$ reprise undo --yes; git -C .worktrees/P2/SL-WEB log -1 --format=%s; cat .worktrees/P2/SL-WEB/*.txt
takes back the rollback of lane SL-WEB of lanes/two/P2/-
brought back; look at it: reprise plan lanes/two/P2/-
W1: Do task W1 (impl) of lane SL-WEB in phase P2.
api
doc of P1/SL-DOC
mine
nothing
web
more
$ reprise undo --yes; rm ran.txt; reprise resume lanes/two; cat ran.txt
rolls back again lane SL-WEB of lanes/two/P2/-
set aside again; `reprise undo` brings it back
lane SL-API is at after_lane_tests (complete) in .worktrees/P2/SL-API
lane SL-DOC is at after_lane_tests (complete) in .worktrees/P2/SL-DOC
lane SL-WEB is at before_lane_start (rolled_back) in .worktrees/P2/SL-WEB
checkpoints: .claude/ai-dev-kit/run-logs/checkpoints.json
go on: reprise resume lanes/two/P2/-
back to the start of lane SL-WEB: reprise rollback lanes/two/P2/- --lane SL-WEB --to before_lane_start
lanes/two/P2/-: ready to resume, clean
  keep     SL-API/A1     its success is recorded
  keep     SL-API/A2     its success is recorded
  keep     SL-API/tests  its success is recorded
  rerun    SL-WEB/W1     its earlier result no longer counts: the rollback counts again
  rerun    SL-WEB/tests  its earlier result no longer counts: the rollback counts again
  keep     SL-DOC/D1     its success is recorded
  keep     SL-DOC/tests  its success is recorded
resume point: SL-WEB/W1
saved: 5 step(s), <took> of work
again: 2 step(s)
  resume   reprise resume lanes/two/P2/-
| 
start   SL-WEB/W1 (attempt 2)
done    SL-WEB/W1 (<took>)
start   SL-WEB/tests (attempt 2)
done    SL-WEB/tests (<took>)
done: lanes/two/P2/-
kept 5 finished step(s), which saved <took> of work
  rerun SL-WEB/W1: its earlier result no longer counts: the rollback counts again
  rerun SL-WEB/tests: its earlier result no longer counts: the rollback counts again
SL-WEB W1 P2/SL-WEB
$ grep -h '"event":"lane_rollback"' .claude/run-logs/two.jsonl | wc -l
3

# LN09_FailuresAreRecordedEachInItsOwnWay: tests that fail for good, and what to do then.
$ sed 's/P1/P3/g' plans/P1.md >plans/P3.md; git add -A; git commit -qm plan3; sed -i 's/an api/no api/; s/test -s api.txt/false/' plans/P3.md
$ reprise run lanes plans/P3.md --run-id three --input lane=SL-API --quiet
lanes/three/P3/SL-API
failed: step SL-API/tests failed: exit 1
  see: reprise log lanes/three/P3/SL-API
  then: reprise resume lanes/three/P3/SL-API
  or go back: reprise rollback lanes/three/P3/SL-API --lane SL-API
? 1
$ reprise checkpoint list | grep three; grep -c 'exit 1' brief-A2-3.md; reprise resume lanes/three --quiet
three  P3  SL-API  before_lane_start  ready  <time>
three  P3  SL-API  after_lane_start  complete  <time>
three  P3  SL-API  after_lane_tests  failed  <time>
three  P3  SL-API  retry_attempt  failed  <time>
2
failed: step SL-API/tests failed: exit 1
  see: reprise log lanes/three/P3/SL-API
  then: reprise resume lanes/three/P3/SL-API
  or go back: reprise rollback lanes/three/P3/SL-API --lane SL-API
? 1

# LN11_AConflictKeepsTheLane: both sides changed the same file; nothing is merged, and the way on is a merge by hand.
$ sed 's/P1/P4/g' plans/P1.md >plans/P4.md; git add -A; git commit -qm plan4; touch both-D1
$ reprise run lanes plans/P4.md --run-id four --input lane=SL-DOC --input publish=merge --quiet
lanes/four/P4/SL-DOC
failed: step SL-DOC/publish failed: lane SL-DOC and main changed the same files differently: doc.txt; nothing was merged, the lane is kept. Merge by hand and resume: git -C .worktrees/P4/SL-DOC merge main
  see: reprise log lanes/four/P4/SL-DOC
  then: reprise resume lanes/four/P4/SL-DOC
  or go back: reprise rollback lanes/four/P4/SL-DOC --lane SL-DOC
? 1
$ git log -1 --format=%s; cat doc.txt .worktrees/P4/SL-DOC/doc.txt; git status --short
theirs
theirs
doc of P4/SL-DOC
| ?? both-D1
$ cd .worktrees/P4/SL-DOC && git merge -q main >/dev/null; echo both >doc.txt; git commit -qam 'both docs'
$ reprise resume lanes/four --quiet; cat doc.txt
both

# LN04_ABranchOfAnotherRunIsRefused
$ reprise run lanes plans/P4.md --run-id five --input lane=SL-DOC --quiet
lanes/five/P4/SL-DOC
waiting: Lane SL-DOC cannot be used: there is a branch lane/P4/SL-DOC already, which this run did not make (at <commit>). Try again? Look: git branch -m lane/P4/SL-DOC lane/P4/SL-DOC-old
  reprise approve lanes/five/P4/SL-DOC SL-DOC/D1
then: reprise resume lanes/five/P4/SL-DOC
? 3
$ reprise cancel lanes/five/P4/SL-DOC --because 'not now'
recorded: cancel

# A lane that is over is removed by git, never by us; undo brings it back.
$ echo mine >.worktrees/P4/SL-DOC/half.txt; reprise cleanup lanes/four; reprise cleanup lanes/four --yes; ls .worktrees/P4; git branch --list 'lane/P4/*'
removes the worktree .worktrees/P4/SL-DOC
nothing was changed. Do it: reprise cleanup lanes/four/P4/SL-DOC --yes
removes the worktree .worktrees/P4/SL-DOC
removed; `reprise undo` brings them back
  lane/P4/SL-DOC
$ reprise undo --yes; cat .worktrees/P4/SL-DOC/half.txt
brings back lane SL-DOC of lanes/four/P4/SL-DOC
brought back; look at it: reprise plan lanes/four/P4/SL-DOC
mine

# LN10_ATornLogIsHealedFromTheJournal
$ printf '{"torn' >>.claude/run-logs/four.jsonl; sed -i '/phase_done/d' .claude/run-logs/four.jsonl; reprise rollback lanes/four --to before_lane_start --yes --quiet; reprise resume lanes/four --quiet; grep -c phase_done .claude/run-logs/four.jsonl
rolls lane SL-DOC (.worktrees/P4/SL-DOC) back from <commit> to before_lane_start (<commit>)
  will run again: SL-DOC/D1
  will run again: SL-DOC/publish
  will run again: SL-DOC/tests
  everything that is there now is kept under refs/reprise/rescue/
rolled back; what was there: reprise rescue restore refs/reprise/rescue/lanes/four/P4/SL-DOC/SL-DOC/<time>-<n>
lane SL-DOC is at checkpoint before_lane_start (<commit>)
checkpoints: .claude/ai-dev-kit/run-logs/checkpoints.json
go on: reprise resume lanes/four/P4/SL-DOC
take it back: reprise undo
failed: step SL-DOC/publish failed: lane SL-DOC and main changed the same files differently: doc.txt; nothing was merged, the lane is kept. Merge by hand and resume: git -C .worktrees/P4/SL-DOC merge main
  see: reprise log lanes/four/P4/SL-DOC
  then: reprise resume lanes/four/P4/SL-DOC
  or go back: reprise rollback lanes/four/P4/SL-DOC --lane SL-DOC
1

# LN06_ARollbackThatIsKilledIsFinishedByResume: killed at several of git's calls; the run goes on from the checkpoint.
$ git checkout -q main; sed 's/P1/P6/g' plans/P1.md >plans/P6.md; git add -A; git commit -qm plan6; rm -f both-D1
$ cat >killer.sh <<'END'
> # killer.sh N COMMAND…: runs it with a git that kills its caller at its call N
> mkdir -p killbin; n=$1; shift; rm -f calls
> printf '#!/bin/sh\nc=$(($(cat "%s/calls" 2>/dev/null || echo 0)+1)); echo $c >"%s/calls"\ntest $c = %s && { kill -9 $PPID; exit 1; }\nexec /usr/bin/git "$@"\n' "$PWD" "$PWD" "$n" >killbin/git
> chmod +x killbin/git; PATH="$PWD/killbin:$PATH" "$@"
> END
$ reprise run lanes plans/P6.md --run-id six --input lane=SL-DOC --quiet; rm ran.txt; k=0; for n in 6 12 18 24 30; do
> (sh killer.sh $n reprise rollback lanes/six --to before_lane_start --yes >/dev/null 2>&1 & wait) 2>/dev/null
> test "$(cat calls)" -ge $n && k=$((k+1)); reprise rollback lanes/six --to before_lane_start --yes >/dev/null 2>&1
> reprise resume lanes/six --quiet >/dev/null || echo "exit $?"; test "$(cat .worktrees/P6/SL-DOC/doc.txt)" = 'doc of P6/SL-DOC' || echo "lost at $n"
> done; test $k -ge 3 && echo killed; git fsck --no-dangling --no-progress; grep -c D1 ran.txt
lanes/six/P6/SL-DOC
killed
5

# LN04_TasksHaveWorktreesOfTheirOwnWhereThatIsWanted: each starts from its lane and is merged into it.
$ sed 's/P1/P7/g' plans/P1.md >plans/P7.md; git add -A; git commit -qm plan7; reprise run lanes plans/P7.md --run-id seven --input lane=SL-API --input task_worktrees=yes --quiet; git branch --list 'lane-task/P7/*' --format='%(refname:short)'; git -C .worktrees/P7/SL-API status --short; cat .worktrees/P7/SL-API/api.txt; ls .worktrees/P7
lanes/seven/P7/SL-API
lane-task/P7/SL-API/A1
lane-task/P7/SL-API/A2
api
SL-API
SL-API.tasks

# OR13_AFreshStartOfLanesIsUndone: branch, worktree and what was not committed are there again.
$ echo mine >.worktrees/P6/SL-DOC/half.txt; reprise fresh lanes/six --yes; git branch --list 'lane/P6/*'; ls .worktrees/P6
removes the worktree .worktrees/P6/SL-DOC; what is not committed in it is kept, what git ignores is not
puts run lanes/six/P6/SL-DOC away
put away; `reprise undo` brings it back
reprise run lanes plans/P6.md --input lane=SL-DOC --input publish=none --input task_worktrees=no
  lane/P6/SL-DOC-old1
$ reprise undo --yes; git branch --list 'lane/P6/*'; cat .worktrees/P6/SL-DOC/half.txt; reprise plan lanes/six | head -1
brings back run lanes/six/P6/SL-DOC
brought back; look at it: reprise plan lanes/six/P6/SL-DOC
+ lane/P6/SL-DOC
mine
lanes/six/P6/SL-DOC: done
$ reprise fresh lanes/six --yes --quiet >/dev/null 2>&1; reprise run lanes plans/P6.md --run-id eight --input lane=SL-DOC --quiet >/dev/null 2>&1; reprise undo --yes; reprise fresh lanes/six/P6/SL-DOC --yes; git branch --list 'lane/P6/*'; reprise status | grep -c lanes/six; reprise scan --all | grep -c lanes/six
brings back run lanes/six/P6/SL-DOC
reprise: branch lane/P6/SL-DOC is the lane of run lanes/eight/P6/SL-DOC now; set that aside first
  try: reprise fresh lanes/eight/P6/SL-DOC
  try: reprise undo lanes/six/P6/SL-DOC
reprise: run lanes/six/P6/SL-DOC is put away already
  try: reprise undo
+ lane/P6/SL-DOC
  lane/P6/SL-DOC-old1
0
0
? 1
$ reprise fresh lanes/eight --yes --quiet >/dev/null 2>&1; git branch --list 'lane/P6/*'; reprise undo lanes/six/P6/SL-DOC --yes; git branch --list 'lane/P6/*'; cat .worktrees/P6/SL-DOC/half.txt
  lane/P6/SL-DOC-old1
  lane/P6/SL-DOC-old2
brings back run lanes/six/P6/SL-DOC
brought back; look at it: reprise plan lanes/six/P6/SL-DOC
+ lane/P6/SL-DOC
  lane/P6/SL-DOC-old2
mine
