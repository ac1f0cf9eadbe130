# A step that fails for good is exit 1; what hangs on it is blocked; a fix and a resume go on.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/f.yaml <<'END'
> name: f
> limits: {parallel: 1}
> stages:
>   a: {run: 'echo a >>ran.txt'}
>   b: {needs: a, run: 'echo trying; echo broken glass >&2; test -e fixed', retries: 1, delay: 200ms}
>   c: {needs: b, run: 'echo c >>ran.txt'}
> END
$ reprise run f x
f/x
start   a
done    a (<took>)
start   b
failed  b (<took>): exit 1: broken glass
retry   b in <took>, at <time>
start   b (attempt 2)
failed  b (<took>): exit 1: broken glass
failed: step b failed: exit 1: broken glass
  see: reprise log f/x
  then: reprise resume f/x
? 1
$ reprise status f/x
f/x  failed at b
  1 blocked, 1 done, 1 failed; updated <time>
  step b failed: exit 1: broken glass
  go on: reprise resume f/x
  done        a     attempt 1, <took>
  failed      b     attempt 2, <took>: exit 1: broken glass
  blocked     c
timeline
  <time> started: workflow f, x
  <time> session 1: process <pid> on <host>, tester
  <time> b attempt 1 failed: exit 1: broken glass; again in <took>
  <time> b attempt 2 failed: exit 1: broken glass
  <time> run failed: step b failed: exit 1: broken glass
$ reprise log f/x b
== b attempt 1 stdout
trying
== b attempt 1 stderr
broken glass
== b attempt 2 stdout
trying
== b attempt 2 stderr
broken glass
$ reprise log f/x nonesuch
reprise: run f/x has no attempt of step "nonesuch"
  try: reprise status f/x
? 2
$ reprise plan f/x
f/x: ready to resume, clean
  keep     a     its success is recorded
  rerun    b     its last attempt failed: exit 1: broken glass
  run      c     it never started
resume point: b
saved: 1 step(s), <took> of work
again: 1 step(s)
  resume   reprise resume f/x
$ reprise resume f/x --from c
reprise: cannot start from "c": step "b", which it needs, is not kept: its last attempt failed: exit 1: broken glass
  try: reprise plan f/x
? 2
$ reprise resume f/x --from nonesuch
reprise: there is no stage "nonesuch"; there are: a, b, c
  try: reprise plan f/x
? 2
$ reprise approve f/x
reprise: run f/x is failed
  try: reprise resume f/x
? 2
$ reprise retry f/x nonesuch
reprise: there is no step "nonesuch"
  try: reprise status f/x
? 2
$ touch fixed
$ reprise resume f/x
f/x: ready to resume, clean
  keep     a     its success is recorded
  rerun    b     its last attempt failed: exit 1: broken glass
  run      c     it never started
resume point: b
saved: 1 step(s), <took> of work
again: 1 step(s)
  resume   reprise resume f/x
| 
start   b (attempt 3)
done    b (<took>)
start   c
done    c (<took>)
done: f/x
kept 1 finished step(s), which saved <took> of work
  rerun b: its last attempt failed: exit 1: broken glass
$ cat ran.txt
a
c
$ reprise fork f/x --from b
f/x@2
go on: reprise resume f/x@2
$ reprise resume f/x@2
f/x@2: ready to resume, clean
  keep     a     its success is recorded
  run      b     it never started
  run      c     it never started
resume point: b
saved: 1 step(s), <took> of work
  resume   reprise resume f/x@2
| 
start   b
done    b (<took>)
start   c
done    c (<took>)
done: f/x@2
$ reprise status f/x@2
f/x@2  done
  3 done; updated <time>
  done        a
  done        b     attempt 1, <took>
  done        c     attempt 1, <took>
timeline
  <time> started: workflow f, x, forked from f/x
  <time> session 1: process <pid> on <host>, tester
  <time> run done
$ reprise resume f/x@2 --from a
reprise: run f/x@2 is over and stays as it is; a fork does it again from a stage
  try: reprise fork f/x@2 --from a
? 2
# A changed definition: what it touches runs again, and the plan says so.
$ reprise run f y >/dev/null 2>&1; rm fixed; sed -i 's/test -e fixed/test -e fixed # new/' .reprise/workflows/f.yaml
$ reprise run f z
f/z
start   a
done    a (<took>)
start   b
failed  b (<took>): exit 1: broken glass
retry   b in <took>, at <time>
start   b (attempt 2)
failed  b (<took>): exit 1: broken glass
failed: step b failed: exit 1: broken glass
  see: reprise log f/z
  then: reprise resume f/z
? 1
$ sed -i 's/echo a >>/echo A >>/' .reprise/workflows/f.yaml
$ reprise plan f/z
f/z: resumable once confirmed, 1 warning
warning: the definition has changed since the run used it: a [definition_changed]
  rerun    a     it was done, but its definition has changed since
  rerun    b     its last attempt failed: exit 1: broken glass
  run      c     it never started
resume point: a
again: 2 step(s)
  resume   reprise resume f/z
$ touch fixed; reprise resume f/z
f/z: resumable once confirmed, 1 warning
warning: the definition has changed since the run used it: a [definition_changed]
  rerun    a     it was done, but its definition has changed since
  rerun    b     its last attempt failed: exit 1: broken glass
  run      c     it never started
resume point: a
again: 2 step(s)
  resume   reprise resume f/z
| 
this needs a confirmation: reprise resume f/z --yes
? 3
$ reprise resume f/z --yes
f/z: resumable once confirmed, 1 warning
warning: the definition has changed since the run used it: a [definition_changed]
  rerun    a     it was done, but its definition has changed since
  rerun    b     its last attempt failed: exit 1: broken glass
  run      c     it never started
resume point: a
again: 2 step(s)
  resume   reprise resume f/z
| 
start   a (attempt 2)
done    a (<took>)
start   b (attempt 3)
done    b (<took>)
start   c
done    c (<took>)
done: f/z
# A failed run: the step that stands in the way can be left out, or the run ended for good.
$ rm fixed; reprise run f v >/dev/null 2>&1
? 1
$ reprise skip f/v b
reprise: skipping needs a reason: --because TEXT
  try: reprise status f/v
? 2
$ reprise skip f/v b --because "it is only glass"
recorded: skip b
$ reprise resume f/v
f/v: ready to resume, clean
  keep     a     its success is recorded
  keep     b     it was skipped: it is only glass
  run      c     it never started
resume point: c
saved: 1 step(s), <took> of work
  resume   reprise resume f/v
| 
start   c
done    c (<took>)
done: f/v
kept 1 finished step(s), which saved <took> of work
$ reprise run f u >/dev/null 2>&1
? 1
$ reprise run f u
reprise: run f/u is failed and is not overwritten
  try: reprise resume f/u
  try: reprise fresh f/u
? 3
$ reprise cancel f/u
recorded: cancel
$ reprise status f/u | head -1
f/u  stopped at b
