# An empty repository: every command has an answer.
$ reprise status
$ reprise status --json
$ reprise inbox
$ reprise inbox --json
$ reprise resume
$ reprise resume --json
$ reprise plan nothing
$ reprise workflow list
$ reprise workflow list --json
$ reprise run nothing
$ reprise lock list
$ reprise verify
$ reprise gc
$ reprise init
$ reprise init
$ reprise init --json
$ cat .reprise/config.yaml
