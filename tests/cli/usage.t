# Wrong usage is exit 2, and says what would be right.
$ reprise resum
$ reprise workflow
$ reprise workflow chekc x
$ reprise run
$ reprise plan
$ reprise plan a b
$ reprise status --nonsense
$ reprise run x --mode fast
$ reprise run x --parallel 0
$ reprise run x --parallel many
$ reprise run x --input novalue
$ reprise gc --keep soon
$ reprise completion tcsh
$ reprise fork x
$ reprise -C does-not-exist status
$ reprise --json resum
$ reprise --version
$ reprise
$ reprise --help | head -3
$ reprise resume --help
