# Edits of a state file that cannot be taken over are said, kept, and never lost.
$ mkdir -p scripts .reprise && cat >scripts/agent.sh <<'END'
> #!/bin/sh
> printf '# Login\n\nAll users.\n' >specs/$subject/feature.spec.md
> { printf '# Decision\n\n## Constitution Check\n\n| Article | Status |\n|---|---|\n'
>   for n in I II III IV V VI VII VIII; do echo "| Article $n | COMPLIES |"; done; } >specs/$subject/adr.md
> END
$ chmod +x scripts/agent.sh; printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml
$ reprise run playbook 001-login --quiet
playbook/001-login
waiting: Spec approval: is specs/001-login/feature.spec.md what is to be built?
  reprise approve playbook/001-login spec-approval
then: reprise resume playbook/001-login
? 3
$ reprise approve 001-login spec-approval; grep 'Spec approval' specs/001-login/.pipeline-state.md
recorded: approve spec-approval
- [x] Spec approval
$ sed -i 's/- \[x\] Spec approval/- [ ] Spec approval/' specs/001-login/.pipeline-state.md; COLUMNS=500 reprise plan 001-login 2>&1 | head -3
playbook/001-login: ready to resume, clean
info: specs/001-login/.pipeline-state.md was edited; not taken over: line 43: an approval is not taken back by unticking "Spec approval" [edit_refused]
  keep     spec                   it is completed
$ COLUMNS=500 reprise resume 001-login --yes 2>&1 | grep 'not taken over'; ls .git/reprise/edits/*
info: specs/001-login/.pipeline-state.md was edited; not taken over: line 43: an approval is not taken back by unticking "Spec approval" (what was found is kept in .git/reprise/edits/playbook%2F001-login/<digest>-.pipeline-state.md) [edit_refused]
specs/001-login/.pipeline-state.md was edited; not taken over: line 43: an approval is not taken back by unticking "Spec approval" (what was found is kept in .git/reprise/edits/playbook%2F001-login/<digest>-.pipeline-state.md)
<digest>-.pipeline-state.md
$ grep 'Spec approval' specs/001-login/.pipeline-state.md .git/reprise/edits/*/*
specs/001-login/.pipeline-state.md:- [x] Spec approval
.git/reprise/edits/playbook%2F001-login/<digest>-.pipeline-state.md:- [ ] Spec approval
$ printf 'gar\377bage' >specs/001-login/.pipeline-state.md; COLUMNS=500 reprise plan 001-login 2>&1 | grep 'not taken over'
info: specs/001-login/.pipeline-state.md was edited; not taken over: it cannot be read any more and is written anew: a byte that is not UTF-8 text [edit_refused]
$ reprise approve 001-login; grep -c sign-off specs/001-login/.pipeline-state.md; cat .git/reprise/edits/*/* | grep -c bage
recorded: approve architecture-sign-off
2
1

# PB12_AFailedRunStartsAnewAndItsStateIsSetAside
$ reprise run playbook 002-x --quiet
playbook/002-x
waiting: Spec approval: is specs/002-x/feature.spec.md what is to be built?
  reprise approve playbook/002-x spec-approval
then: reprise resume playbook/002-x
? 3
$ reprise reject 002-x --because 'not like this'; grep -e '- status' -e 'not like' specs/002-x/.pipeline-state.md
recorded: reject spec-approval
- status: FAILED
Failed at <time>: gate spec-approval was rejected: not like this
$ COLUMNS=500 reprise plan 002-x 2>&1 | tail -4
  refuse   code-review  a failed run is never resumed; a fresh one is given its notes
  refuse   security     a failed run is never resumed; a fresh one is given its notes
  refuse   refactor     a failed run is never resumed; a fresh one is given its notes
  fresh    reprise fresh playbook/002-x
$ reprise run playbook 002-x --quiet; reprise events 002-x | grep -c 'failed run before'
playbook/002-x@2
waiting: Spec approval: is specs/002-x/feature.spec.md what is to be built?
  reprise approve playbook/002-x@2 spec-approval
then: reprise resume playbook/002-x@2
1
$ reprise undo --yes
brings back specs/002-x/.pipeline-state.md, set aside <time> by tester@<host>
reprise: specs/002-x/.pipeline-state.md is there again; it would be overwritten
  try: mv specs/002-x/.pipeline-state.md specs/002-x/.pipeline-state.md.new
? 5
