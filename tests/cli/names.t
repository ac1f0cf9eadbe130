# Names are data. Nothing in them is executed, and what cannot name a run is refused.
$ mkdir -p .reprise/workflows && printf 'name: n\nlimits: {parallel: 1}\nstages: {a: {run: "printf \\"%%s\\\\n\\" \\"$subject\\" >>seen.txt"}}\n' >.reprise/workflows/n.yaml
$ reprise run n -- --help
$ reprise run n '$(touch canary)'
$ reprise run n ../..
$ reprise run n 'a
> b'
$ reprise run n x --run-id '`touch canary`'
$ reprise run n x --run-id ..
$ reprise run '$(touch canary)'
$ reprise run ../../../etc/passwd
$ reprise status '$(touch canary)'
$ reprise log -- '--help'
$ reprise run n "$(printf 'x%.0s' {1..65})"
$ ls canary
$ reprise run n fine-1.0_x
$ cat seen.txt
$ reprise run n fine-1.0_x
$ reprise run n other --run-id fine
# Whole segments before beginnings: "fine" is not "fine-1.0_x".
$ reprise status fine | head -1
$ reprise status n/f
