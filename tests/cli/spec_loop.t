# SL01_: a loop that broke off is found by its description; SL03_: its plan says in which phase it goes on.
$ mkdir -p specs/005-user-auth/.workflow && echo '# Spec' >specs/005-user-auth/spec.md
$ cat >index.sh <<'END'
> # index.sh STATUS ITERATION QUESTION_STATUS GAP_STATUS: writes the index of 005-user-auth
> { printf '# Feature Index: 005-user-auth\n\n## Feature Metadata\n\n| Field | Value |\n|---|---|\n'
>   printf '| ID | 005-user-auth |\n| Original Description | Let users sign in |\n'
>   printf '\n## Priority Loop State\n\n| Field | Value |\n|---|---|\n| **Loop Status** | %s |\n' "$1"
>   printf '| **Current Iteration** | %s |\n| **Last Activity** | %s |\n| **Stale Count** | 0 / 3 |\n' "$2" "$(date -u +%FT%TZ)"
>   printf '\n## Pending Questions\n\n| ID | Question Summary | Gaps | Status |\n|---|---|---|---|\n'
>   printf '| C2.1 | How long may a session last? | G-004 | %s |\n' "$3"
>   printf '\n## Gap Priority Queue\n\n| Priority | Gap ID | Status | Resolution |\n|---|---|---|---|\n'
>   printf '| Critical | G-001 | resolved | In iteration 1 |\n| Important | G-004 | %s | Pending C2.1 |\n' "$4"
> } >specs/005-user-auth/.workflow/index.md
> END
$ sh index.sh clarifying '2 / 10' awaiting_answer clarifying
$ reprise scan --about 'users sign in'
spec-loop/005-user-auth  waiting at B1, iteration 2 of 10
  its questions wait for a person
  specs/005-user-auth/.workflow/index.md
  reprise plan spec-loop/005-user-auth
$ reprise scan --about 'export reports'
no interrupted work was found here
$ reprise plan spec-loop/005-user-auth
spec-loop/005-user-auth: waits for you, clean
waits for question C2.1: How long may a session last?
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
  resume   reprise resume spec-loop/005-user-auth
  answer   reprise answer spec-loop/005-user-auth C2.1 TEXT
  fresh    reprise fresh spec-loop/005-user-auth
$ reprise why 005-user-auth B1
B1: wait
  reason    its questions wait for a person
  rule      SL-03 clarifying
  evidence  file specs/005-user-auth/.workflow/index.md: line 14: loop status clarifying, iteration 2
$ sh index.sh validating '1 / 10' answered resolved; COLUMNS=500 reprise why 005-user-auth | head -3
B3: rerun
  reason    a validation after answers was cut off
  rule      SL-03 validating again
$ sh index.sh spec_writing '1 / 10' answered resolved; COLUMNS=500 reprise why 005-user-auth A2 | head -3
A2: rerun
  reason    writing the spec was cut off; doing it again is harmless
  rule      SL-03 spec writing
$ sh index.sh completed '2 / 10' answered resolved; reprise scan; COLUMNS=500 reprise plan 005-user-auth | head -1
no interrupted work was found here
spec-loop/005-user-auth: done
$ sh index.sh pondering '2 / 10' answered resolved; COLUMNS=500 reprise plan 005-user-auth | head -3
spec-loop/005-user-auth: blocked, 1 conflict
blocking: line 14: the loop status is not one that is known; allowed: not_started, scaffolding, spec_writing, validating, clarifying, completed or terminated [integrity]
info: line 14: "pondering": not one of the loop's status words [not_understood]

# SL09_, SL10_: what does not hold together blocks, with its line; a repair shows its diff first.
$ sh index.sh clarifying '2 / 10' awaiting_answer pending; COLUMNS=500 reprise plan 005-user-auth | head -3
spec-loop/005-user-auth: blocked, 1 conflict
blocking: line 30: gap G-004 is asked about in C2.1; allowed: clarifying [integrity]
    reprise repair spec-loop/005-user-auth
$ reprise repair 005-user-auth
line 30: gap G-004 becomes clarifying: question C2.1 is open
--- a/specs/005-user-auth/.workflow/index.md
+++ b/specs/005-user-auth/.workflow/index.md
@@ -27,4 +27,4 @@
 | Priority | Gap ID | Status | Resolution |
 |---|---|---|---|
 | Critical | G-001 | resolved | In iteration 1 |
-| Important | G-004 | pending | Pending C2.1 |
+| Important | G-004 | clarifying | Pending C2.1 |
nothing was changed. Change it so: reprise repair spec-loop/005-user-auth --yes
? 3
$ reprise repair 005-user-auth --yes >/dev/null 2>&1; COLUMNS=500 reprise plan 005-user-auth | head -1; reprise repair 005-user-auth
spec-loop/005-user-auth: waits for you, clean
nothing is wrong in specs/005-user-auth/.workflow/index.md
$ cp specs/005-user-auth/.workflow/index.md repaired; reprise undo --yes; cmp specs/005-user-auth/.workflow/index.md repaired
brings back specs/005-user-auth/.workflow/index.md, set aside <time> by tester@<host>
brought back; look at it: reprise plan spec-loop/005-user-auth
specs/005-user-auth/.workflow/index.md repaired differ: byte 650, line 30
? 1
$ reprise undo --yes; cmp specs/005-user-auth/.workflow/index.md repaired
sets aside again specs/005-user-auth/.workflow/index.md, brought back <time> by tester@<host>
set aside again; `reprise undo` brings it back
$ sh index.sh clarifying two awaiting_answer clarifying; COLUMNS=500 reprise plan 005-user-auth | head -2
spec-loop/005-user-auth: blocked, 1 conflict
blocking: line 15: the current iteration is not a number; allowed: 1 to 10 (0 while not started) [integrity]

# OR11_PreflightOfASpecLoopComparesItsFiles
$ sh index.sh clarifying 2 awaiting_answer clarifying; reprise resume 005-user-auth --mode preflight 2>&1 | sed -n '/^===/,$p'
=== Pre-flight: spec-loop/005-user-auth ===
| 
Interrupted: <took> ago (fresh)
State source: specs/005-user-auth/.workflow/index.md
Validation: clean
| 
Files: 1 same, 1 new
  same specs/005-user-auth/.workflow/index.md
      state; now sha256:<commit>, 672 bytes, <time>
  new specs/005-user-auth/spec.md
      spec; now sha256:<commit>, 7 bytes, <time>
| 
Statuses: 0 compared, 0 do not agree
| 
Dependencies: 0 followed, 0 broken
| 
The plan from here to the end: 6 steps
  6. wait B1: its questions wait for a person
  7. run B2: it comes after the point where the loop stopped
  8. run B3: it comes after the point where the loop stopped
  9. run B4: it comes after the point where the loop stopped
  10. run B5: it comes after the point where the loop stopped
  11. run C1: it comes after the point where the loop stopped
| 
Waits for a person:
  - question C2.1: How long may a session last?
| 
Risks: 1
  - it stops until a person decides, question C2.1: How long may a session last?
| 
Saved: 5 steps
| 
this needs a confirmation: reprise resume spec-loop/005-user-auth --mode preflight --yes
