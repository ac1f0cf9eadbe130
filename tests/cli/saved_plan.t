# A plan that was saved is the confirmation: it is gone on with as long as it fits.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/rel.yaml <<'END'
> name: rel
> limits: {parallel: 1}
> stages:
>   build: {inputs: [spec.md], run: 'echo build >>ran.txt; cp spec.md app.txt', produces: [app.txt]}
>   tests: {needs: build, run: 'echo tests >>ran.txt; test -e ok'}
>   ship: {needs: tests, gate: {ask: 'Ship it?', shows: [app.txt]}}
>   push: {needs: ship, run: 'echo push >>ran.txt'}
> END
$ echo one >spec.md; git add -A; git commit -qm begin; reprise run rel a --quiet
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
failed: step tests failed: exit 1
  see: reprise log rel/a
  then: reprise resume rel/a
? 1
$ reprise plan rel/a --save p.json
rel/a: ready to resume, clean
  keep     build  its success is recorded
  rerun    tests  its last attempt failed: exit 1
  run      ship   it has not been reached yet
  run      push   it never started
resume point: tests
saved: 1 step(s), <took> of work
again: 1 step(s)
  resume   reprise resume rel/a
saved in p.json; go on with it:
  reprise resume --plan p.json
$ grep -o '"reprise_plan":1\|"last_event":[0-9]*\|"files":{[^}]*}' p.json; ls -l p.json | cut -c1-10
"reprise_plan":1
"last_event":7
"files":{"app.txt":"<digest>","spec.md":"<digest>"}
-rw-------
$ touch ok; reprise resume --plan p.json; cat ran.txt
rel/a: ready to resume, clean
  keep     build  its success is recorded
  rerun    tests  its last attempt failed: exit 1
  run      ship   it has not been reached yet
  run      push   it never started
resume point: tests
saved: 1 step(s), <took> of work
again: 1 step(s)
  resume   reprise resume rel/a
| 
start   tests (attempt 2)
done    tests (<took>)
wait    ship: Ship it?
waiting: Ship it?
  reprise approve rel/a ship
then: reprise resume rel/a
kept 1 finished step(s), which saved <took> of work
  rerun tests: its last attempt failed: exit 1
build
tests
tests

# What moved is shown line by line, with exit 4, and nothing is started.
$ reprise resume --plan p.json
reprise: the plan in p.json no longer fits rel/a; nothing was started
  5 events were recorded since: run_reopened, plan_accepted, attempt_started tests, attempt_finished tests, gate_opened ship
  step tests: was rerun, is keep because its success is recorded
  step ship: was run, is wait because a person has been asked and has not decided
  gate ship: waits now
  try: reprise plan rel/a --save p.json
? 4
$ reprise plan rel/a --save p.json --quiet | head -1; echo two >spec.md; reprise resume rel/a --plan p.json
rel/a: waits for you, clean
reprise: the plan in p.json no longer fits rel/a; nothing was started
  spec.md: was sha256:<commit>…, is sha256:<commit>…
  step build: was keep, is rerun because it was done, but an input has changed since (spec.md)
  step tests: was keep, is verify because it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
  try: reprise plan rel/a --save p.json
? 4
$ reprise resume --plan p.json --json 2>/dev/null
{"error":{"kind":"moved","message":"the plan in p.json no longer fits rel/a","hints":["reprise plan rel/a --save p.json"]},"moved":["spec.md: was sha256:<commit>…, is sha256:<commit>…","step build: was keep, is rerun because it was done, but an input has changed since (spec.md)","step tests: was keep, is verify because it was done, but something it needs runs again or did so since; kept if that gives the same artifacts"]}
? 4
$ cat ran.txt; echo one >spec.md; rm app.txt; reprise resume --plan p.json; cp spec.md app.txt
build
tests
tests
reprise: the plan in p.json no longer fits rel/a; nothing was started
  app.txt: was sha256:<commit>…, is missing
  step build: was keep, is rerun because it was done, but what it produced is gone or no longer complete (app.txt)
  step tests: was keep, is verify because it was done, but something it needs runs again or did so since; kept if that gives the same artifacts
  try: reprise plan rel/a --save p.json
$ sed -i 's/echo push/echo pushed/' .reprise/workflows/rel.yaml; reprise resume --plan p.json; sed -i 's/echo pushed/echo push/' .reprise/workflows/rel.yaml
reprise: the plan in p.json no longer fits rel/a; nothing was started
  the definition: was sha256:<commit>…, is sha256:<commit>…
  new warning: the definition has changed since the run used it: no recorded step is affected [definition_changed]
  try: reprise plan rel/a --save p.json
$ reprise resume --plan p.json 2>&1 | tail -3
  reprise approve rel/a ship
then: reprise resume rel/a
kept 2 finished step(s), which saved <took> of work
$ reprise approve rel/a ship; reprise resume --plan p.json
recorded: approve ship
reprise: the plan in p.json no longer fits rel/a; nothing was started
  2 events were recorded since: plan_accepted, gate_decided ship
  step ship: was wait, is keep because it was approved, and what it shows has not changed
  gate ship: waits no longer
  try: reprise plan rel/a --save p.json
? 4
$ reprise plan rel/a --save p.json --quiet >/dev/null; reprise resume --plan p.json --quiet; cat ran.txt
build
tests
tests
push

# What is no plan, or not a plan for this, is exit 2 and says so.
$ reprise run rel b --quiet 2>/dev/null
rel/b
? 3
$ reprise plan rel/b --save q.json --quiet >/dev/null; reprise resume rel/a --plan q.json
reprise: q.json holds a plan for rel/b, not for rel/a
  try: reprise resume --plan q.json
? 2
$ reprise resume --plan none.json
reprise: none.json: cannot be opened: No such file or directory
  try: reprise scan
? 2
$ echo '{"a": 1}' >no.json; reprise resume --plan no.json
reprise: no.json is no saved plan: `reprise plan --save` did not write it
  try: reprise scan
? 2
$ head -c 300 q.json >cut.json; reprise resume --plan cut.json
reprise: cut.json is no saved plan: it is not JSON, or was cut off
  try: reprise scan
? 2
$ for n in 1 50 150 400 600 800; do head -c $n q.json >cut.json; reprise resume --plan cut.json 2>/dev/null; echo $?; done | sort | uniq -c | sed 's/^ *//'
6 2
$ sed 's/"reprise_plan":1/"reprise_plan":2/' q.json >new.json; reprise resume --plan new.json
reprise: new.json is no saved plan: it is of format 2, which is not known here
  try: reprise scan
? 2
$ sed 's/"decision":"[a-z]*"/"decision":"jump"/' q.json >odd.json; reprise resume --plan odd.json
reprise: odd.json is no saved plan: parts of it are missing or changed
  try: reprise scan
? 2
$ mkdir other; git -C other init -q; cp q.json other; (cd other && reprise resume --plan q.json 2>&1 | sed "s|$OLDPWD|PROJECT|")
reprise: q.json was saved for another repository: PROJECT/.git
  try: reprise plan rel/b
$ reprise plan rel/b --save spec.md; cat spec.md
reprise: spec.md is there and is no saved plan (it is not JSON, or was cut off); it is not overwritten
  try: reprise plan rel/b --save spec.md.plan.json
one
$ reprise plan rel/b --save nowhere/p.json
reprise: there is no folder nowhere
  try: mkdir -p nowhere
? 2
$ reprise resume --plan q.json --from build
reprise: the saved plan has its own resume point
  try: reprise resume --plan q.json
? 2
$ reprise plan rel/b --from build --save q.json | tail -1; grep -o '"from":"[a-z]*"' q.json; reprise resume --plan q.json --quiet; tail -3 ran.txt
saved in q.json; go on with it:
  reprise resume --plan q.json
  resume   reprise resume rel/b --from build
"from":"build"
waiting: Ship it?
  reprise approve rel/b ship
then: reprise resume rel/b
tests
build
tests

# A plan for work that was found stands on its state file.
$ mkdir -p scripts specs/001-login && printf '#!/bin/sh\necho "$REPRISE_STAGE" >>agent.txt\ntest -e given.md || cp "$REPRISE_BRIEF" given.md\nexit 1\n' >scripts/agent.sh; chmod +x scripts/agent.sh
$ printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml; printf '# Login\n\nWith a password.\n' >specs/001-login/feature.spec.md
$ cat >state.sh <<'END'
> hash=$(sha256sum specs/001-login/feature.spec.md | cut -d' ' -f1)
> printf '# Pipeline State: 001-login\n\n- run_id: r1\n- feature: 001-login\n- spec_hash: sha256:%s\n' "$hash"
> printf -- '- last_updated_at: %s\n- current_stage: architect\n- status: IN_PROGRESS\n' "$(date -u +%FT%TZ)"
> printf '\n## Completed Stages\n\n| Stage | Completed At | Output Artifact | Output Hash |\n|---|---|---|---|\n'
> printf '| spec | 2020-01-02T03:00:00Z | feature.spec.md | N/A |\n| clarify | 2020-01-02T03:00:00Z | feature.spec.md | N/A |\n'
> printf '\n## Human Checkpoints Cleared\n\n- [x] Spec approval\n- [ ] Architecture sign-off\n\n## Notes\n'
> END
$ sh state.sh >specs/001-login/.pipeline-state.md; reprise plan playbook/001-login --save f.json
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
saved in f.json; go on with it:
  reprise resume --plan f.json
$ echo 'a note' >>specs/001-login/.pipeline-state.md; reprise resume --plan f.json
reprise: the plan in f.json no longer fits playbook/001-login; nothing was started
  specs/001-login/.pipeline-state.md: was sha256:<commit>…, is sha256:<commit>…
  try: reprise plan playbook/001-login --save f.json
? 4
$ sh state.sh >specs/001-login/.pipeline-state.md; reprise plan playbook/001-login --save f.json --quiet >/dev/null; echo more >>specs/001-login/feature.spec.md; reprise resume --plan f.json
reprise: the plan in f.json no longer fits playbook/001-login; nothing was started
  specs/001-login/feature.spec.md: was sha256:<commit>…, is sha256:<commit>…
  new blocking: specs/001-login/feature.spec.md is not the spec that was approved [spec_hash_changed]
  try: reprise plan playbook/001-login --save f.json
? 4
$ sh state.sh >specs/001-login/.pipeline-state.md; reprise plan playbook/001-login --save f.json --quiet >/dev/null

# The brief is what the next worker is given, but for the note that the resume itself leaves; printing it records nothing.
$ touch after; find . -type f -not -name before -not -name after -not -name brief.md | sort | xargs sha256sum >before; reprise resume playbook/001-login --brief >brief.md; find . -type f -not -name before -not -name after -not -name brief.md | sort | xargs sha256sum | grep -v 'db-shm$' >after; grep -v 'db-shm$' before | cmp - after
$ head -12 brief.md; reprise resume playbook/001-login --brief --json | cut -c1-40
| # Step architect (attempt 1)
| 
Run `playbook/001-login`, workflow `playbook`, subject `001-login`, role `architect`.
| 
| ## Task
| 
Write the architecture decision for 001-login to specs/001-login/adr.md, with a completed Constitution Check:
a table of Articles I to VIII, each COMPLIES, EXCEPTION or N/A, and a row under Complexity Justification for
every exception. Use the research and the constitution that are there.
| 
| ## Values
| 
{"brief":"# Step architect (attempt 1)\n
$ reprise resume --plan f.json --quiet; cat agent.txt; grep -v "Resumed from" brief.md >b; grep -v "Resumed from" given.md | cmp b -
waiting: Stage architect failed: exit 1. Try it again?
  reprise approve playbook/001-login architect
then: reprise resume playbook/001-login
architect
architect
architect
$ reprise resume playbook/001-login --brief >brief.md; reprise events playbook/001-login | wc -l >n1; reprise resume playbook/001-login --brief >/dev/null; reprise events playbook/001-login | wc -l | cmp - n1
before that, gate architect waits for a decision: reprise inbox
before that, gate architect waits for a decision: reprise inbox
$ head -1 brief.md; rm given.md; reprise approve playbook/001-login; reprise resume playbook/001-login --brief >brief.md; reprise resume playbook/001-login --yes --quiet; grep -v "Resumed from" brief.md >b; grep -v "Resumed from" given.md | cmp b -; head -1 given.md
| # Step architect (attempt 4)
recorded: approve architect
waiting: Stage architect failed: exit 1. Try it again?
  reprise approve playbook/001-login architect
then: reprise resume playbook/001-login
| # Step architect (attempt 4)
$ reprise resume rel/a --brief
nothing is left that a worker would be told of
  reprise plan rel/a
$ reprise resume rel/nothing --brief
reprise: there is no run "rel/nothing"
  try: reprise status
  try: reprise scan --all
? 2
