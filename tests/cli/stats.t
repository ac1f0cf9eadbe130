# The timeline of a run over its interruptions, and what is counted over all runs.
$ reprise stats | sed '/^longest/,$d'
nothing has run here yet; `reprise workflow list` shows what could
$ reprise stats --json
{"runs":{"total":0,"done":0,"failed":0,"stopped":0,"unfinished":0,"archived":0},"sessions":0,"resumes":0,"worked":{"steps":0,"seconds":0,"usd":0.0000},"saved":{"steps":0,"seconds":0,"usd":0.0000},"stops":[],"retries":[],"given_up_on_same_error":0,"waiting":{"seconds":0,"asked":0},"longest":[],"uncounted":[]}
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/w.yaml <<'END'
> name: w
> limits: {parallel: 1}
> stages:
>   first: {run: 'echo first >>ran.txt'}
>   second: {needs: first, run: 'echo second >>ran.txt; until [ -e go ]; do sleep 0.05; done; touch gone'}
>   third: {needs: second, run: 'test -e third || exit 9', retries: 1, delay: 1ms}
>   ok: {needs: third, gate: 'Ship it?'}
>   last: {needs: ok, run: 'echo last >>ran.txt'}
> END

# It is killed; nobody has gone on yet, and the lease says so.
$ reprise run w one >run.txt 2>&1 & pid=$!; until grep -qs second ran.txt; do sleep 0.05; done; kill -9 $pid; wait $pid 2>/dev/null; reprise status w/one
w/one  interrupted at second
  3 pending, 1 running, 1 done; updated <time>
  go on: reprise resume w/one
  done        first   attempt 1, <took>
  running     second  attempt 1
  pending     third
  pending     ok
  pending     last
timeline
  <time> started: workflow w, one
  <time> session 1: process <pid> on <host>, tester
  <time> session 1 vanished at second without a word
$ reprise lock list
w/one  dead  process <pid> on <host> since <time>
  go on: reprise resume w/one
$ reprise stats | sed '/^longest/,$d'
runs     1: 0 done, 0 failed, 0 stopped, 1 not finished
sessions 1, of which 0 resumed a run
worked   1 step(s), <took>
saved    0 step(s), <took>: what resuming did not have to do again
where runs stopped
  1  killed at second

# Told to stop, it gives the run back; its worker goes on under the guard.
$ reprise resume w/one >run.txt 2>&1 & pid=$!; until grep -qs adopt run.txt; do sleep 0.05; done; kill -TERM $pid; wait $pid; echo $?
143
$ reprise lock list
nobody owns a run here

# It fails, is tried again, waits for a person, and comes to its end.
$ touch go; until [ -e gone ]; do sleep 0.05; done; sleep 0.5; reprise resume w/one >run.txt 2>&1
? 1
$ touch third; reprise resume w/one >run.txt 2>&1
? 3
$ reprise approve w/one --because 'it is good'
recorded: approve ok
$ reprise resume w/one >run.txt 2>&1
$ reprise status w/one --verbose
w/one  done
  5 done; updated <time>; resumed 4 time(s)
  done        first   attempt 1, <took>
  done        second  attempt 1, <took>
  done        third   attempt 3, <took>
  done        ok
  done        last    attempt 1, <took>
timeline
  <time> started: workflow w, one
  <time> session 1: process <pid> on <host>, tester
  <time> session 1 vanished at second without a word
  <time> process <pid> on <host> was found dead; taken over
  <time> session 2: process <pid> on <host>, tester
  <time> resumed after <took>: kept 1 step(s) of <took>
  <time> session 2 was told to stop at second, gave the run back
  <time> session 3: process <pid> on <host>, tester
  <time> resumed after <took>: kept 2 step(s) of <took>
  <time> third attempt 1 failed: exit 9; again in <took>
  <time> third attempt 2 failed: exit 9
  <time> run failed: step third failed: exit 9
  <time> run opened again by tester@<host>: resumed
  <time> session 4: process <pid> on <host>, tester
  <time> resumed after <took>: kept 2 step(s) of <took>, again: third
  <time> ok asks: Ship it?
  <time> session 4 waits for gate ok, gave the run back
  <time> ok approved by tester@<host> after <took>: it is good
  <time> session 5: process <pid> on <host>, tester
  <time> resumed after <took>: kept 3 step(s) of <took>
  <time> run done
$ cat ran.txt
first
second
last

# A run that was set aside still counts.
$ reprise run w two >run.txt 2>&1
? 3
$ reprise fresh w/two --yes >run.txt 2>&1
$ reprise stats | sed '/^longest/,$d'
runs     2: 1 done, 0 failed, 1 stopped, 0 not finished; 1 of them set aside
sessions 6, of which 4 resumed a run
worked   7 step(s), <took>
saved    8 step(s), <took>: what resuming did not have to do again
waited   <took> for people, who were asked 2 time(s)
where runs stopped
  1  failed at third
  1  killed at second
  1  signal at second
  1  waiting at ok
tried again because of
  2  exit 9
$ reprise stats --json | tr ',' '\n' | grep -c '"cause"'
5
$ reprise status w/one --json | grep -o '"kind":"[a-z-]*"' | sort | uniq -c | sed 's/^ *//'
1 "kind":"decided"
3 "kind":"ended"
1 "kind":"failed"
2 "kind":"finished"
1 "kind":"gate"
1 "kind":"reopened"
4 "kind":"resumed"
1 "kind":"retry"
5 "kind":"session"
1 "kind":"started"
1 "kind":"taken"
