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
$ reprise approve base/r
$ echo two >rules.txt
$ reprise plan base/r
$ reprise resume base/r --yes
$ reprise resume base/r --yes --json | grep -o '"outcome".*'
$ reprise accept base/r baseline_changed
$ reprise accept base/r nonesuch --because x
$ reprise accept base/r baseline_changed --because "the rules were updated on purpose"
$ reprise resume base/r
$ reprise events base/r --json | grep -c finding_overruled
