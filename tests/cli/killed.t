# A runner is killed while a step works; the step goes on under its guard, and the run is resumed.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/w.yaml <<'END'
> name: w
> limits: {parallel: 1}
> stages:
>   first: {run: 'echo first >>ran.txt'}
>   second: {needs: first, run: 'echo second >>ran.txt; until [ -e go ]; do sleep 0.05; done', produces: [ran.txt]}
>   third: {needs: second, run: 'echo third >>ran.txt'}
> END
$ reprise run w one >run.txt 2>&1 & pid=$!; until grep -qs second ran.txt; do sleep 0.05; done; kill -9 $pid; wait $pid; cat run.txt
$ reprise status
$ reprise plan w/one
$ reprise why w/one
$ reprise why w/one first
$ touch go; reprise resume w/one
$ cat ran.txt
$ reprise resume w/one
$ reprise plan w/one
$ reprise why w/one
$ reprise verify
$ reprise log w/one
$ reprise events w/one | cut -c1-60
$ reprise run w one
$ reprise status w
