# Without a terminal a gate ends the run with exit 3 and says which command answers it.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/ask.yaml <<'END'
> name: ask
> limits: {parallel: 1}
> stages:
>   report: {run: 'echo fine >report.txt', produces: [report.txt]}
>   ship: {needs: report, gate: {ask: 'Ship it?', shows: [report.txt]}}
>   push: {needs: ship, run: 'echo pushed'}
> END
$ reprise run ask a
ask/a
start   report
done    report (<took>)
wait    ship: Ship it?
waiting: Ship it?
  reprise approve ask/a ship
then: reprise resume ask/a
? 3
$ reprise status ask/a
ask/a  waiting at ship
  2 blocked, 1 done; updated <time>
  waits for gate ship: Ship it?
  done        report  attempt 1, <took>
  blocked     ship
  blocked     push
timeline
  <time> started: workflow ask, a
  <time> session 1: process <pid> on <host>, tester
  <time> ship asks: Ship it?
  <time> session 1 waits for gate ship, gave the run back
$ reprise inbox
ask/a  gate ship: Ship it?
  see report.txt
  reprise approve ask/a ship
  reprise reject ask/a ship --because TEXT
$ reprise run ask a
reprise: run ask/a is not finished and is not overwritten
  try: reprise resume ask/a
  try: reprise fresh ask/a
? 3
$ reprise approve ask/a nonesuch
reprise: gate "nonesuch" is not open; open: ship
  try: reprise inbox
? 2
$ reprise reject ask/a
reprise: a rejection needs a reason: --because TEXT
  try: reprise inbox
? 2
$ REPRISE_RUN=ask/a reprise approve ask/a
reprise: a worker cannot decide for a person: approve is refused inside a run
  try: reprise inbox
? 2
$ REPRISE_RUN=ask/a reprise resume ask/a
reprise: a worker cannot resume a run
  try: reprise plan ask/a
? 2
$ REPRISE_RUN=ask/a reprise run ask b
reprise: a worker cannot start a run inside a run
  try: reprise workflow list
? 2
$ reprise approve ask/a
recorded: approve ship
# What was approved has changed: the approval does not hold.
$ echo worse >report.txt
$ reprise plan ask/a
ask/a: waits for you, 1 warning
warning: report.txt was changed after step report produced it [artifact_changed]
    reprise retry ask/a report
waits for gate ship: Ship it?
  keep     report  it is done; what it produced was changed since and is still complete
  wait     ship    it was approved, but what it shows has changed since (report.txt)
  run      push    it never started
resume point: ship
saved: 1 step(s), <took> of work
  approve  reprise approve ask/a ship
$ reprise resume ask/a
ask/a: waits for you, 1 warning
warning: report.txt was changed after step report produced it [artifact_changed]
    reprise retry ask/a report
waits for gate ship: Ship it?
  keep     report  it is done; what it produced was changed since and is still complete
  wait     ship    it was approved, but what it shows has changed since (report.txt)
  run      push    it never started
resume point: ship
saved: 1 step(s), <took> of work
  approve  reprise approve ask/a ship
| 
wait    ship: Ship it?
waiting: Ship it?
  reprise approve ask/a ship
then: reprise resume ask/a
kept 1 finished step(s), which saved <took> of work
? 3
$ reprise resume ask/a --yes
ask/a: waits for you, 1 warning
warning: report.txt was changed after step report produced it [artifact_changed]
    reprise retry ask/a report
waits for gate ship: Ship it?
  keep     report  it is done; what it produced was changed since and is still complete
  wait     ship    a person has been asked and has not decided
  run      push    it never started
resume point: ship
saved: 1 step(s), <took> of work
  approve  reprise approve ask/a ship
| 
waiting: Ship it?
  reprise approve ask/a ship
then: reprise resume ask/a
kept 1 finished step(s), which saved <took> of work
? 3
$ reprise approve ask/a ship --because "read it again"
recorded: approve ship
$ reprise resume ask/a --yes
ask/a: resumable once confirmed, 1 warning
warning: report.txt was changed after step report produced it [artifact_changed]
    reprise retry ask/a report
  keep     report  it is done; what it produced was changed since and is still complete
  keep     ship    it was approved, and what it shows has not changed
  run      push    it never started
resume point: push
saved: 1 step(s), <took> of work
  resume   reprise resume ask/a
| 
start   push
done    push (<took>)
done: ask/a
kept 1 finished step(s), which saved <took> of work
$ reprise run ask b
ask/b
start   report
done    report (<took>)
wait    ship: Ship it?
waiting: Ship it?
  reprise approve ask/b ship
then: reprise resume ask/b
? 3
$ reprise reject ask/b ship --because "not today"
recorded: reject ship
$ reprise resume ask/b
ask/b: blocked
  keep     report  its success is recorded
  refuse   ship    a person rejected it: not today
  run      push    it never started
saved: 1 step(s), <took> of work
  from     reprise resume ask/b --from ship
| 
blocked; see the way out above
? 4
$ reprise resume ask/b --from ship --yes
ask/b: waits for you, clean
waits for gate ship: Ship it?
  keep     report  its success is recorded
  wait     ship    a person has to decide; rejected before: not today
  run      push    it never started
resume point: ship
saved: 1 step(s), <took> of work
  approve  reprise approve ask/b ship
| 
wait    ship: Ship it?
waiting: Ship it?
  reprise approve ask/b ship
then: reprise resume ask/b
kept 1 finished step(s), which saved <took> of work
? 3
$ reprise cancel ask/b --because "enough"
recorded: cancel
$ reprise resume ask/b
ask/b: cannot be resumed, only started anew
  keep     report  its success is recorded
  wait     ship    a person has been asked and has not decided
  run      push    it never started
saved: 1 step(s), <took> of work
  fresh    reprise run ask b
| 
nothing to resume: the run has ended; start anew with: reprise fresh ask/b
$ reprise plan ask/b
ask/b: cannot be resumed, only started anew
  keep     report  its success is recorded
  wait     ship    a person has been asked and has not decided
  run      push    it never started
saved: 1 step(s), <took> of work
  fresh    reprise run ask b
