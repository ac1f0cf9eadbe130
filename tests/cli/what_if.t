# What might be is planned by the same rules, and nothing is changed.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/rel.yaml <<'END'
> name: rel
> limits: {parallel: 1}
> stages:
>   build: {inputs: [spec.md], run: 'echo build >>ran.txt; cp spec.md app.txt', produces: [app.txt]}
>   docs: {run: 'echo docs >docs.txt', produces: [docs.txt]}
>   tests: {needs: build, run: 'echo tests >>ran.txt'}
>   ship: {needs: tests, gate: {ask: 'Ship it?', shows: [app.txt]}}
>   push: {needs: ship, run: 'echo push >>ran.txt'}
> END
$ cat >state <<'END'
> # every file: content, mode and times. Whoever looks into the store leaves a mark in the index of its log.
> find . -name before -prune -o -name 'journal.db-*' -prune -o -printf '%p %m %s %T@ %C@\n' | sort
> find . -type f -not -name before -not -name journal.db-shm | sort | xargs sha256sum
> END
$ echo one >spec.md; echo two >other.md; git add -A; git commit -qm begin; reprise run rel a --quiet 2>/dev/null
Author identity unknown
| 
*** Please tell me who you are.
| 
Run
| 
  git config --global user.email "you@example.com"
  git config --global user.name "Your Name"
| 
to set your account's default identity.
Omit --global to set the identity only in this repository.
| 
fatal: unable to auto-detect email address (got 'root@<host>.(none)')
rel/a
? 3
$ sh state >before
$ reprise plan rel/a --what-if drop=build
what if: drop=build
rel/a: ready to resume, clean
waits for gate ship: Ship it?
  rerun    build  its earlier result no longer counts: supposed: its result is gone
  keep     docs   its success is recorded
  verify   tests  it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
  wait     ship   a person has been asked and has not decided (app.txt)
  run      push   it never started
resume point: build
saved: 1 step(s), <took> of work
again: 1 step(s)
what differs from the plan as it is:
  keep -> rerun   build  its earlier result no longer counts: supposed: its result is gone
  keep -> verify  tests  it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
$ reprise plan rel/a --what-if file=spec.md | tail -4
again: 1 step(s)
what differs from the plan as it is:
  keep -> rerun   build  it was done, but an input has changed since (spec.md)
  keep -> verify  tests  it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
$ reprise plan rel/a --what-if file=spec.md:other.md --json | grep -o '"what_if".*'
"what_if":["file=spec.md:other.md"],"differs":[{"kind":"decision","name":"build","was":"keep","is":"rerun","reason":"it was done, but an input has changed since (spec.md)"},{"kind":"decision","name":"tests","was":"keep","is":"verify","reason":"it was done, but something it needs runs again or did so since; kept if that gives the same artifacts"}]}
$ reprise plan rel/a --what-if file=spec.md:spec.md | tail -1
nothing would be decided otherwise
$ reprise plan rel/a --what-if approve=ship
what if: approve=ship
rel/a: ready to resume, clean
  keep     build  its success is recorded
  keep     docs   its success is recorded
  keep     tests  its success is recorded
  keep     ship   it was approved, and what it shows has not changed
  run      push   it never started
resume point: push
saved: 3 step(s), <took> of work
what differs from the plan as it is:
  wait -> keep  ship  it was approved, and what it shows has not changed
  gate ship: waits no longer
$ reprise plan rel/a --what-if approve=ship --what-if drop=docs | tail -5
again: 1 step(s)
what differs from the plan as it is:
  keep -> rerun  docs  its earlier result no longer counts: supposed: its result is gone
  wait -> keep   ship  it was approved, and what it shows has not changed
  gate ship: waits no longer
$ reprise plan rel/a --what-if file=other.md | tail -1
nothing would be decided otherwise
$ reprise plan rel/a --what-if file=.reprise/workflows/rel.yaml:spec.md
reprise: .reprise/workflows/rel.yaml:1:1: a workflow is a map; allowed: name, description, limits, policy, inputs, baseline, stages
  try: reprise scan
? 2
$ sh state | cmp - before

# A change that makes no sense is exit 2, with those that would.
$ reprise plan rel/a --what-if drop=nothing
reprise: there is no stage "nothing"
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if drop=push
reprise: stage "push" has no result that could be gone
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if wish=more
reprise: "wish=more" is no change; there are: drop=STAGE, answer=QUESTION:TEXT, approve=GATE, base=COMMIT, file=PATH or file=PATH:OTHER
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if drop=
reprise: "drop=" is no change; there are: drop=STAGE, answer=QUESTION:TEXT, approve=GATE, base=COMMIT, file=PATH or file=PATH:OTHER
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if answer=Q1:yes
reprise: there is no open question "Q1"; the form is answer=QUESTION:TEXT
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if approve=build
reprise: there is no gate "build"
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if base=HEAD
reprise: rel/a has no lanes yet that start from a commit; base= is about lanes
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if file=../outside
reprise: ../outside lies outside of the project
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if file=none.md
reprise: none.md cannot be read, so it cannot be edited; file=PATH:OTHER gives a content
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if file=spec.md:none.md
reprise: the content to suppose cannot be read: none.md: cannot be opened: No such file or directory
  try: reprise plan rel/a --what-if approve=ship
  try: reprise plan rel/a --what-if drop=build
  try: reprise plan rel/a --what-if file=app.txt
? 2
$ reprise plan rel/a --what-if drop=build --save p.json
reprise: a plan of what might be cannot be gone on with, so it is not saved
  try: reprise plan rel/a --save p.json
? 2
$ sh state | cmp - before

# Questions of a worker can be answered in thought.
$ cat >.reprise/workflows/ask.yaml <<'END'
> name: ask
> stages:
>   think: {run: 'test -e asked && exit 0; touch asked; echo "{\"status\": \"needs_human\", \"summary\": \"Which way?\", \"questions\": [{\"id\": \"Q1\", \"text\": \"left or right?\"}]}" >"$REPRISE_RESULT"'}
>   walk: {needs: think, run: 'echo walk >>ran.txt'}
> END
$ reprise run ask a --quiet 2>/dev/null
ask/a
? 3
$ sh state >before; reprise plan ask/a | grep waits; reprise plan ask/a --what-if answer=Q1:left
ask/a: waits for you, clean
waits for question Q1: left or right?
what if: answer=Q1:left
ask/a: ready to resume, clean
  continue think  the person it asked has answered
  run      walk   it never started
resume point: think
what differs from the plan as it is:
  wait -> continue  think  the person it asked has answered
  question Q1: waits no longer
$ reprise plan ask/a --what-if answer=Q1:left --what-if approve=think; sh state | cmp - before
reprise: there is no gate "think"
  try: reprise plan ask/a --what-if answer=Q1:TEXT

# Lanes can be thought of as starting elsewhere.
$ git config user.name Tester; git config user.email tester@example.org
$ cat >.reprise/workflows/parts.yaml <<'END'
> name: parts
> stages:
>   work:
>     each: {in: [api, web], as: part}
>     lane: {base: HEAD}
>     stages:
>       change: {run: 'echo $part >$part.txt; git add -A; git commit -qm $part'}
>       check: {needs: change, run: 'test -e ../../ok'}
> END
$ git add -A; git commit -qm more; reprise run parts a --quiet >/dev/null 2>&1; sh state >before
$ reprise plan parts/a --what-if base=HEAD | tail -1; reprise plan parts/a --what-if base=HEAD~1
nothing would be decided otherwise
reprise: "HEAD~1" is no commit of this repository
  try: reprise plan parts/a --what-if drop=work/api/change
  try: reprise plan parts/a --what-if base=HEAD
? 2
$ reprise plan parts/a --what-if base=nosuch; sh state | cmp - before
reprise: "nosuch" is no commit of this repository
  try: reprise plan parts/a --what-if drop=work/api/change
  try: reprise plan parts/a --what-if base=HEAD

# Work of another program that was found: a playbook.
$ mkdir -p specs/001-login && printf '# Login\n\nWith a password.\n' >specs/001-login/feature.spec.md
$ { printf '# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n'; for n in I II III IV V VI VII VIII; do echo "| Article $n | COMPLIES |"; done; } >specs/001-login/adr.md
$ cat >state.sh <<'END'
> hash=$(sha256sum specs/001-login/feature.spec.md | cut -d' ' -f1)
> printf '# Pipeline State: 001-login\n\n- run_id: r1\n- feature: 001-login\n- spec_hash: sha256:%s\n' "$hash"
> printf -- '- last_updated_at: %s\n- current_stage: tasks\n- status: IN_PROGRESS\n' "$(date -u +%FT%TZ)"
> printf '\n## Completed Stages\n\n| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n'
> printf '| spec | 2020-01-02T03:00:00Z | feature.spec.md | N/A |\n| clarify | 2020-01-02T03:00:00Z | feature.spec.md | N/A |\n| architect | 2020-01-02T03:00:00Z | adr.md | N/A |\n'
> printf '\n## Human Checkpoints Cleared\n\n- [x] Spec approval\n- [ ] Architecture sign-off\n\n## Notes\n'
> END
$ sh state.sh >specs/001-login/.pipeline-state.md; sh state >before; reprise plan 001-login
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
$ reprise plan 001-login --what-if drop=architect | sed -n '/what differs/,$p'
what differs from the plan as it is:
  keep -> rerun  architect  it was cut off, and may be done again safely
  wait -> run    architecture-sign-off  it has not been reached yet
  gate architecture-sign-off: waits no longer
$ reprise plan 001-login --what-if approve=architecture-sign-off | tail -1
  gate architecture-sign-off: waits no longer
$ reprise plan 001-login --what-if file=specs/001-login/feature.spec.md | sed -n '/what differs/,$p'
what differs from the plan as it is:
  new blocking: specs/001-login/feature.spec.md is not the spec that was approved [spec_hash_changed]
$ reprise plan 001-login --what-if base=HEAD
reprise: playbook/001-login has no lanes yet that start from a commit; base= is about lanes
  try: reprise plan playbook/001-login --what-if approve=architecture-sign-off
  try: reprise plan playbook/001-login --what-if drop=spec
? 2
$ reprise plan 001-login --what-if file=specs/001-login/.pipeline-state.md
reprise: specs/001-login/.pipeline-state.md is the state file itself; suppose what it would say instead
  try: reprise plan playbook/001-login --what-if approve=architecture-sign-off
  try: reprise plan playbook/001-login --what-if drop=spec
? 2
$ sh state | cmp - before

# A spec loop.
$ mkdir -p specs/005-user-auth/.workflow && echo '# Spec' >specs/005-user-auth/spec.md
$ cat >specs/005-user-auth/.workflow/index.md <<END
> # Feature Index: 005-user-auth
>
> ## Feature Metadata
>
> | Field | Value |
> |---|---|
> | ID | 005-user-auth |
> | Original Description | Let users sign in |
>
> ## Priority Loop State
>
> | Field | Value |
> |---|---|
> | **Loop Status** | clarifying |
> | **Current Iteration** | 2 / 10 |
> | **Last Activity** | $(date -u +%FT%TZ) |
> | **Stale Count** | 0 / 3 |
>
> ## Pending Questions
>
> | ID | Question Summary | Gaps | Status |
> |---|---|---|---|
> | C2.1 | How long may a session last? | G-004 | awaiting_answer |
>
> ## Gap Priority Queue
>
> | Priority | Gap ID | Status | Resolution |
> |---|---|---|---|
> | Important | G-004 | clarifying | Pending C2.1 |
> END
$ sh state >before; reprise plan 005-user-auth --what-if 'answer=C2.1:an hour' | sed -n '/what differs/,$p'
what differs from the plan as it is:
  wait -> run  clarify/2/apply  it never started
  question C2.1: waits no longer
$ reprise plan 005-user-auth --what-if answer=C9:x
reprise: there is no open question "C9"; the form is answer=QUESTION:TEXT
  try: reprise plan spec-loop/005-user-auth --what-if answer=C2.1:TEXT
  try: reprise plan spec-loop/005-user-auth --what-if drop=scaffold
  try: reprise plan spec-loop/005-user-auth --what-if file=specs/005-user-auth
? 2
$ sh state | cmp - before

# A story, and a task list.
$ mkdir -p docs/stories; printf '# Story 4.2: Tides\n\n**Status:** InProgress\n\n## Acceptance Criteria\n\n- [ ] it works\n\n## Change Log\n\n| Date | Agent | Change |\n|---|---|---|\n' >docs/stories/4.2.story.md
$ mkdir -p ~/.claude/tasks/tides; for t in '1 [PERMANENT]_Tides pending' '2 Heights completed' '3 Times pending'; do set -- $t; printf '{"id":"%s","subject":"%s","description":"d","status":"%s","blocks":[],"blockedBy":[],"metadata":{%s}}' $1 $2 $3 "$(test $1 = 1 && echo '"tier":"STANDARD","current_phase":"P6","branch":"'$(git branch --show-current)'"' || echo '"phase":"P6"')" >~/.claude/tasks/tides/$1.json; done; sed -i 's/_/ /' ~/.claude/tasks/tides/1.json
$ sh state >before; find ~/.claude -type f | sort | xargs sha256sum >~/before
$ reprise plan story-cycle/4.2 --what-if drop=draft
reprise: there is no stage "draft"
  try: reprise plan story-cycle/4.2 --what-if drop=prepare/1/create
? 2
$ reprise plan story-cycle/4.2 --what-if file=docs/stories/4.2.story.md
reprise: docs/stories/4.2.story.md is the state file itself; suppose what it would say instead
  try: reprise plan story-cycle/4.2 --what-if drop=prepare/1/create
? 2
$ reprise plan task-pipeline/tides --what-if drop=P6/tasks/2
reprise: stage "P6/tasks/2" has no result that could be gone
  try: reprise plan task-pipeline/tides --what-if drop=P0/lead
? 2
$ reprise plan task-pipeline/tides --what-if drop=P0/lead | sed -n '/what differs/,$p'
what differs from the plan as it is:
  keep -> rerun    P0/lead  its earlier result no longer counts: supposed: its result is gone
  keep -> verify   P1/lead  it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
  keep -> verify   P2/lead  it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
  keep -> verify   P3/lead  it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
  keep -> verify   P6/lead  it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
  rerun -> verify  P6/tasks/2  it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
$ sh state | cmp - before; find ~/.claude -type f | sort | xargs sha256sum | cmp - ~/before; ls ${TMPDIR:-/tmp} | grep -c '^reprise-[0-9a-f]*$'
0
? 1
