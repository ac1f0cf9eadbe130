# An empty repository: every command has an answer.
$ reprise status
nothing has run here yet; `reprise workflow list` shows what could
$ reprise status --json
{"runs":[]}
$ reprise inbox
nothing waits for you
$ reprise inbox --json
{"items":[]}
$ reprise resume
nothing to resume
  see what there is:  reprise scan --all
  start something:    reprise run WORKFLOW    (reprise workflow list)
$ reprise resume --json
nothing to resume
  see what there is:  reprise scan --all
  start something:    reprise run WORKFLOW    (reprise workflow list)
{"id":null,"outcome":{"status":"done","exit":0,"failed_step":null,"reason":"","waiting_for":[],"next":[]},"steps":null,"cost":{"usd":0.0000},"detail":null,"plan":null,"plan_after":null}
$ reprise plan nothing
reprise: there is no run "nothing"
  try: reprise scan --all
? 2
$ reprise workflow list
playbook  (built in)  A feature from its spec to reviewed code, by stages, with checkpoints for a person.
qa-loop  (built in)  Review and fix a story until the review approves it, five times at most.
spec-loop  (built in)  A spec that is written, validated and clarified with a person until nothing that matters is open.
spec-pipeline  (built in)  From requirements to a spec that its critique approves.
story-cycle  (built in)  A story from its draft to reviewed code; NO-GO and FAIL send it back.
task-pipeline  (built in)  Work in phases P0 to P8 with a list of tasks; TRIVIAL, STANDARD or COMPLEX.
lanes  (built in)  The lanes of a phase plan side by side, each in a worktree of its own.
epic  (built in)  The stories of an epic's execution plan, wave by wave, with a gate after each.
$ reprise workflow list --json
{"workflows":[{"name":"playbook","file":"(built in)","description":"A feature from its spec to reviewed code, by stages, with checkpoints for a person.","problem":""},{"name":"qa-loop","file":"(built in)","description":"Review and fix a story until the review approves it, five times at most.","problem":""},{"name":"spec-loop","file":"(built in)","description":"A spec that is written, validated and clarified with a person until nothing that matters is open.","problem":""},{"name":"spec-pipeline","file":"(built in)","description":"From requirements to a spec that its critique approves.","problem":""},{"name":"story-cycle","file":"(built in)","description":"A story from its draft to reviewed code; NO-GO and FAIL send it back.","problem":""},{"name":"task-pipeline","file":"(built in)","description":"Work in phases P0 to P8 with a list of tasks; TRIVIAL, STANDARD or COMPLEX.","problem":""},{"name":"lanes","file":"(built in)","description":"The lanes of a phase plan side by side, each in a worktree of its own.","problem":""},{"name":"epic","file":"(built in)","description":"The stories of an epic's execution plan, wave by wave, with a gate after each.","problem":""}]}
$ reprise run nothing
reprise: there is no workflow "nothing"
  try: reprise workflow list
? 2
$ reprise lock list
nobody owns a run here
$ reprise verify
intact: nothing has run here yet
$ reprise gc
nothing to remove
$ reprise init
wrote .reprise/config.yaml; say there which programs are your workers
$ reprise init
.reprise/config.yaml is there already and was left as it is
$ reprise init --json
{"wrote_config":false,"systems":[]}
$ cat .reprise/config.yaml
| # Which program does the work. A worker is any program: a coding agent's command line, a script, a test
| # command. It reads its task from the file named by $REPRISE_BRIEF (Markdown) or $REPRISE_CONTEXT (JSON).
| #
| # workers:
| #   default: {run: [./scripts/agent.sh]}     # an argv, or one string: your own shell line
| #   roles:
| #     code-review:
| #       run: "my-agent < \"$REPRISE_BRIEF\""
| #       env: [MY_API_KEY]                    # variables that pass to it; their values are never stored
| #       timeout: 40m
| #       retries: 1
| # limits: {parallel: 4, output_mb: 64, cost_usd: 50}
| # notify: {run: [notify-send, Reprise, "{message}"]}   # when a run waits, fails or ends
