# OR16_NothingInterruptedOffersTwoThingsToDoAndIsNoError
$ reprise
nothing was interrupted here
  see finished work:  reprise scan --all
  start something:    reprise run WORKFLOW    (reprise workflow list)
$ reprise --json
{"candidates":[],"ignored":[],"problems":[]}

# ALL01_WithoutATerminalTheDeskIsOneTextOverAllSystems
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/release.yaml <<'END'
> name: release
> stages:
>   build: {run: 'echo built >$subject.txt', produces: ['{subject}.txt']}
>   ship: {needs: build, gate: {ask: 'Ship it?', shows: ['{subject}.txt']}}
>   publish: {needs: ship, run: 'echo published >published.txt'}
> END
$ reprise run release v3 --quiet >/dev/null 2>&1
? 3
$ mkdir -p specs/001-login/.workflow && cat >specs/001-login/.pipeline-state.md <<'END'
> # Pipeline State
>
> - feature: 001-login
> - spec_hash: N/A
> - last_updated_at: 2026-01-02T00:00:00Z
> - current_stage: spec
> - status: IN_PROGRESS
>
> ## Completed Stages
>
> | Stage | Completed At | Output Artifact | Output Hash |
> |---|---|---|---|
> END
$ cat >specs/001-login/.workflow/index.md <<'END'
> # Feature Index: 001-login
>
> ## Priority Loop State
>
> | Field | Value |
> |---|---|
> | **Loop Status** | completed |
> | **Current Iteration** | 2 / 10 |
> | **Last Activity** | 2026-01-01T00:00:00Z |
> | **Stale Count** | 0 / 3 |
> END
$ reprise | sed -e 's/[0-9]*d [0-9]*h ago/<age> ago/' -e 's/[0-9]*d ago/<age> ago/' -e 's/ [0-9]*s ago/ <took> ago/'
project: 2 pieces of interrupted work, 1 waits for you
| 
1  release/v3  clean
  stopped   at ship, <took> ago
  waits for gate ship: Ship it?
  next      waits for you, keeps 1 finished step
  type      reprise approve release/v3 ship
| 
2  playbook/001-login +1  1 warning
  stopped   at spec, <age> ago
  warning   spec-loop/001-login says completed, iteration 2; the newer
            playbook/001-login says IN_PROGRESS at spec
  next      goes on at spec, 13 steps to go
  newest    playbook/001-login: IN_PROGRESS at spec, <age> ago
  older     spec-loop/001-login: completed, iteration 2, <age> ago
  file      specs/001-login/.pipeline-state.md
  type      reprise resume playbook/001-login

# ALL01_TheDocumentIsTheScansWithWhatTheDeskSays
$ reprise --json | sed 's/,"desk":/\n&/g' | grep -o '^,"desk":.*"next":"[^"]*"' | sed 's/"seconds":[0-9]*/"seconds":0/'
,"desk":{"trust":"clean","warnings":0,"conflicts":0,"saved":{"steps":1,"seconds":0},"waiting_for":[{"kind":"gate","name":"ship","ask":"Ship it?"}],"next":"reprise approve release/v3 ship"
,"desk":{"trust":"warnings","warnings":1,"conflicts":0,"saved":{"steps":0,"seconds":0},"waiting_for":[],"next":"reprise resume playbook/001-login"

# ALL01_AFileThatCannotBeReadIsNamedAndTheRestIsListed
$ mkdir specs/002-torn; printf '# Pipeline State\n\n- spec_hash: \377\n' >specs/002-torn/.pipeline-state.md
$ reprise | grep -e '^[0-9]' -e UTF-8
1  release/v3  clean
2  playbook/001-login +1  1 warning
3  playbook/002-torn  damaged
  conflict  specs/002-torn/.pipeline-state.md: line 3: a byte that is not UTF-8

# OR17_LookingAtTheDeskChangesNothing
$ find . -type f ! -name '*-shm' -exec sha256sum {} + | sort >../before; reprise >/dev/null; reprise --json >/dev/null
$ find . -type f ! -name '*-shm' -exec sha256sum {} + | sort | diff ../before - && echo the same
the same

# AStoreThatCannotBeReadIsSaidAndTheStateFilesAreListed
$ echo broken >.git/reprise/journal.db; rm -f .git/reprise/journal.db-*; reprise | grep -e '^[0-9]' -e problem
1  playbook/001-login +1  1 warning
2  playbook/002-torn  damaged
3  own/journal  damaged
