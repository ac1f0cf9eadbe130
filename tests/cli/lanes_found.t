# LN05_WhatAnotherProgramLeftGoesOnAtItsCheckpoint: its worktree and branch are taken over as they are.
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main
$ mkdir -p plans scripts .reprise .claude/ai-dev-kit/run-logs && printf '#!/bin/sh\necho "$REPRISE_STAGE" >>"$(git rev-parse --path-format=absolute --git-common-dir)/../ran.txt"\necho doc >>doc.txt\n' >scripts/agent.sh; chmod +x scripts/agent.sh
$ printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml; printf '.claude/\n/ran.txt\n' >.gitignore
$ cat >plans/P1.md <<'END'
> # P1: Docs
>
> ## Lane Index & Dependencies
>
> - SL-DOC -- The docs
>   - Depends on: none
>
> ## D. Swim Lanes
>
> ### SL-DOC -- The docs
>
> | Task ID | Task Type | Depends On | Files in Scope | Tests Owned Files | Test Command(s) | Acceptance Criteria |
> |---|---|---|---|---|---|---|
> | D1 | impl | - | doc.txt | - | `test -s doc.txt` | docs |
> END
$ echo .worktrees/ >>.gitignore; git add -A; git commit -qm begin; git worktree add -q --no-track -b lane/P1/SL-DOC .worktrees/P1/SL-DOC; echo half >.worktrees/P1/SL-DOC/draft.txt
$ cat >record.sh <<'END'
> # record.sh STAGE STATUS TIME WORKTREE: one checkpoint as another program writes it
> printf '  {"run_id": "night", "phase": "P1", "lane": "SL-DOC", "stage": "%s", "status": "%s", "timestamp": "%s",\n' "$1" "$2" "$3"
> printf '   "base_branch": "main", "worktree_path": "%s", "mine": 1,\n' "$4"
> printf '   "resume_hint": "/ai-dev-kit:execute-lane plans/P1.md SL-DOC --resume --run-id night"}'
> END
$ f=.claude/ai-dev-kit/run-logs/checkpoints.json; { echo '['; sh record.sh before_lane_start ready $(date -u -d "1 minute ago" +%FT%TZ) "$PWD/.worktrees/P1/SL-DOC"; echo ,; sh record.sh after_lane_start complete $(date -u +%FT%TZ) "$PWD/.worktrees/P1/SL-DOC"; printf '\n]\n'; } >$f
$ reprise scan | sed 's/, last activity.*//'; reprise scan --json | grep -o '"id":"lanes[^"]*","system":"[a-z]*"'
lanes/night/P1/SL-DOC  interrupted at after_lane_start
  its worktree was made; its tasks go on there
  .claude/ai-dev-kit/run-logs/checkpoints.json
  reprise plan lanes/night/P1/SL-DOC
"id":"lanes/night/P1/SL-DOC","system":"lanes"
$ COLUMNS=500 reprise plan lanes/night | sed 's/, last activity.*//'
lanes/night/P1/SL-DOC: ready to resume, clean
  keep     before_lane_start  the lane has passed it
  run      after_lane_start   its worktree was made; its tasks go on there
  run      after_lane_tests   it comes after the point where the lane stopped
  run      pre_pr             it comes after the point where the lane stopped
resume point: after_lane_start
saved: 1 step(s), <took> of work
  resume   reprise resume lanes/night/P1/SL-DOC
$ reprise resume lanes/night/P1/SL-DOC --yes --quiet; cat ran.txt; git -C .worktrees/P1/SL-DOC log --format=%s; ls .worktrees/P1/SL-DOC
D1
D1: Do task D1 (impl) of lane SL-DOC in phase P1.
begin
doc.txt
draft.txt
plans
scripts
$ grep -c '"mine": 1' .claude/ai-dev-kit/run-logs/checkpoints.json; reprise checkpoint list | grep night
2
night  P1  SL-DOC  before_lane_start  ready  <time>
night  P1  SL-DOC  after_lane_start  complete  <time>
night  P1  SL-DOC  after_lane_tests  complete  <time>
$ reprise scan
no interrupted work was found here

# LN05_WhatIsCompleteIsNotDoneAgain: its tests had passed, so only what comes after them is left.
$ rm ran.txt; sed 's/P1/P2/g' plans/P1.md >plans/P2.md; git add -A; git commit -qm p2; git worktree add -q --no-track -b lane/P2/SL-DOC .worktrees/P2/SL-DOC
$ { echo '['; sh record.sh after_lane_tests complete $(date -u -d "1 minute ago" +%FT%TZ) "$PWD/.worktrees/P2/SL-DOC" | sed 's/P1/P2/g'; printf '\n]\n'; } >.claude/ai-dev-kit/run-logs/checkpoints.json
$ reprise run lanes plans/P2.md --run-id night --input lane=SL-DOC --resume --quiet; ls ran.txt
ls: cannot access 'ran.txt': No such file or directory
? 2

# A path that leads out of the project is not used; what cannot be read is said, with its line.
$ { echo '['; sh record.sh after_lane_start complete $(date -u -d "1 minute ago" +%FT%TZ) /etc | sed 's/night/day/g'; printf '\n]\n'; } >.claude/ai-dev-kit/run-logs/checkpoints.json; COLUMNS=500 reprise plan lanes/day | grep ^warning
warning: its worktree_path leads out of the project and is not used: /etc [worktree_outside]
$ { echo '['; sh record.sh after_lane_start nonsense $(date -u -d "1 minute ago" +%FT%TZ) /etc | sed 's/night/day/g'; printf '\n]\n'; } >.claude/ai-dev-kit/run-logs/checkpoints.json; COLUMNS=500 reprise plan lanes/day | sed -n 2p
blocking: .claude/ai-dev-kit/run-logs/checkpoints.json line 2 says "nonsense" [status_unknown]
$ printf '[\n  {"run_id": "x"\n' >.claude/ai-dev-kit/run-logs/checkpoints.json; reprise scan; reprise checkpoint put --run-id a --phase P --lane L --stage pre_pr --status ready
lanes/checkpoints  unknown, damaged
  .claude/ai-dev-kit/run-logs/checkpoints.json:3: it ends in the middle of a value; it was probably not written to its end
  .claude/ai-dev-kit/run-logs/checkpoints.json
  reprise plan lanes/checkpoints
reprise: .claude/ai-dev-kit/run-logs/checkpoints.json:3: it ends in the middle of a value; it was probably not written to its end
  try: mv .claude/ai-dev-kit/run-logs/checkpoints.json .claude/ai-dev-kit/run-logs/checkpoints.json.broken
? 2
$ cat .claude/ai-dev-kit/run-logs/checkpoints.json
[
  {"run_id": "x"
