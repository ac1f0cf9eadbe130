# Names are data. Nothing in them is executed, and what cannot name a run is refused.
$ mkdir -p .reprise/workflows && printf 'name: n\nlimits: {parallel: 1}\nstages: {a: {run: "printf \\"%%s\\\\n\\" \\"$subject\\" >>seen.txt"}}\n' >.reprise/workflows/n.yaml
$ reprise run n -- --help
reprise: "--help" cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting with -
  try: reprise workflow list
? 2
$ reprise run n '$(touch canary)'
reprise: "$(touch canary)" cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting with -
  try: reprise workflow list
? 2
$ reprise run n ../..
reprise: "../.." cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting with -
  try: reprise workflow list
? 2
$ reprise run n 'a
> b'
reprise: "a b" cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting with -
  try: reprise workflow list
? 2
$ reprise run n x --run-id '`touch canary`'
reprise: "`touch canary`" cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting with -
  try: reprise workflow list
? 2
$ reprise run n x --run-id ..
reprise: ".." cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting with -
  try: reprise workflow list
? 2
$ reprise run '$(touch canary)'
reprise: there is no workflow "$(touch canary)"
  try: reprise workflow list
? 2
$ reprise run ../../../etc/passwd
reprise: there is no workflow "../../../etc/passwd"
  try: reprise workflow list
? 2
$ reprise status '$(touch canary)'
reprise: there is no run "$(touch canary)"
  try: reprise status
? 2
$ reprise log -- '--help'
reprise: there is no run "--help"
  try: reprise status
? 2
$ reprise run n "$(printf 'x%.0s' {1..65})"
reprise: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" cannot name a run; allowed: 1 to 64 of A-Z a-z 0-9 . _ -, not starting with -
  try: reprise workflow list
? 2
$ ls canary
ls: cannot access 'canary': No such file or directory
? 2
$ reprise run n fine-1.0_x
n/fine-1.0_x
start   a
done    a (<took>)
done: n/fine-1.0_x
$ cat seen.txt
fine-1.0_x
$ reprise run n fine-1.0_x
n/fine-1.0_x@2
start   a
done    a (<took>)
done: n/fine-1.0_x@2
$ reprise run n other --run-id fine
n/fine
start   a
done    a (<took>)
done: n/fine
# Whole segments before beginnings: "fine" is not "fine-1.0_x".
$ reprise status fine | head -1
n/fine  done
$ reprise status n/f
reprise: "n/f" may mean: n/fine-1.0_x@2, n/fine
  try: reprise status
? 2
