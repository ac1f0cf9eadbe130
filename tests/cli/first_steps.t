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
reprise: <project>/.git/reprise/journal.db: there is no journal
? 2
$ reprise resume --json
{"error":{"kind":"not_found","message":"<project>/.git/reprise/journal.db: there is no journal","file":"<project>/.git/reprise/journal.db","line":null,"column":null,"hints":[]}}
reprise: <project>/.git/reprise/journal.db: there is no journal
? 2
$ reprise plan nothing
reprise: <project>/.git/reprise/journal.db: there is no journal
? 2
$ reprise workflow list
no workflow in .reprise/workflows yet
$ reprise workflow list --json
{"workflows":[]}
$ reprise run nothing
reprise: there is no workflow "nothing" (.reprise/workflows has none)
  try: reprise workflow list
? 2
$ reprise lock list
reprise: <project>/.git/reprise/journal.db: there is no journal
? 2
$ reprise verify
reprise: <project>/.git/reprise/journal.db: there is no journal
? 2
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
