# A step that fails for good is exit 1; what hangs on it is blocked; a fix and a resume go on.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/f.yaml <<'END'
> name: f
> limits: {parallel: 1}
> stages:
>   a: {run: 'echo a >>ran.txt'}
>   b: {needs: a, run: 'echo trying; echo broken glass >&2; test -e fixed', retries: 1, delay: 1ms}
>   c: {needs: b, run: 'echo c >>ran.txt'}
> END
$ reprise run f x
$ reprise status f/x
$ reprise log f/x b
$ reprise log f/x nonesuch
$ reprise plan f/x
$ reprise resume f/x --from c
$ reprise resume f/x --from nonesuch
$ reprise skip f/x c
$ reprise retry f/x nonesuch
$ touch fixed
$ reprise resume f/x
$ cat ran.txt
$ reprise fork f/x --from b
$ reprise resume f/x@2
$ reprise status f/x@2
$ reprise resume f/x@2 --from a
# A changed definition: what it touches runs again, and the plan says so.
$ reprise run f y >/dev/null 2>&1; rm fixed; sed -i 's/test -e fixed/test -e fixed # new/' .reprise/workflows/f.yaml
$ reprise run f z
$ sed -i 's/echo a >>/echo A >>/' .reprise/workflows/f.yaml
$ reprise plan f/z
$ touch fixed; reprise resume f/z
$ reprise resume f/z --yes
