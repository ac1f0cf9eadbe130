# What an agent or a user does to a lane behind its back: nothing is lost, and what happened is said.
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main
$ mkdir -p plans scripts .reprise && cat >plans/P0.md <<'END'
> # P0: Docs
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
> | D1 | impl | - | doc.txt | - | - | docs |
> | D2 | impl | D1 | more.txt | - | `true` | more |
> END
$ printf '#!/bin/sh\ntop=$(git rev-parse --path-format=absolute --git-common-dir)/..\ntest -e "$top/hook-$REPRISE_STAGE" && . "$top/hook-$REPRISE_STAGE"\necho "$REPRISE_STAGE" >>"${PWD##*/}-$REPRISE_STAGE.txt"\n' >scripts/agent.sh; chmod +x scripts/agent.sh
$ printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml; printf '.claude/\n/hook-*\nsettings.local\n' >.gitignore
$ for k in 1 2 3 4 5 6; do sed "s/P0/P$k/" plans/P0.md >plans/P$k.md; done; git add -A; git commit -qm begin

# R5_AnIgnoredFileOfTheUserIsNotOverwrittenByAMerge
$ echo precious >settings.local; echo 'sed -i /settings/d .gitignore; echo theirs >settings.local' >hook-D1; reprise run lanes plans/P1.md --run-id a --input publish=merge --quiet; cat settings.local; rm hook-D1
lanes/a/P1/-
failed: step SL-DOC/publish failed: <project>: files that are not committed would be overwritten: settings.local
  see: reprise log lanes/a/P1/-
  then: reprise resume lanes/a/P1/-
  or go back: reprise rollback lanes/a/P1/- --lane SL-DOC
precious

# R8_AnAgentThatTakesTheBranchBackIsNoticed: a commit on record must stay in the lane.
$ echo 'git reset -q --hard HEAD~1' >hook-D2; reprise run lanes plans/P2.md --run-id b --quiet; rm hook-D2; reprise resume lanes/b --quiet
lanes/b/P2/-
failed: step SL-DOC/D2 failed: it ended well, but it took the lane's branch back behind <commit>, the last commit on record; what it did is kept in a snapshot
  see: reprise log lanes/b/P2/-
  then: reprise resume lanes/b/P2/-
  or go back: reprise rollback lanes/b/P2/- --lane SL-DOC
waiting: Lane SL-DOC cannot be used: branch lane/P2/SL-DOC was moved by somebody else: it is at <commit>, which does not hold <commit>, the last commit on record. Try again? Look: git log --oneline --graph <digest> lane/P2/SL-DOC
  reprise approve lanes/b/P2/- SL-DOC/D2
then: reprise resume lanes/b/P2/-
? 3

# R46_ALockThatAKilledAgentLeftIsRemoved: by proof that it is dead, and only then.
$ echo 'test $REPRISE_ATTEMPT = 1 && { touch "$(git rev-parse --git-dir)/index.lock"; kill -9 $$; }' >hook-D1; reprise run lanes plans/P3.md --run-id c --quiet; reprise resume lanes/c --quiet; rm hook-D1; git -C .worktrees/P3/SL-DOC status --short
lanes/c/P3/-
failed: step SL-DOC/D1 failed: ended by signal 9
  see: reprise log lanes/c/P3/-
  then: reprise resume lanes/c/P3/-
  or go back: reprise rollback lanes/c/P3/- --lane SL-DOC

# P25_ABranchThatIsNotTheLanesIsNeverRolledBack
$ git -C .worktrees/P3/SL-DOC checkout -q -b mine; reprise rollback lanes/c --to before_lane_start --yes; git -C .worktrees/P3/SL-DOC switch -q lane/P3/SL-DOC
reprise: lane SL-DOC has branch mine checked out, which is not its own; nothing was changed
  try: git -C .worktrees/P3/SL-DOC switch lane/P3/SL-DOC

# Whoever calls it from inside a lane means the project that the lane belongs to.
$ cd .worktrees/P3/SL-DOC && reprise status lanes/c | head -1 && reprise cleanup lanes/c
lanes/c/P3/-  done
removes the worktree .worktrees/P3/SL-DOC
nothing was changed. Do it: reprise cleanup lanes/c/P3/- --yes
? 3

# R4_SeveralLanesAreRemovedAndAllComeBack
$ printf 'name: three\nstages:\n  l: {each: {in: [a, b, c]}, lane: {base: main}, run: "echo $item >$item.txt"}\n' >three.yaml; reprise run three.yaml 1 --quiet; ls .worktrees/three/1; for l in a b c; do echo dirty >.worktrees/three/1/l.$l/dirty.txt; done
three/1
l.a
l.b
l.c
$ reprise cleanup three/1 --yes; ls .worktrees/three/1 | wc -l; reprise undo --yes; cat .worktrees/three/1/*/dirty.txt .worktrees/three/1/*/[abc].txt
removes the worktree .worktrees/three/1/l.a
removes the worktree .worktrees/three/1/l.b
removes the worktree .worktrees/three/1/l.c
removed; `reprise undo` brings them back
0
brings back lane l/a, l/b, l/c of three/1
brought back; look at it: reprise plan three/1
dirty
dirty
dirty
a
b
c

# What cannot be published in the end is said before anything is done.
$ git checkout -q --detach; reprise run lanes plans/P4.md --run-id d --input publish=merge --quiet; git checkout -q main
lanes/d/P4/-
waiting: Lane SL-DOC cannot be used: what is published goes into a branch, and none is checked out. Try again? Look: git branch --list
  reprise approve lanes/d/P4/- SL-DOC/D1
then: reprise resume lanes/d/P4/-
$ printf 'name: pushed\nstages:\n  l: {lane: {base: main}, publish: push, run: "echo x >x.txt"}\n' >pushed.yaml; reprise run pushed.yaml 1 --quiet
pushed/1
failed: step l/publish failed: there is no remote "origin" to publish to
  see: reprise log pushed/1
  then: reprise resume pushed/1
  or go back: reprise rollback pushed/1 --lane l
? 1

# A lane in a lane lies beside it, and is merged into it.
$ printf 'name: nested\nstages:\n  outer:\n    lane: {base: main}\n    publish: merge\n    stages:\n      one: {run: "echo 1 >one.txt"}\n      inner: {needs: [one], lane: {}, publish: merge, run: "cat one.txt >two.txt"}\n      three: {needs: [inner], run: "cat two.txt >three.txt"}\n' >nested.yaml; reprise run nested.yaml 1 --quiet; cat three.txt; ls .worktrees/nested/1
nested/1
1
outer
outer.inner

# Two runs that want the same lane at the same moment: it is worked on once.
$ echo 'echo x >>"$top/hook-ran"; sleep 0.5' >hook-D1; (reprise run lanes plans/P5.md --run-id e --quiet >/dev/null 2>&1 & reprise run lanes plans/P5.md --run-id f --quiet >/dev/null 2>&1 & wait); test $(cat hook-ran 2>/dev/null | wc -l) -le 1 && echo 'once at most'; rm hook-*
once at most
