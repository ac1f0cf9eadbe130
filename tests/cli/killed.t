# A runner is killed while a step works; the step goes on under its guard, and the run is resumed.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/w.yaml <<'END'
> name: w
> limits: {parallel: 1}
> stages:
>   first: {run: 'echo first >>ran.txt'}
>   second: {needs: first, run: 'echo second >>ran.txt; until [ -e go ]; do sleep 0.05; done', produces: [ran.txt]}
>   third: {needs: second, run: 'echo third >>ran.txt'}
> END
$ reprise run w one >run.txt 2>&1 & pid=$!; until grep -qs second ran.txt; do sleep 0.05; done; kill -9 $pid; wait $pid 2>/dev/null; cat run.txt
w/one
start   first
done    first (<took>)
start   second
$ reprise status
w/one  interrupted at second
  1 pending, 1 running, 1 done; updated <time>
  go on: reprise resume w/one
$ reprise plan w/one
w/one: ready to resume, clean
  keep     first   its success is recorded
  continue second  its worker is still running under the guard and will be adopted
  run      third   it never started
resume point: second
saved: 1 step(s), <took> of work
  resume   reprise resume w/one
$ reprise why w/one
second: continue
  reason    its worker is still running under the guard and will be adopted
  rule      WF-04 watched
  evidence  event second: attempt 1 is running
third: run
  reason    it never started
  rule      WF-01 new
  evidence  event third: no attempt is recorded
$ reprise why w/one first
first: keep
  reason    its success is recorded
  rule      WF-21 done
  evidence  event first: attempt 1 succeeded, exit 0
$ reprise resume w/one >r.txt 2>&1 & until grep -qs adopt r.txt; do sleep 0.05; done; touch go; wait $!; cat r.txt
adopt   second (still running, attempt 1)
w/one: ready to resume, clean
  keep     first   its success is recorded
  continue second  its worker is still running under the guard and will be adopted
  run      third   it never started
resume point: second
saved: 1 step(s), <took> of work
  resume   reprise resume w/one
| 
done    second (<took>)
start   third
done    third (<took>)
done: w/one
kept 1 finished step(s), which saved <took> of work
  continue second: its worker is still running under the guard and will be adopted
$ cat ran.txt
first
second
third
$ reprise resume w/one
w/one: done, 1 warning
warning: ran.txt was changed after step second produced it [artifact_changed]
  keep     first   its success is recorded
  keep     second  it is done; what it produced was changed since and is still complete
  keep     third   its success is recorded
saved: 3 step(s), <took> of work
| 
nothing to resume: the run is done
$ reprise plan w/one
w/one: done, 1 warning
warning: ran.txt was changed after step second produced it [artifact_changed]
  keep     first   its success is recorded
  keep     second  it is done; what it produced was changed since and is still complete
  keep     third   its success is recorded
saved: 3 step(s), <took> of work
$ reprise why w/one
every step is kept: nothing is left to do
$ reprise verify
intact: every event is there, in order and unchanged
$ reprise log w/one
$ reprise events w/one | sed 's/  {.*//'
1  <time>  run_created
2  <time>  plan_accepted
3  <time>  attempt_started
4  <time>  attempt_finished
5  <time>  attempt_started
6  <time>  lease_taken_over
7  <time>  plan_accepted
8  <time>  attempt_finished
9  <time>  attempt_started
10  <time>  attempt_finished
11  <time>  run_finished
$ reprise run w one
w/one@2
start   first
done    first (<took>)
start   second
done    second (<took>)
start   third
done    third (<took>)
done: w/one@2
$ reprise status w
w/one@2  done
  3 done; updated <time>
  done        first   attempt 1, <took>
  done        second  attempt 1, <took>
  done        third   attempt 1, <took>
timeline
  <time> started: workflow w, one
  <time> session 1: process <pid> on <host>, tester
  <time> run done

# OR13_ARunThatIsEndedAfterItsRunnerWasKilledShowsNoStepAsRunning
$ rm -f go ran.txt; reprise run w two >run.txt 2>&1 & pid=$!; until grep -qs second ran.txt; do sleep 0.05; done; kill -9 $pid; wait $pid 2>/dev/null; reprise cancel w/two --because "not needed"; reprise status w/two | sed -n 1,5p
recorded: cancel
w/two  stopped at second
  1 blocked, 1 done, 1 failed; updated <time>
  not needed
  done        first   attempt 1, <took>
  failed      second  attempt 1: cut off; the run was ended before anybody looked at what it had done

# OR13_ARunThatWasPutAwayIsNotResumedAndSaysHowItComesBack
$ reprise fresh w/two --yes; reprise resume w/two; reprise undo w/two --yes; reprise resume w/two 2>&1 | tail -1
puts run w/two away
put away; `reprise undo` brings it back
reprise run w two
w/two: cannot be resumed, only started anew
  keep     first   its success is recorded
  verify   second  its worker ended while nobody watched; the exit record will be taken over
  run      third   it never started
saved: 1 step(s), <took> of work
  undo     reprise undo w/two
  fresh    reprise run w two
| 
nothing to resume: the run was put away; bring it back with: reprise undo w/two
brings back run w/two
brought back; look at it: reprise plan w/two
nothing to resume: the run has ended; start anew with: reprise fresh w/two
