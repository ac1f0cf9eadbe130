# A role without a program is refused before anything starts.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/work.yaml <<END
> name: work
> limits: {parallel: 1}
> stages:
>   think: {role: thinker, prompt: Think.}
> END
$ reprise run work a
$ reprise status
$ printf 'workers: {default: {run: ["sh", "./agent"]}}\n' >.reprise/config.yaml
# Its result is not JSON: the attempt failed, and says so.
$ printf 'echo nonsense >"$REPRISE_RESULT"\n' >agent
$ reprise run work a
# An exit code that says failed outranks a result that says done.
$ printf 'echo "{\\"status\\": \\"done\\"}" >"$REPRISE_RESULT"; exit 9\n' >agent
$ reprise run work b
# It asks a person, and is given the answer.
$ cat >agent <<'END'
> if grep -q '"text":"blue"' "$REPRISE_CONTEXT"; then echo '{"status": "done", "summary": "painted blue"}' >"$REPRISE_RESULT"
> else echo '{"status": "needs_human", "summary": "One question.", "questions": [{"id": "Q1", "text": "Which colour?"}]}' >"$REPRISE_RESULT"; fi
> END
$ reprise run work c
$ reprise inbox
$ reprise answer work/c Q2 blue
$ reprise answer work/c Q1 blue
$ reprise answer work/c Q1 red
$ reprise approve work/c think
$ reprise resume work/c
