# LN11_APullRequestIsOpenedOnce: with a stand-in for gh that keeps its pull requests in files.
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main
$ mkdir -p plans scripts .reprise && printf '#!/bin/sh\necho doc >doc.txt\n' >scripts/agent.sh; chmod +x scripts/agent.sh
$ printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml
$ cat >plans/P0.md <<'END'
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
> | D1 | impl | - | doc.txt | - | `test -s doc.txt` | docs |
> END
$ for k in 1 2 3 4 5 6 7 8 9; do sed "s/P0/P$k/" plans/P0.md >plans/P$k.md; done; printf '.claude/\n/prs/\n' >.gitignore; git add -A; git commit -qm begin
$ git init -q --bare ../remote.git; git remote add origin ../remote.git; git push -q origin main
$ mkdir -p "$HOME/bin" prs && cat >"$HOME/bin/gh" <<'END'
> #!/bin/sh
> # keeps open pull requests as files in prs/, and kills its caller where prs/kill says so
> prs=$(git rev-parse --path-format=absolute --git-common-dir)/../prs
> n=$(($(cat "$prs/calls" 2>/dev/null || echo 0) + 1)); echo $n >"$prs/calls"; echo "$1 $2" >>"$prs/log"
> die() { test "$(cat "$prs/kill" 2>/dev/null)" = "$n $1" && { rm "$prs/kill"; kill -9 $PPID; sleep 1; exit 1; }; }
> die before
> branch=$(echo "$*" | sed 's/.*--head \([^ ]*\).*/\1/' | tr / _)
> case "$1 $2" in
> "pr list") if test -s "$prs/pr-$branch"; then printf '[{"number":1,"url":"%s"}]\n' "$(head -1 "$prs/pr-$branch")"; else echo '[]'; fi ;;
> "pr create") echo "https://forge.example/pr/$branch" | tee -a "$prs/pr-$branch" ;;
> esac
> die after
> exit 0
> END
$ chmod +x "$HOME/bin/gh"; reprise run lanes plans/P0.md --run-id r0 --input publish=pr
lanes/r0/P0/-
start   SL-DOC/D1
done    SL-DOC/D1 (<took>)
start   SL-DOC/tests
done    SL-DOC/tests (<took>)
start   SL-DOC/publish
done    SL-DOC/publish (<took>) - https://forge.example/pr/lane_P0_SL-DOC
done: lanes/r0/P0/-
$ cat prs/log prs/pr-*; git ls-remote origin | cut -f2; reprise run lanes plans/P0.md --run-id r0 --resume --quiet; grep -c . prs/log
pr list
pr create
pr list
https://forge.example/pr/lane_P0_SL-DOC
refs/heads/lane/P0/SL-DOC
refs/heads/main
nothing to resume: the run is done
3

# Killed before and after each of its calls: one pull request each.
$ k=0; for n in 1 2 3; do for when in before after; do k=$((k+1)); rm -f prs/calls; echo "$n $when" >prs/kill
> (reprise run lanes plans/P$k.md --run-id r$k --input publish=pr >/dev/null 2>&1 & wait) 2>/dev/null
> test -e prs/kill && echo "not killed at $n $when"; reprise resume lanes/r$k/P$k/- --quiet || echo "exit $?"
> done; done; echo "$k kills"; for f in prs/pr-*; do grep -c . $f; done | sort | uniq -c
6 kills
      7 1

# LN09_ANetworkFailureIsTriedAgainLater: the other side cannot be reached; the head and the target are on record.
$ git remote set-url origin https://127.0.0.1:1/nothing.git; reprise run lanes plans/P8.md --run-id r8 --input publish=pr >/dev/null 2>&1 & p=$!; until grep -q 'unable to access' .claude/run-logs/r8.jsonl 2>/dev/null; do sleep 0.1; done; kill -TERM $p; wait $p
? 143
$ reprise checkpoint list | grep 'r8.*pre_pr'; grep -o 'target main: git ls-remote origin' .claude/ai-dev-kit/run-logs/checkpoints.json
r8  P8  SL-DOC  pre_pr  failed  <time>
target main: git ls-remote origin

# LN09_APullRequestThatIsRefusedKeepsTargetAndHead
$ git remote set-url origin ../remote.git; printf '#!/bin/sh\ntest "$2" = list && echo "[]" && exit 0\necho "GraphQL: not permitted" >&2; exit 1\n' >"$HOME/bin/gh"; reprise run lanes plans/P9.md --run-id r9 --input publish=pr --quiet
lanes/r9/P9/-
failed: step SL-DOC/publish failed: gh pr create --head lane/P9/SL-DOC --base main --title 'lanes SL-DOC (plans/P9.md)' --body-file -: GraphQL: not permitted
  see: reprise log lanes/r9/P9/-
  then: reprise resume lanes/r9/P9/-
  or go back: reprise rollback lanes/r9/P9/- --lane SL-DOC
? 1
$ reprise checkpoint list | grep 'r9.*pre_pr'; grep -o 'head [0-9a-f]*, target main: .*permitted' .claude/ai-dev-kit/run-logs/checkpoints.json | sed 's/head [0-9a-f]*/head X/'
r9  P9  SL-DOC  pre_pr  failed  <time>
head X, target main: gh pr create --head lane/P9/SL-DOC --base main --title 'lanes SL-DOC (plans/P9.md)' --body-file -: GraphQL: not permitted
