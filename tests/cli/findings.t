# A baseline that changed blocks (exit 4) until a person decides, on the record.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/base.yaml <<'END'
> name: base
> limits: {parallel: 1}
> baseline: [rules.txt]
> stages:
>   a: {run: ['true']}
>   stop: {needs: a, gate: 'Go on?'}
>   b: {needs: stop, run: ['true']}
> END
$ echo one >rules.txt; reprise run base r
base/r
start   a
done    a (<took>)
wait    stop: Go on?
waiting: Go on?
  reprise approve base/r stop
then: reprise resume base/r
? 3
$ reprise approve base/r
recorded: approve stop
$ echo two >rules.txt
$ reprise plan base/r
base/r: blocked, 1 conflict
blocking: rules.txt has changed since the run started [baseline_changed]
    reprise accept base/r baseline_changed --because TEXT
  keep     a     its success is recorded
  keep     stop  it was approved, and what it shows has not changed
  run      b     it never started
saved: 1 step(s), <took> of work
  accept   reprise accept base/r baseline_changed --because TEXT
$ reprise resume base/r --yes
base/r: blocked, 1 conflict
blocking: rules.txt has changed since the run started [baseline_changed]
    reprise accept base/r baseline_changed --because TEXT
  keep     a     its success is recorded
  keep     stop  it was approved, and what it shows has not changed
  run      b     it never started
saved: 1 step(s), <took> of work
  accept   reprise accept base/r baseline_changed --because TEXT
| 
blocked; see the way out above
? 4
$ reprise resume base/r --yes --json | grep -o '"outcome":{[^]]*],"next":[^]]*]}'
blocked; see the way out above
"outcome":{"status":"interrupted","exit":4,"failed_step":null,"reason":"rules.txt has changed since the run started","waiting_for":[],"next":["reprise accept base/r baseline_changed --because TEXT"]}
$ reprise accept base/r baseline_changed
reprise: accepting a finding needs a reason: --because TEXT
  try: reprise plan base/r
? 2
$ reprise accept base/r nonesuch --because x
reprise: the plan has no finding "nonesuch"
  try: reprise plan base/r
? 2
$ reprise accept base/r baseline_changed --because "the rules were updated on purpose"
recorded: accept baseline_changed
$ reprise resume base/r
base/r: ready to resume, clean
  keep     a     its success is recorded
  keep     stop  it was approved, and what it shows has not changed
  run      b     it never started
resume point: b
saved: 1 step(s), <took> of work
  resume   reprise resume base/r
| 
start   b
done    b (<took>)
done: base/r
kept 1 finished step(s), which saved <took> of work
$ reprise events base/r --json | grep -c finding_overruled
1
# A failed run whose baseline changed: the decision is possible, and lets it go on.
$ sed -i "s/b: .*/b: {needs: stop, run: 'test -e fixed'}/" .reprise/workflows/base.yaml
$ reprise run base s >/dev/null 2>&1; reprise approve base/s; reprise resume base/s >/dev/null 2>&1
recorded: approve stop
? 1
$ echo three >rules.txt; touch fixed; COLUMNS=500 reprise resume base/s --yes | tail -1
base/s: blocked, 1 conflict
blocking: rules.txt has changed since the run started [baseline_changed]
    reprise accept base/s baseline_changed --because TEXT
  keep     a     its success is recorded
  keep     stop  it was approved, and what it shows has not changed
  rerun    b     its last attempt failed: exit 1
saved: 1 step(s), <took> of work
again: 1 step(s)
  accept   reprise accept base/s baseline_changed --because TEXT
| 
blocked; see the way out above
$ reprise accept base/s baseline_changed --because "three it is"
recorded: accept baseline_changed
$ reprise resume base/s
base/s: ready to resume, clean
  keep     a     its success is recorded
  keep     stop  it was approved, and what it shows has not changed
  rerun    b     its last attempt failed: exit 1
resume point: b
saved: 1 step(s), <took> of work
again: 1 step(s)
  resume   reprise resume base/s
| 
start   b (attempt 2)
done    b (<took>)
done: base/s
kept 1 finished step(s), which saved <took> of work
  rerun b: its last attempt failed: exit 1
