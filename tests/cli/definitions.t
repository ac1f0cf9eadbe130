# What is wrong with a definition is reported all at once, with file, line and column.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/broken.yaml <<END
> name: broken
> stages:
>   build:
>     run: make
>     retrys: 2
>   tests:
>     needs: [biuld]
>     run: make check
>   ship: {}
> END
$ reprise workflow check broken
$ reprise workflow check broken --json
$ reprise run broken
$ reprise run broken --json
$ cat >.reprise/workflows/circle.yaml <<END
> name: circle
> stages:
>   a: {needs: c, run: [true]}
>   b: {needs: a, run: [true]}
>   c: {needs: b, run: [true]}
> END
$ reprise workflow check circle
$ printf 'stages: {a: {run: [true], run: [false]}}\n' >.reprise/workflows/twice.yaml
$ reprise workflow check twice
$ printf 'stages:\n  a: {run: [true\n' >.reprise/workflows/torn.yaml
$ reprise workflow check torn
$ printf 'stages:\n  a: {run: [true], lane: {base: main}}\n' >.reprise/workflows/lanes.yaml
$ reprise workflow check lanes
$ printf 'name: good\ndescription: Does nothing.\nstages: {a: {run: ["true"]}}\n' >.reprise/workflows/good.yaml
$ reprise workflow check good
$ reprise workflow check .reprise/workflows/good.yaml
$ reprise workflow check nonesuch
$ reprise workflow list
$ reprise workflow show good
$ reprise workflow schema | head -c 60
$ reprise doctor
$ printf 'workers: [1]\n' >.reprise/config.yaml
$ reprise run good
