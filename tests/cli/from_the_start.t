# ALL06_EachOfTheOrchestratorsWorkflowsAndTheTaskPipelineRunsFromTheStart
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b main; mkdir -p .reprise docs/stories; printf 'workers:\n  default: {run: [agent]}\n' >.reprise/config.yaml
$ cat >~/bin/agent <<'END'
> #!/bin/sh
> # does every role in a moment: leaves what it has to leave, and gives the verdict that goes on
> verdict() { echo '{"status":"done","verdict":"'$1'"}' >"$REPRISE_RESULT"; }
> case "$REPRISE_STEP" in
> prepare/*/create) printf '# Story %s: It\n\n**Status:** Draft\n' "$subject" >"$story_file" ;;
> prepare/*/validate) verdict GO ;;
> build/*/review) verdict PASS ;;
> loop/*/review) verdict APPROVE ;;
> *gate) if test -e ~/reject; then verdict rejected; else verdict approved; fi ;;
> gather) mkdir -p "$folder"; echo '{"wanted":["it"]}' >"$folder/requirements.json" ;;
> assess) echo '{"complexity":"STANDARD"}' >"$folder/complexity.json" ;;
> research) echo '{"found":["it"]}' >"$folder/research.json" ;;
> spec/*/write) printf '# Spec\n\nIt.\n' >"$folder/spec.md" ;;
> spec/*/critique) echo '{"verdict":"APPROVED"}' >"$folder/critique.json"; verdict APPROVED ;;
> P5/lead) echo '{"tasks":[{"subject":"build it","phase":"P6"}]}' >"$REPRISE_RESULT" ;;
> esac
> exit 0
> END
$ chmod +x ~/bin/*
$ reprise --quiet run story-cycle 4.2 --input description='it'
story-cycle/4.2
$ grep Status: docs/stories/4.2.story.md | sed 's/| 20[-0-9]* |/| DAY |/'
**Status:** Done
| DAY | reprise | Status: Draft -> Ready |
| DAY | reprise | Status: Ready -> InProgress |
| DAY | reprise | Status: InProgress -> InReview |
| DAY | reprise | Status: InReview -> Done |
$ reprise --quiet run qa-loop 4.2
qa-loop/4.2
$ grep -o '"status": "[a-z]*"\|"verdict": "[A-Z]*"' qa/4.2/loop-status.json
"status": "completed"
"verdict": "APPROVE"
$ reprise --quiet run spec-pipeline login --input description='it'
spec-pipeline/login
$ grep -o '"status": "[a-z_]*"' docs/stories/login/spec/.pipeline-state.json
"status": "critique_complete"
$ for n in 5.1 5.2; do printf '# Story %s: It\n\n**Status:** Ready\n' $n >docs/stories/$n.story.md; done
$ printf 'execution:\n  epicId: 5\n  stories:\n    5.1: {file: 5.1.story.md}\n    5.2: {file: 5.2.story.md}\n  waves:\n    - {wave: 1, stories: ["5.1"], gate: {agent: qa}}\n    - {wave: 2, stories: ["5.2"], gate: {agent: qa}}\n' >docs/stories/EPIC-5-EXECUTION.yaml
$ reprise --quiet run epic 5
epic/5
$ grep '  status:' .aiox/epic-5-state.yaml | sort | uniq -c
      2           status: completed
      3       status: approved
      2       status: completed
      1   status: completed
$ grep -h 'Status:\*\*' docs/stories/5.*.md
**Status:** Done
**Status:** Done
$ reprise --quiet run task-pipeline login --variant COMPLEX --input description='it'
task-pipeline/login
$ reprise task list --list login
task-pipeline/login  (it is the list of a run)
  1    completed    -         P8  [PERMANENT] login
  2    completed    -         P6  build it
$ reprise scan
no interrupted work was found here

# OR14_AStateFileThatIsBrokenWhileItsRunWaitsIsKeptAndWrittenAnew
$ touch ~/reject; printf '# Story 6.1: It\n\n**Status:** Ready\n' >docs/stories/6.1.story.md; printf 'execution:\n  epicId: 6\n  stories:\n    6.1: {file: 6.1.story.md}\n  waves:\n    - {wave: 1, stories: ["6.1"], gate: {agent: qa}}\n' >docs/stories/EPIC-6-EXECUTION.yaml
$ reprise --quiet run epic 6
epic/6
waiting: The gate of wave-1 was not approved. Go on all the same?
  reprise approve epic/6 wave-1/gate-objection
then: reprise resume epic/6
? 3
$ echo ': [broken' >>.aiox/epic-6-state.yaml
$ reprise approve epic/6; rm ~/reject
recorded: approve wave-1/gate-objection
$ reprise --quiet resume epic/6 --yes
$ grep -c broken .aiox/epic-6-state.yaml .git/reprise/edits/*/*epic-6-state.yaml | sed 's|.*:||'
0
1
$ grep '^  status:' .aiox/epic-6-state.yaml
  status: completed
