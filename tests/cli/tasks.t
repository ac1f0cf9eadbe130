# TP01_ATaskListIsMadeLookedAtAndChanged: ids are printed, edges are kept on both sides.
$ reprise task list
no task list belongs to this project; see all of them: reprise task list --all
$ reprise task create --subject 'Draw the chart'
reprise: no task list belongs to this project; name one with --list, a new one if need be
  try: reprise task list --all
? 2
$ reprise task create --list harbour --subject '[PERMANENT] Tides' --metadata tier=STANDARD --metadata current_phase=P2 --metadata resume_count=0
1
$ git config user.name Tester; git config user.email tester@example.org; git checkout -q -b feature/tides; git commit -q --allow-empty -m begin
$ reprise task update 1 --list harbour --metadata branch=feature/tides
$ reprise task create --subject 'Look for sources' --metadata phase=P2 --owner ana --description 'Where heights are published.'
2
$ reprise task create --subject 'Draw the chart' --metadata phase=P6 --blocked-by 2 --metadata 'files=["src/chart.cc"]'
3
$ reprise task list
harbour  (its permanent task names the branch feature/tides)
  1    pending      -         P2  [PERMANENT] Tides
  2    pending      ana       P2  Look for sources
  3    pending      -         P6  Draw the chart  (waits for 2)
$ cat ~/.claude/tasks/harbour/3.json
{
  "id": "3",
  "subject": "Draw the chart",
  "description": "",
  "activeForm": "Draw the chart",
  "status": "pending",
  "blocks": [],
  "blockedBy": [
    "2"
  ],
  "metadata": {
    "phase": "P6",
    "files": [
      "src/chart.cc"
    ]
  }
}
$ cat ~/.claude/tasks/harbour/2.json; echo; ls -A ~/.claude/tasks/harbour; cat ~/.claude/tasks/harbour/.highwatermark
{
  "id": "2",
  "subject": "Look for sources",
  "description": "Where heights are published.",
  "activeForm": "Look for sources",
  "status": "pending",
  "blocks": [
    "3"
  ],
  "blockedBy": [],
  "owner": "ana",
  "metadata": {
    "phase": "P2"
  }
}
.highwatermark
.lock
1.json
2.json
3.json
3

# TP01_OnlyWhatIsAskedForChanges: everything in a task is shown, unknown keys too.
$ printf '{"id":"2","subject":"Look for sources","extra":[1,2],"status":"in_progress","blocks":["3"],"blockedBy":[],"metadata":{"phase":"P2"}}' >~/.claude/tasks/harbour/2.json
$ reprise task update 2 --status completed --owner bo --metadata note= --metadata phase=null --metadata n=3
$ reprise task get 2
{"id":"2","subject":"Look for sources","extra":[1,2],"status":"completed","blocks":["3"],"blockedBy":[],"metadata":{"note":"","n":3},"owner":"bo"}
$ reprise task get 2 --json
{"id":"2","subject":"Look for sources","extra":[1,2],"status":"completed","blocks":["3"],"blockedBy":[],"metadata":{"note":"","n":3},"owner":"bo"}
$ reprise task update 2 --status failed; reprise task get 2; reprise task list
{"id":"2","subject":"Look for sources","extra":[1,2],"status":"pending","blocks":["3"],"blockedBy":[],"metadata":{"note":"","n":3,"error":"failed"},"owner":"bo"}
harbour  (its permanent task names the branch feature/tides)
  1    pending      -         P2  [PERMANENT] Tides
  2    failed       bo        -   Look for sources
  3    pending      -         P6  Draw the chart  (waits for 2)
$ reprise task update 2 --status completed; reprise task list --json | sed 's|"[^"]*/.claude|"~/.claude|'
{"lists":[{"id":"harbour","folder":"~/.claude/tasks/harbour","belongs":true,"why":"its permanent task names the branch feature/tides","permanent":"1","tasks":[{"id":"1","subject":"[PERMANENT] Tides","status":"pending","status_word":"pending","owner":"","phase":"P2","blocks":[],"blockedBy":[],"open_blockers":[],"permanent":true,"internal":false,"metadata":{"branch":"feature/tides","current_phase":"P2","resume_count":"0","tier":"STANDARD"}},{"id":"2","subject":"Look for sources","status":"completed","status_word":"completed","owner":"bo","phase":"","blocks":["3"],"blockedBy":[],"open_blockers":[],"permanent":false,"internal":false,"metadata":{"n":"3","note":""}},{"id":"3","subject":"Draw the chart","status":"pending","status_word":"pending","owner":"","phase":"P6","blocks":[],"blockedBy":["2"],"open_blockers":[],"permanent":false,"internal":false,"metadata":{"files":"[\"src/chart.cc\"]","phase":"P6"}}],"oddities":[]}]}

# TP01_AChainOfTasksThatWaitForOneAnotherIsRefused
$ reprise task update 2 --add-blocked-by 2
reprise: task "2" cannot wait for itself
  try: reprise task list
? 2
$ reprise task update 2 --add-blocked-by 3
reprise: tasks would wait for one another: 3 blocks 2 blocks 3
  try: reprise task list
? 2
$ reprise task create --subject x --blocked-by 9
reprise: there is no task "9" in the list "harbour"
  try: reprise task list
? 2
$ reprise task update 9 --owner x
reprise: there is no task "9" in the list "harbour"
  try: reprise task list
? 2
$ reprise task update 2 --metadata nothing
reprise: --metadata wants KEY=VALUE, not "nothing"
  try: reprise task update --help
? 2
$ reprise task update 2 --status done
reprise: --status cannot be "done"; allowed: pending, in_progress, completed, failed, deleted
  try: reprise task update --help
? 2
$ reprise task create --subject ' '
reprise: task create needs --subject
  try: reprise task list
? 2

# TP01_ARemovedTaskIsMentionedNoMore: its id is not given again; a permanent task stays.
$ reprise task update 3 --status deleted; reprise task get 2; reprise task get 3
{"id":"2","subject":"Look for sources","extra":[1,2],"status":"completed","blocks":[],"blockedBy":[],"metadata":{"note":"","n":3},"owner":"bo"}
reprise: there is no task "3" in the list "harbour"
  try: reprise task list
? 2
$ reprise task update 1 --status deleted
reprise: task "1" is permanent and is not removed; one too many is completed
  try: reprise task update 1 --list harbour --status completed --metadata reason=duplicate
? 2
$ reprise task create --subject 'Draw it again'
4

# TP01_ListsAreFoundByIdEnvironmentAndContent: a team's name becomes a folder's; other lists only with --all.
$ CLAUDE_CODE_TASK_LIST_ID='my team' reprise task create --subject 'Of the team'; ls ~/.claude/tasks
1
harbour
my-team
$ reprise task list --all
harbour  (its permanent task names the branch feature/tides)
  1    pending      -         P2  [PERMANENT] Tides
  2    completed    bo        -   Look for sources
  4    pending      -         -   Draw it again
my-team  (it has no permanent task)
  1    pending      -         -   Of the team
$ CLAUDE_CODE_TASK_LIST_ID='my team' reprise task get 1
{
  "id": "1",
  "subject": "Of the team",
  "description": "",
  "activeForm": "Of the team",
  "status": "pending",
  "blocks": [],
  "blockedBy": []
}
$ reprise task create --list other --subject '[PERMANENT] Nets' --metadata branch=feature/tides
1
$ reprise task create --subject x
reprise: several task lists belong to this project; name one with --list: harbour, other
  try: reprise task list
? 2
$ REPRISE_RUN=x reprise task update 1 --list other --owner worker; reprise task list --list other
other  (it was named)
  1    pending      worker    -   [PERMANENT] Nets
$ mkdir config; CLAUDE_CONFIG_DIR=$PWD/config reprise task create --list l --subject x; ls config/tasks/l; reprise task list --list l
1
1.json
reprise: there is no task list "l"
  try: reprise task list --help
? 2

# TP01_WhatIsDamagedStaysKnown: with file and line; nothing is changed in it.
$ printf '{\n  "id": "7",\n  "subject": "Cut' >~/.claude/tasks/other/7.json; printf '{"id": 8, "subject": "Eight", "status": "done", "blockedBy": [7, 5]}' >~/.claude/tasks/other/8.json
$ reprise task list --list other
other  (it was named)
  1    pending      worker    -   [PERMANENT] Nets
  7    damaged      -         -   (its file cannot be read)
  8    done         -         -   Eight  (waits for 7)
  ! 7.json:3: cannot be read: it ends in the middle of a value; it was probably not written to its end (column 18)
  ! 8.json:1: the id is written as a number; it should be text, else the tool that made the list does not show it
  ! 8.json:1: the id 7 in blockedBy is written as a number
  ! 8.json:1: the id 5 in blockedBy is written as a number
  ! 8.json:1: "done" is no known status
$ reprise task get 7 --list other 2>/dev/null
? 6
$ reprise task get 7 --list other 2>&1 | sed 's|/.*/other|<other>|'
reprise: <other>/7.json:3: it ends in the middle of a value; it was probably not written to its end
  try: ${EDITOR:-vi} <other>/7.json
$ reprise task update 7 --list other --owner x 2>&1 | sed 's|/.*/other|<other>|'
reprise: <other>/7.json:3: it ends in the middle of a value; it was probably not written to its end
  try: ${EDITOR:-vi} <other>/7.json
$ cat ~/.claude/tasks/other/7.json
{
  "id": "7",
  "subject": "Cut
