# After a reboot: everything that nobody owns is resumed, a few at a time, with one report.
$ reprise resume --all
nothing to resume
  see what there is: reprise scan --all
$ reprise resume --all --json
{"runs":[],"exit":0}
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/w.yaml <<'END'
> name: w
> limits: {parallel: 1}
> stages:
>   first: {run: 'echo "first $REPRISE_RUN" >>ran.txt'}
>   second: {needs: first, run: 'echo "second $REPRISE_RUN" >>ran.txt; until [ -e go ]; do sleep 0.05; done'}
>   third: {needs: second, run: 'echo "third $REPRISE_RUN" >>ran.txt'}
> END
$ cat >.reprise/workflows/g.yaml <<'END'
> name: g
> stages:
>   ok: {gate: 'Ship it?'}
>   ship: {needs: ok, run: 'echo "ship $REPRISE_RUN" >>ran.txt'}
> END
$ cat >.reprise/workflows/f.yaml <<'END'
> name: f
> stages:
>   bad: {run: 'echo "bad $REPRISE_RUN" >>ran.txt; exit 7'}
> END
$ for n in a b 'p --mode preflight'; do reprise run w $n >run.txt 2>&1 & pid=$!; until grep -qs "second w/${n%% *}" ran.txt; do sleep 0.05; done; kill -9 $pid; wait $pid 2>/dev/null; done; touch go; reprise lock list
w/a  dead  process <pid> on <host> since <time>
  go on: reprise resume w/a
w/b  dead  process <pid> on <host> since <time>
  go on: reprise resume w/b
w/p  dead  process <pid> on <host> since <time>
  go on: reprise resume w/p

# What needs a person is listed with its command; each run is resumed in a process of its own.
$ reprise run g x >run.txt 2>&1; reprise run f y >run.txt 2>&1; reprise resume --all --failed --quiet
f/y  failed (exit 1): step bad failed: exit 7
  reprise log f/y
g/x  waiting (exit 3): gate ok: Ship it?
  reprise approve g/x ok
w/p  waiting (exit 3): preflight wants a person to look first
  reprise resume w/p --yes
w/b  done
w/a  done
5 in all: 2 done, 1 failed, 2 waiting
? 1
$ sort ran.txt
bad f/y
bad f/y
first w/a
first w/b
first w/p
second w/a
second w/b
second w/p
third w/a
third w/b

# Nothing that was finished is done again; a gate is not passed by --yes, nor by autopilot.
$ reprise resume --all --failed --quiet --yes
f/y  failed (exit 1): step bad failed: exit 7
  reprise log f/y
g/x  waiting (exit 3): gate ok: Ship it?
  reprise approve g/x ok
w/p  done
3 in all: 1 done, 1 failed, 1 waiting
? 1
$ reprise resume --all --failed --mode autopilot --json
{"runs":[{"id":"f/y","outcome":"failed","exit":1,"started":true,"reason":"step bad failed: exit 7","command":"reprise log f/y"},{"id":"g/x","outcome":"waiting","exit":3,"started":true,"reason":"gate ok: Ship it?","command":"reprise approve g/x ok"}],"exit":1}
? 1
$ reprise approve g/x && reprise resume --all --quiet >all.txt; echo $?; grep '^g/x' all.txt
recorded: approve ok
0
g/x  done
$ reprise cancel f/y && reprise resume --all
recorded: cancel
nothing to resume
  see what there is: reprise scan --all
$ sort ran.txt | uniq -c | sed 's/^ *//' | grep -v bad
1 first w/a
1 first w/b
1 first w/p
1 second w/a
1 second w/b
1 second w/p
1 ship g/x
1 third w/a
1 third w/b
1 third w/p

# Told to stop: the processes are told, waited for, and the report is printed.
$ rm go; for n in c d e; do reprise run w $n >run.txt 2>&1 & pid=$!; until grep -qs "second w/$n" ran.txt; do sleep 0.05; done; kill -9 $pid; wait $pid 2>/dev/null; done; reprise status | grep -c interrupted
3
$ reprise resume --all --parallel 2 >all.txt 2>said.txt & pid=$!; until [ "$(reprise lock list | grep -c alive)" = 2 ]; do sleep 0.05; done; kill -TERM $pid; wait $pid; echo $?; cat all.txt; sort said.txt
143
w/e  interrupted (exit 143): told to stop; everything is saved
  reprise resume w/e
w/d  interrupted (exit 143): told to stop; everything is saved
  reprise resume w/d
w/c  interrupted (exit 143): told to stop before it was started
  reprise resume w/c
3 in all: 3 interrupted
interrupted  w/d
interrupted  w/e
resuming w/d; watch it: reprise attach w/d
resuming w/e; watch it: reprise attach w/e
$ reprise lock list | grep -c alive
0
? 1
$ reprise resume --all --parallel 2 >all.txt 2>said.txt & pid=$!; until [ "$(reprise lock list | grep -c alive)" = 2 ]; do sleep 0.05; done; kill -INT $pid; touch go; wait $pid; echo $?; grep -c '^w/' all.txt
130
3

# Two at once: each run is taken by one of them, and neither fails.
$ reprise resume --all --quiet >one.txt & pid=$!; reprise resume --all --quiet >two.txt; echo $?; wait $pid; echo $?
0
0
$ reprise status | grep -c done
14
$ sort ran.txt | uniq -c | sed 's/^ *//' | grep -v ' bad' | grep -v '^1 '
? 1

# Never more than asked for at a time.
$ cat >.reprise/workflows/m.yaml <<'END'
> name: m
> stages:
>   one: {run: 'test -e go2 || exit 75'}
>   two: {needs: one, run: 'mkdir -p live; touch live/$$; ls live | wc -l >>most; sleep 0.2; rm live/$$'}
> END
$ for n in 1 2 3 4 5 6; do reprise run m $n >run.txt 2>&1 & pid=$!; until reprise status m/$n 2>/dev/null | grep -q retrying; do sleep 0.05; done; kill -9 $pid; wait $pid 2>/dev/null; done; reprise status | grep -c '^m/.*interrupted'
6
$ touch go2; reprise resume --all --parallel 3 --quiet >all.txt; echo $?; [ "$(sort -n most | tail -1)" -le 3 ] && echo 'at most three'; wc -l <most
0
at most three
6

# Wrong usage says so.
$ reprise resume w/a --all
reprise: --all resumes everything; leave the id out
  try: reprise resume w/a
? 2
$ reprise resume --all --detach
reprise: --detach is for one run, not for --all
  try: reprise resume --all
? 2
$ reprise resume --all --parallel 0
reprise: --parallel wants a number from 1 to 64
  try: reprise resume --all --parallel 2
? 2
$ reprise resume --all --parallel many
reprise: --parallel wants a number from 1 to 64
  try: reprise resume --all --parallel 2
? 2
