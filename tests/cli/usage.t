# Wrong usage is exit 2, and says what would be right.
$ reprise resum
reprise: there is no command "resum"; did you mean "resume"?
  try: reprise --help
? 2
$ reprise workflow
reprise: which one? There are: workflow list, workflow show, workflow check, workflow schema
  try: reprise --help
? 2
$ reprise workflow chekc x
reprise: which one? There are: workflow list, workflow show, workflow check, workflow schema
  try: reprise --help
? 2
$ reprise run
reprise: run needs WORKFLOW
  try: reprise run --help
? 2
$ reprise plan
reprise: plan needs ID
  try: reprise plan --help
? 2
$ reprise plan a b
reprise: "b" is more than plan takes
  try: reprise plan --help
? 2
$ reprise status --nonsense
reprise: The following argument was not expected: --nonsense
  try: reprise status --help
? 2
$ reprise run x --mode fast
reprise: --mode cannot be "fast"; allowed: autopilot, interactive, preflight
  try: reprise run --help
? 2
$ reprise run x --parallel 0
reprise: --parallel wants a number from 1 to 1024
  try: reprise run --help
? 2
$ reprise run x --parallel many
reprise: --parallel wants a number from 1 to 1024
  try: reprise run --help
? 2
$ reprise run x --input novalue
reprise: --input wants NAME=VALUE, not "novalue"
  try: reprise run --help
? 2
$ reprise gc --keep soon
reprise: --keep wants a duration such as 30d or 12h
  try: reprise gc --help
? 2
$ reprise completion tcsh
reprise: completion is there for bash, zsh and fish
  try: reprise completion --help
? 2
$ reprise fork x
reprise: fork needs --from STAGE
  try: reprise plan x
? 2
$ reprise -C does-not-exist status
reprise: does-not-exist: No such file or directory
  try: ls -l
? 2
$ reprise --json resum
{"error":{"kind":"invalid","message":"there is no command \"resum\"; did you mean \"resume\"?","file":null,"line":null,"column":null,"hints":["reprise --help"]}}
reprise: there is no command "resum"; did you mean "resume"?
  try: reprise --help
? 2
$ reprise --version
reprise 0.1.0
$ reprise --help
reprise runs multi-stage work, and when it is interrupted goes on from the right place.
| 
usage: reprise [-C DIR] COMMAND …
| 
Start
  init             write an example configuration; find which systems the repository uses
  run              start a run of a workflow
  resume           go on with an interrupted run
| 
Look
  scan             interrupted work, whatever wrote it
  status           runs and steps now, and the timeline of one run
  stats            where runs stop, what resuming saved, what was retried
  plan             what a resume would do, and why
  why              the reason, rule and evidence behind a decision
  log              what attempts printed
  events           the journal of a run
  attach           watch a run that works elsewhere
  checkpoint list  the lanes' checkpoints
  task list        coding agents' task lists about this project
  task get         all that is in a task
| 
Decide
  inbox            everything that waits for a person
  approve          pass a gate
  reject           close a gate
  answer           answer a question
  accept           overrule a finding, on the record
  retry            do a step again
  skip             leave a step out
  cancel           end a run for good
  fork             a new run that takes over what is done before a stage
  repair           put a damaged state file right, after showing how
  fresh            archive work and print the command that starts a new run
  rollback         bring a lane back to a checkpoint
  cleanup          remove the worktrees of a run that is over, or give found work up
  undo             take the last fresh, repair, rollback, cleanup or undo back, of ID if it is given
  rescue list      what was set aside before a rollback
  rescue restore   bring it back into its lane
| 
Definitions
  workflow list    the project's workflows
  workflow show    a definition as Reprise understands it
  workflow check   every problem of a definition, with file, line and column
  workflow schema  the JSON Schema for editors
| 
Store
  doctor           look for trouble: store, definitions, runs
  verify           check the journal's hash chain
  lock list        who owns what
  lock break       take a run from an owner that is gone
  checkpoint put   record a checkpoint for an executor of one's own
  task create      add a task to a list
  task update      change a task
  export           a run as one portable file
  import           take over a run that was exported
  gc               remove archived runs and their files
  completion       print shell completion
  man              print the man page
| 
Everywhere
  -C DIR                 work on the project in DIR
  --json                 print one JSON document on stdout; never ask
  --quiet                say only what went wrong
  --verbose              show everything
  --version              print the version
| 
`reprise COMMAND --help` says more.
$ reprise --help | head -3
reprise runs multi-stage work, and when it is interrupted goes on from the right place.
| 
usage: reprise [-C DIR] COMMAND …
$ reprise reject --help | head -1; reprise approve --help | head -1; reprise fork --help | head -1
usage: reprise reject ID [GATE] --because TEXT
usage: reprise approve ID [GATE] [--because TEXT]
usage: reprise fork ID --from STAGE
$ reprise resume --help
usage: reprise resume [ID] [--all] [--failed] [--parallel N] [--from STAGE] [--mode MODE] [--yes] [--plan FILE] [--brief] [--detach]
| 
go on with an interrupted run
| 
  --all                  everything that can be resumed and that nobody owns; asks nothing, reports once
  --failed               with --all: what failed, too, with all its retries and loop iterations
  --parallel N           with --all: at most N runs at a time
  --from STAGE           start at STAGE instead of where the plan says
  --mode MODE            how much is asked before acting (autopilot interactive preflight)
  --yes                  answer confirmations; accepts no blocking finding and passes no gate
  --plan FILE            do what the plan saved in FILE says, or refuse and show what moved
  --brief                print what the next worker would be told; start nothing
  --detach               work in the background; `attach` shows it
| 
Everywhere
  -C DIR                 work on the project in DIR
  --json                 print one JSON document on stdout; never ask
  --quiet                say only what went wrong
  --verbose              show everything
  --version              print the version
