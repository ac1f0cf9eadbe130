# SL11_TheLoopRunsUntilNoGapThatMattersIsLeft: gaps by priority, questions by round, answers applied, and the reason kept.
$ mkdir -p scripts .reprise && cat >scripts/agent.sh <<'END'
> #!/bin/sh
> echo "$REPRISE_STEP" >>ran.txt; cp "$REPRISE_CONTEXT" context.json; d=specs/$subject; mkdir -p "$d"
> say() { printf '%s' "$1" >"$REPRISE_RESULT"; }
> case "$REPRISE_STEP" in
> scaffold) test -e "$d/spec.md" || echo '# {{title}}' >"$d/spec.md" ;;
> write) echo '# Login' >"$d/spec.md" ;;
> validate) say '{"gaps":[{"id":"G-001","priority":"Critical","text":"Session timeout?"},{"id":"G-002","priority":"Minor","text":"Colour?"},{"id":"G-003","priority":"Important","text":"How many tries?"},{"id":"G-004","priority":"Critical","text":"Which users?"},{"id":"G-005","priority":"Important","text":"Which log?"}],"questions":[{"id":"q","text":"How long, and for whom?","gaps":["G-001","G-004"],"options":["15 min","1 h"]}]}' ;;
> clarify/*/apply) tr ',' '\n' <"$REPRISE_CONTEXT" | grep -A1 '"answers"' >>"$d/spec.md" ;;
> clarify/1/validate) say '{"gaps":[{"id":"G-003","priority":"Important","text":"How many tries?"}]}' ;;
> *) say '{"gaps":[]}' ;;
> esac
> END
$ chmod +x scripts/agent.sh; printf 'workers:\n  default: {run: [./scripts/agent.sh]}\n' >.reprise/config.yaml
$ reprise run spec-loop 005-auth --input description='user login'
spec-loop/005-auth
start   scaffold
done    scaffold (<took>)
start   write
done    write (<took>)
start   validate
done    validate (<took>) verdict gaps
ask     C1.1: How long, and for whom?
ask     C1.2: How many tries?
ask     C1.3: Which log?
waiting: How long, and for whom? (15 min / 1 h)
  reprise answer spec-loop/005-auth C1.1 TEXT
waiting: How many tries?
  reprise answer spec-loop/005-auth C1.2 TEXT
waiting: Which log?
  reprise answer spec-loop/005-auth C1.3 TEXT
then: reprise resume spec-loop/005-auth
? 3
$ sed -n '/Priority Loop State/,/Gap Resolution/p' specs/005-auth/.workflow/index.md
| ## Priority Loop State
| 
| Field | Value |
|-------|-------|
| **Loop Status** | clarifying |
| **Current Iteration** | 1 / 10 |
| **Last Activity** | <time> |
| **Stale Count** | 0 / 3 |
| **Deferred Minor Gaps** | 1 |
| 
| ## Pending Questions
| 
| ID | Question | Gaps | Options | Status | Answer |
|----|----------|------|---------|--------|--------|
| C1.1 | How long, and for whom? | G-001, G-004 | 15 min; 1 h | awaiting_answer |  |
| C1.2 | How many tries? | G-003 |  | awaiting_answer |  |
| C1.3 | Which log? | G-005 |  | awaiting_answer |  |
| 
| ## Gap Priority Queue
| 
| Priority | Gap ID | Question | Status | Resolution |
|----------|--------|----------|--------|------------|
| Critical | G-001 | Session timeout? | clarifying |  |
| Minor | G-002 | Colour? | deferred |  |
| Important | G-003 | How many tries? | clarifying |  |
| Critical | G-004 | Which users? | clarifying |  |
| Important | G-005 | Which log? | clarifying |  |
| 
| ## Gap Resolution History

# SL01_ARunLooksBeforeItStarts: another feature for the same wish is not begun.
$ reprise run spec-loop 006-login --input description='a user auth thing'
reprise: spec-loop/005-auth is not finished and is not overwritten (specs/005-auth/.workflow/index.md)
  try: reprise plan spec-loop/005-auth
  try: reprise resume spec-loop/005-auth
  try: reprise fresh spec-loop/005-auth
? 3

# SL05_AnswersAreSavedBeforeTheyAreApplied: by command, and typed into the table.
$ reprise answer spec-loop/005-auth C1.1 '15 minutes, all users'; reprise answer 005-auth C1.2 'three'
"15 minutes, all users" is none of the options: 15 min / 1 h
recorded: answer C1.1
recorded: answer C1.2
$ sed -i '/^| C1.3 /s/awaiting_answer |  |/awaiting_answer | the audit log |/' specs/005-auth/.workflow/index.md; cat ran.txt
scaffold
write
validate
$ reprise plan 005-auth
spec-loop/005-auth: ready to resume, clean
info: line 8 says "branch 005-auth", but there is no such branch [branch_missing]
  keep     scaffold            the loop has gone past it
  keep     write               the loop has gone past it
  keep     validate            the loop has gone past it
  run      clarify/1/apply     it never started
  run      clarify/1/validate  it comes after the point where the loop stopped
resume point: clarify/1/apply, iteration 1
saved: 3 step(s), <took> of work
  resume   reprise resume spec-loop/005-auth
  fresh    reprise fresh spec-loop/005-auth
$ reprise resume 005-auth --quiet; cat ran.txt
waiting: How many tries?
  reprise answer spec-loop/005-auth C2.1 TEXT
then: reprise resume spec-loop/005-auth
scaffold
write
validate
clarify/1/apply
clarify/1/validate
$ sed -n '/Priority Loop State/,$p' specs/005-auth/.workflow/index.md
| ## Priority Loop State
| 
| Field | Value |
|-------|-------|
| **Loop Status** | clarifying |
| **Current Iteration** | 2 / 10 |
| **Last Activity** | <time> |
| **Stale Count** | 0 / 3 |
| **Deferred Minor Gaps** | 1 |
| 
| ## Pending Questions
| 
| ID | Question | Gaps | Options | Status | Answer |
|----|----------|------|---------|--------|--------|
| C1.1 | How long, and for whom? | G-001, G-004 | 15 min; 1 h | applied | 15 minutes, all users |
| C1.2 | How many tries? | G-003 |  | applied | three |
| C1.3 | Which log? | G-005 |  | applied | the audit log |
| C2.1 | How many tries? | G-003 |  | awaiting_answer |  |
| 
| ## Gap Priority Queue
| 
| Priority | Gap ID | Question | Status | Resolution |
|----------|--------|----------|--------|------------|
| Critical | G-001 | Session timeout? | resolved | Answer to C1.1: 15 minutes, all users |
| Minor | G-002 | Colour? | deferred |  |
| Important | G-003 | How many tries? | clarifying | Pending C2.1 |
| Critical | G-004 | Which users? | resolved | Answer to C1.1: 15 minutes, all users |
| Important | G-005 | Which log? | resolved | Answer to C1.3: the audit log |
| 
| ## Gap Resolution History
| 
| Gap ID | Iteration | Action | Details | Timestamp |
|--------|-----------|--------|---------|-----------|
| G-001 | 1 | resolved | Answer to C1.1: 15 minutes, all users | <time> |
| G-003 | 1 | resolved | Answer to C1.2: three | <time> |
| G-004 | 1 | resolved | Answer to C1.1: 15 minutes, all users | <time> |
| G-005 | 1 | resolved | Answer to C1.3: the audit log | <time> |
| 
| ## Received Answers
| 
| Question | Answer | Received At | Applied |
|----------|--------|-------------|---------|
| C1.1 | 15 minutes, all users | <time> | yes |
| C1.2 | three | <time> | yes |
| C1.3 | the audit log | <time> | yes |

# A gap that is claimed to be resolved by hand is refused, and said.
$ sed -i '/G-003/s/clarifying/resolved/' specs/005-auth/.workflow/index.md; reprise resume 005-auth --yes --quiet
waiting: How many tries?
  reprise answer spec-loop/005-auth C2.1 TEXT
then: reprise resume spec-loop/005-auth
? 3
$ reprise events 005-auth | grep state_file_edited | tail -1 | sed 's/.*"refused"/refused/'
refused:["line 44: G-003 is claimed to be resolved, but no answer to it was applied"],"k…

# The end, and its reason.
$ reprise answer 005-auth C2.1 'five'; reprise resume 005-auth --yes --quiet; grep -e 'Loop Status' -e Iteration -e Reason specs/005-auth/.workflow/index.md
recorded: answer C2.1
| **Loop Status** | completed |
| **Current Iteration** | 3 / 10 |
| **Termination Reason** | success |
| Gap ID | Iteration | Action | Details | Timestamp |
$ COLUMNS=500 reprise plan 005-auth | head -3; reprise run spec-loop 005-auth
spec-loop/005-auth: done
info: line 8 says "branch 005-auth", but there is no such branch [branch_missing]
info: the loop is completed: success [ended]
reprise: spec-loop/005-auth has ended and is not overwritten (specs/005-auth/.workflow/index.md)
  try: reprise plan spec-loop/005-auth
  try: reprise resume spec-loop/005-auth
  try: reprise fresh spec-loop/005-auth
? 3

# SL11_TheLoopEndsAfterThreeStaleRounds: completed, with the reason; what is left is a known gap.
$ cp scripts/agent.sh scripts/same.sh; sed -i 's/^clarify\/1\/validate.*/clarify\/*\/validate) say "$(cat gaps)" ;;/' scripts/agent.sh; echo '{"gaps":[{"id":"G-001","priority":"Critical","text":"Why?"}]}' >gaps; sed -i "s/^validate) say .*/validate) say \"\$(cat gaps)\" ;;/" scripts/agent.sh
$ reprise run spec-loop 007-stale --quiet; for n in 1 2 3 4; do reprise answer 007-stale C$n.1 'because' --quiet && reprise resume 007-stale --quiet --yes; done
spec-loop/007-stale
waiting: Why?
  reprise answer spec-loop/007-stale C1.1 TEXT
then: reprise resume spec-loop/007-stale
waiting: Why?
  reprise answer spec-loop/007-stale C2.1 TEXT
then: reprise resume spec-loop/007-stale
waiting: Why?
  reprise answer spec-loop/007-stale C3.1 TEXT
then: reprise resume spec-loop/007-stale
reprise: run spec-loop/007-stale is done
  try: reprise inbox
? 2
$ grep -e 'Loop Status' -e Iteration -e Stale -e Reason -e G-001 specs/007-stale/.workflow/index.md
| **Loop Status** | completed |
| **Current Iteration** | 4 / 10 |
| **Stale Count** | 3 / 3 |
| **Termination Reason** | stale_accepted |
| C1.1 | Why? | G-001 |  | applied | because |
| C2.1 | Why? | G-001 |  | applied | because |
| C3.1 | Why? | G-001 |  | applied | because |
| C4.1 | Why? | G-001 |  | deferred |  |
| Critical | G-001 | Why? | known_gap | Pending C4.1 |
| Gap ID | Iteration | Action | Details | Timestamp |
| G-001 | 1 | resolved | Answer to C1.1: because | <time> |
| G-001 | 2 | resolved | Answer to C2.1: because | <time> |
| G-001 | 3 | resolved | Answer to C3.1: because | <time> |

# SL08_AFreshStartArchivesTheWholeFeature: it asks first, and undo brings it back.
$ reprise fresh spec-loop/007-stale
sets aside specs/007-stale
puts run spec-loop/007-stale away
nothing was changed. Do it: reprise fresh spec-loop/007-stale --yes
? 3
$ reprise fresh spec-loop/007-stale --yes; ls specs
sets aside specs/007-stale
puts run spec-loop/007-stale away
set aside; `reprise undo` brings it back
reprise run spec-loop 007-stale
005-auth
$ reprise undo --yes; ls specs/007-stale
brings back specs/007-stale, set aside <time> by tester@<host>
brought back; look at it: reprise plan spec-loop/007-stale
spec.md

# SL02_ThePromptShowsWhereTheLoopIs: a loop that another tool left is taken up where it stands.
$ mkdir -p specs/008-found/.workflow; echo '# Found' >specs/008-found/spec.md; cat >specs/008-found/.workflow/index.md <<'END'
> # Feature Index: 008-found
> ## Priority Loop State
> | Field | Value |
> |---|---|
> | **Loop Status** | clarifying |
> | **Current Iteration** | 2 / 10 |
> | **Last Activity** | 2099-01-15T10:30:00Z |
> | **Stale Count** | 0 / 3 |
> ## Pending Questions
> | ID | Question Summary | Gaps | Status |
> |---|---|---|---|
> | C2.1 | Session timeout | G-004 | awaiting_answer |
> ## Gap Priority Queue
> | Priority | Gap ID | Status | Resolution |
> |---|---|---|---|
> | Critical | G-001 | resolved | Applied in iteration 1 |
> | Important | G-004 | clarifying | Pending C2.1 |
> ## Gap Resolution History
> | Gap ID | Iteration | Action | Details |
> |---|---|---|---|
> | G-001 | 1 | resolved | Answer: "15 minute timeout" |
> END
$ reprise inbox
spec-loop/008-found  question C2.1: Session timeout
  reprise answer spec-loop/008-found C2.1 TEXT
$ reprise resume 008-found
Found interrupted workflow for '008-found'.
| 
| Field | Value |
|-------|-------|
| Status | clarifying |
| Iteration | 2 / 10 |
| Pending Clarifications | 1 |
| Last Activity | <time> |
| 
Resume, or start fresh: reprise fresh spec-loop/008-found
| 
spec-loop/008-found: waits for you, clean
info: its last activity is still to come: <time> [time_in_future]
waits for question C2.1: Session timeout
  keep     A1    the loop has gone past it
  keep     A2    the loop has gone past it
  keep     A3    the loop has gone past it
  keep     A4    the loop has gone past it
  keep     A5    the loop has gone past it
  wait     B1    its questions wait for a person
  run      B2    it comes after the point where the loop stopped
  run      B3    it comes after the point where the loop stopped
  run      B4    it comes after the point where the loop stopped
  run      B5    it comes after the point where the loop stopped
  run      C1    it comes after the point where the loop stopped
resume point: B1, iteration 2
saved: 5 step(s), <took> of work
  resume   reprise resume spec-loop/008-found
  answer   reprise answer spec-loop/008-found C2.1 TEXT
  fresh    reprise fresh spec-loop/008-found
| 
ask     C2.1: Session timeout
waiting: Session timeout
  reprise answer spec-loop/008-found C2.1 TEXT
then: reprise resume spec-loop/008-found
? 3
$ cat specs/008-found/.workflow/index.md
| # Feature Index: 008-found
| ## Priority Loop State
| Field | Value |
|---|---|
| **Loop Status** | clarifying |
| **Current Iteration** | 2 / 10 |
| **Last Activity** | <time> |
| **Stale Count** | 0 / 3 |
| ## Pending Questions
| ID | Question Summary | Gaps | Status |
|---|---|---|---|
| C2.1 | Session timeout | G-004 | awaiting_answer |
| ## Gap Priority Queue
| Priority | Gap ID | Status | Resolution |
|---|---|---|---|
| Critical | G-001 | resolved | Applied in iteration 1 |
| Important | G-004 | clarifying | Pending C2.1 |
| ## Gap Resolution History
| Gap ID | Iteration | Action | Details |
|---|---|---|---|
| G-001 | 1 | resolved | Answer: "15 minute timeout" |
| 
| ## Document Availability Matrix
| 
| Document | Status | Path | Last Modified |
|----------|--------|------|---------------|
| spec.md | present | specs/008-found/spec.md | <time> |
$ rm ran.txt; echo '{"gaps":[]}' >gaps; reprise answer 008-found C2.1 'an hour'; reprise resume 008-found --quiet --yes; cat ran.txt
recorded: answer C2.1
clarify/2/apply
clarify/2/validate
$ cat specs/008-found/.workflow/index.md
| # Feature Index: 008-found
| ## Priority Loop State
| Field | Value |
|---|---|
| **Loop Status** | completed |
| **Current Iteration** | 3 / 10 |
| **Last Activity** | <time> |
| **Stale Count** | 0 / 3 |
| **Termination Reason** | success |
| ## Pending Questions
| ID | Question Summary | Gaps | Status |
|---|---|---|---|
| C2.1 | Session timeout | G-004 | applied — an hour |
| ## Gap Priority Queue
| Priority | Gap ID | Status | Resolution |
|---|---|---|---|
| Critical | G-001 | resolved | Applied in iteration 1 |
| Important | G-004 | resolved | Answer to C2.1: an hour |
| ## Gap Resolution History
| Gap ID | Iteration | Action | Details |
|---|---|---|---|
| G-001 | 1 | resolved | Answer: "15 minute timeout" |
| G-004 | 2 | resolved | Answer to C2.1: an hour |
| 
| ## Document Availability Matrix
| 
| Document | Status | Path | Last Modified |
|----------|--------|------|---------------|
| spec.md | present | specs/008-found/spec.md | <time> |
| 
| ## Received Answers
| 
| Question | Answer | Received At | Applied |
|----------|--------|-------------|---------|
| C2.1 | an hour | <time> | yes |
