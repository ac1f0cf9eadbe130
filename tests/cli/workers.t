# A role without a program is refused before anything starts.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/work.yaml <<END
> name: work
> limits: {parallel: 1}
> stages:
>   think: {role: thinker, prompt: Think.}
> END
$ reprise run work a
reprise: no program is named for role "thinker". Add to .reprise/config.yaml:
  workers:
    default: {run: [./scripts/agent.sh]}
  try: reprise init
? 2
$ reprise status
nothing has run here yet; `reprise workflow list` shows what could
$ printf 'workers: {default: {run: ["sh", "./agent"]}}\n' >.reprise/config.yaml
# Its result is not JSON: the attempt failed, and says so.
$ printf 'echo nonsense >"$REPRISE_RESULT"\n' >agent
$ reprise run work a
work/a
start   think
failed  think (<took>): <project>/.git/reprise/attempts/work/a+<serial>/think/1/result.json: it is not JSON: syntax error
failed: step think failed: <project>/.git/reprise/attempts/work/a+<serial>/think/1/result.json: it is not JSON: syntax error
  see: reprise log work/a
  then: reprise resume work/a
? 1
# An exit code that says failed outranks a result that says done.
$ printf 'echo "{\\"status\\": \\"done\\"}" >"$REPRISE_RESULT"; exit 9\n' >agent
$ reprise run work b
work/b
start   think
failed  think (<took>): its result says done, but it ended with exit 9
failed: step think failed: its result says done, but it ended with exit 9
  see: reprise log work/b
  then: reprise resume work/b
? 1
# It asks a person, and is given the answer.
$ cat >agent <<'END'
> if grep -q '"text":"blue"' "$REPRISE_CONTEXT"; then echo '{"status": "done", "summary": "painted blue"}' >"$REPRISE_RESULT"
> else echo '{"status": "needs_human", "summary": "One question.", "questions": [{"id": "Q1", "text": "Which colour?"}]}' >"$REPRISE_RESULT"; fi
> END
$ reprise run work c
work/c
start   think
needs_human  think (<took>): One question.
ask     Q1: Which colour?
waiting: Which colour?
  reprise answer work/c Q1 TEXT
then: reprise resume work/c
? 3
$ reprise inbox
work/c  question Q1: Which colour?
  reprise answer work/c Q1 TEXT
$ reprise answer work/c Q2 blue
reprise: there is no question "Q2"; there are: Q1
  try: reprise inbox
? 2
$ reprise answer work/c Q1 blue
recorded: answer Q1
$ reprise answer work/c Q1 red
reprise: question Q1 was answered already: blue
  try: reprise inbox
? 2
$ reprise approve work/c think
reprise: gate "think" is not open; no gate is
  try: reprise inbox
? 2
$ reprise resume work/c
work/c: ready to resume, clean
  continue think  the person it asked has answered
resume point: think
  resume   reprise resume work/c
| 
start   think (attempt 2)
done    think (<took>) - painted blue
done: work/c
