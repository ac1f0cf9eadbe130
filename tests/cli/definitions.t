# What is wrong with a definition is reported all at once, with file, line and column.
$ mkdir -p .reprise/workflows && cat >.reprise/workflows/broken.yaml <<END
> name: broken
> stages:
>   build:
>     run: make
>     retrys: 2
>   tests:
>     needs: [biuld]
>     run: make check
>   ship: {}
> END
$ reprise workflow check broken
.reprise/workflows/broken.yaml:5:5: unknown key: "retrys" (did you mean "retries"?)
.reprise/workflows/broken.yaml:7:13: "tests" needs a stage that is not in its block: "biuld" (did you mean "build"?); allowed: build, tests, ship
.reprise/workflows/broken.yaml:9:3: the stage "ship" does not say what to do; allowed: exactly one of run, role, gate, stages, uses
  try: ${EDITOR:-vi} .reprise/workflows/broken.yaml
? 2
$ reprise workflow check broken --json
{"problems":[{"file":".reprise/workflows/broken.yaml","line":5,"column":5,"message":"unknown key: \"retrys\" (did you mean \"retries\"?)","allowed":""},{"file":".reprise/workflows/broken.yaml","line":7,"column":13,"message":"\"tests\" needs a stage that is not in its block: \"biuld\" (did you mean \"build\"?)","allowed":"build, tests, ship"},{"file":".reprise/workflows/broken.yaml","line":9,"column":3,"message":"the stage \"ship\" does not say what to do","allowed":"exactly one of run, role, gate, stages, uses"}]}
  try: ${EDITOR:-vi} .reprise/workflows/broken.yaml
? 2
$ reprise run broken
reprise: .reprise/workflows/broken.yaml:5:5: unknown key: "retrys" (did you mean "retries"?)
.reprise/workflows/broken.yaml:7:13: "tests" needs a stage that is not in its block: "biuld" (did you mean "build"?); allowed: build, tests, ship
.reprise/workflows/broken.yaml:9:3: the stage "ship" does not say what to do; allowed: exactly one of run, role, gate, stages, uses
  try: reprise workflow list
? 2
$ reprise run broken --json
{"error":{"kind":"invalid","message":".reprise/workflows/broken.yaml:5:5: unknown key: \"retrys\" (did you mean \"retries\"?)\n.reprise/workflows/broken.yaml:7:13: \"tests\" needs a stage that is not in its block: \"biuld\" (did you mean \"build\"?); allowed: build, tests, ship\n.reprise/workflows/broken.yaml:9:3: the stage \"ship\" does not say what to do; allowed: exactly one of run, role, gate, stages, uses","file":".reprise/workflows/broken.yaml","line":5,"column":5,"hints":["reprise workflow list"]}}
reprise: .reprise/workflows/broken.yaml:5:5: unknown key: "retrys" (did you mean "retries"?)
.reprise/workflows/broken.yaml:7:13: "tests" needs a stage that is not in its block: "biuld" (did you mean "build"?); allowed: build, tests, ship
.reprise/workflows/broken.yaml:9:3: the stage "ship" does not say what to do; allowed: exactly one of run, role, gate, stages, uses
  try: reprise workflow list
? 2
$ cat >.reprise/workflows/circle.yaml <<END
> name: circle
> stages:
>   a: {needs: c, run: [true]}
>   b: {needs: a, run: [true]}
>   c: {needs: b, run: [true]}
> END
$ reprise workflow check circle
.reprise/workflows/circle.yaml:3:3: stages need one another in a circle: a -> c -> b -> a
  try: ${EDITOR:-vi} .reprise/workflows/circle.yaml
? 2
$ printf 'stages: {a: {run: [true], run: [false]}}\n' >.reprise/workflows/twice.yaml
$ reprise workflow check twice
.reprise/workflows/twice.yaml:1:27: the key "run" comes twice
  try: ${EDITOR:-vi} .reprise/workflows/twice.yaml
? 2
$ printf 'stages:\n  a: {run: [true\n' >.reprise/workflows/torn.yaml
$ reprise workflow check torn
.reprise/workflows/torn.yaml:3:1: not YAML: end of sequence flow not found
  try: ${EDITOR:-vi} .reprise/workflows/torn.yaml
? 2
$ printf 'stages:\n  a: {run: [true], lane: {base: main}}\n' >.reprise/workflows/lanes.yaml
$ reprise workflow check lanes
sound
$ printf 'name: good\ndescription: Does nothing.\nstages: {a: {run: ["true"]}}\n' >.reprise/workflows/good.yaml
$ reprise workflow check good
sound
$ reprise workflow check .reprise/workflows/good.yaml
sound
$ reprise workflow check nonesuch
reprise: there is no workflow "nonesuch"
  try: reprise workflow list
? 2
$ reprise workflow list
broken  .reprise/workflows/broken.yaml
  .reprise/workflows/broken.yaml:5:5: unknown key: "retrys" (did you mean "retries"?)
  .reprise/workflows/broken.yaml:7:13: "tests" needs a stage that is not in its block: "biuld" (did you mean "build"?); allowed: build, tests, ship
  .reprise/workflows/broken.yaml:9:3: the stage "ship" does not say what to do; allowed: exactly one of run, role, gate, stages, uses
circle  .reprise/workflows/circle.yaml
  .reprise/workflows/circle.yaml:3:3: stages need one another in a circle: a -> c -> b -> a
good  .reprise/workflows/good.yaml  Does nothing.
lanes  .reprise/workflows/lanes.yaml
torn  .reprise/workflows/torn.yaml
  .reprise/workflows/torn.yaml:3:1: not YAML: end of sequence flow not found
twice  .reprise/workflows/twice.yaml
  .reprise/workflows/twice.yaml:1:27: the key "run" comes twice
playbook  (built in)  A feature from its spec to reviewed code, by stages, with checkpoints for a person.
qa-loop  (built in)  Review and fix a story until the review approves it, five times at most.
spec-loop  (built in)  A spec that is written, validated and clarified with a person until nothing that matters is open.
spec-pipeline  (built in)  From requirements to a spec that its critique approves.
story-cycle  (built in)  A story from its draft to reviewed code; NO-GO and FAIL send it back.
task-pipeline  (built in)  Work in phases P0 to P8 with a list of tasks; TRIVIAL, STANDARD or COMPLEX.
epic  (built in)  The stories of an epic's execution plan, wave by wave, with a gate after each.
$ reprise workflow show good
{"name":"good","description":"Does nothing.","source":".reprise/workflows/good.yaml","stages":[{"name":"a","run":{"argv":["true"]}}]}
$ reprise workflow schema | head -c 60
{"$schema":"http://json-schema.org/draft-07/schema#","title"
$ reprise doctor
ok  project: <project>
ok  store: <project>/.git/reprise
ok  journal: none yet: nothing has run here
ok  config: .reprise/config.yaml can be read, or is not there
bad  broken: .reprise/workflows/broken.yaml:5:5: unknown key: "retrys" (did you mean "retries"?)
    .reprise/workflows/broken.yaml:7:13: "tests" needs a stage that is not in its block: "biuld" (did you mean "build"?); allowed: build, tests, ship
    .reprise/workflows/broken.yaml:9:3: the stage "ship" does not say what to do; allowed: exactly one of run, role, gate, stages, uses
    reprise workflow check broken
bad  circle: .reprise/workflows/circle.yaml:3:3: stages need one another in a circle: a -> c -> b -> a
    reprise workflow check circle
ok  good: is sound
ok  lanes: is sound
bad  torn: .reprise/workflows/torn.yaml:3:1: not YAML: end of sequence flow not found
    reprise workflow check torn
bad  twice: .reprise/workflows/twice.yaml:1:27: the key "run" comes twice
    reprise workflow check twice
? 1
$ printf 'workers: [1]\n' >.reprise/config.yaml
$ reprise run good
reprise: .reprise/config.yaml:1:10: wrong value for "workers": a list; allowed: a map with default, roles
  try: ${EDITOR:-vi} .reprise/config.yaml
? 2
