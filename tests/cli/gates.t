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
$ reprise status ask/a
$ reprise inbox
$ reprise run ask a
$ reprise approve ask/a nonesuch
$ reprise reject ask/a
$ REPRISE_RUN=ask/a reprise approve ask/a
$ REPRISE_RUN=ask/a reprise resume ask/a
$ REPRISE_RUN=ask/a reprise run ask b
$ reprise approve ask/a
# What was approved has changed: the approval does not hold.
$ echo worse >report.txt
$ reprise plan ask/a
$ reprise resume ask/a
$ reprise resume ask/a --yes
$ reprise approve ask/a ship --because "read it again"
$ reprise resume ask/a --yes
$ reprise run ask b
$ reprise reject ask/b ship --because "not today"
$ reprise resume ask/b
$ reprise resume ask/b --from ship --yes
$ reprise cancel ask/b --because "enough"
$ reprise resume ask/b
$ reprise plan ask/b
