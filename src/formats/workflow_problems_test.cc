// What the workflow format refuses, where, and in which words.

#include <gtest/gtest.h>

#include "formats/loading_for_tests.h"
#include "model/limits.h"

namespace reprise {
namespace {

struct BadCase {
  std::string bytes;
  std::string wanted;  // the beginning of the first problem
};

void expect_first_problems(const std::vector<BadCase>& cases, std::size_t count) {
  std::size_t rounds = 0;
  for (const BadCase& bad : cases) {
    const std::string problems = problems_of(bad.bytes);
    EXPECT_TRUE(problems.starts_with(bad.wanted))
        << bad.bytes << "\n got: " << problems << "\nwant: " << bad.wanted;
    ++rounds;
  }
  EXPECT_EQ(rounds, count);
}

TEST(WorkflowProblems, P13_BrokenFilesNameThePlace) {
  expect_first_problems(
      {
          {"", "w.yaml:1:1: the workflow is empty; allowed: name, description, limits"},
          {"just text", "w.yaml:1:1: a workflow is a map"},
          {"[a]", "w.yaml:1:1: a workflow is a map"},
          {"stages:\n\ta: {run: x}\n", "w.yaml:2:"},
          {"stages: {a: {run: [x}}", "w.yaml:1:"},
          {"stages: {a: {run: x}}\nstages: {b: {run: x}}", "w.yaml:2:1: the key \"stages\" comes twice"},
          {"stages: {a: {run: x}, a: {run: y}}", "w.yaml:1:23: the key \"a\" comes twice"},
          {"stages: &s {a: {run: x}}", "w.yaml:1:9: anchors"},
          {"name: x", "w.yaml:1:1: a key is missing: \"stages\"; allowed: a map from names to stages"},
          {"stages: {}", "w.yaml:1:1: a workflow without a stage"},
          {"stages:", "w.yaml:1:1: wrong value for \"stages\": nothing"},
          {"stages: [a]", "w.yaml:1:9: wrong value for \"stages\": a list; allowed: a map from names to stages"},
          {std::string(9u << 20, '#'), "w.yaml:1:1: larger than"},
          {std::string(70, '['), "w.yaml:1:"},
      },
      14);
}

TEST(WorkflowProblems, UnknownKeysAreExplained) {
  expect_first_problems(
      {
          {"stage: {a: {run: x}}", "w.yaml:1:1: unknown key: \"stage\" (did you mean \"stages\"?)"},
          {"stages:\n  a: {rnu: x}",
           "w.yaml:2:3: the stage \"a\" does not say what to do; allowed: exactly one of"},
          {"stages: {a: {run: x, timout: 5s}}",
           "w.yaml:1:22: unknown key: \"timout\" (did you mean \"timeout\"?)"},
          {"limits: {paralel: 5}\nstages: {a: {run: x}}", "w.yaml:1:10: unknown key: \"paralel\""},
          {"stages: {a: {run: x, produces: [{path: p, complete: {headings: x}}]}}",
           "w.yaml:1:54: unknown key: \"headings\""},
          {"inputs: {a: {defualt: x}}\nstages: {a: {run: x}}", "w.yaml:1:14: unknown key: \"defualt\""},
          {"stages: {a: {gate: {ask: x, show: [y]}}}",
           "w.yaml:1:29: unknown key: \"show\" (did you mean \"shows\"?)"},
          {"stages: {a: {run: x, each: {on: [y]}}}", "w.yaml:1:22: each needs in, or tasks"},
      },
      8);
}

TEST(WorkflowProblems, WrongValuesNameTextAndAlternatives) {
  expect_first_problems(
      {
          {"stages: {a: {run: x, retries: two}}",
           "w.yaml:1:31: wrong value for \"retries\": \"two\"; allowed: a whole number from 0 to 100"},
          {"stages: {a: {run: x, retries: 101}}", "w.yaml:1:31: wrong value for \"retries\": \"101\""},
          {"stages: {a: {run: x, retries: -1}}", "w.yaml:1:31: wrong value"},
          {"stages: {a: {run: x, timeout: 5 min}}",
           "w.yaml:1:31: wrong value for \"timeout\": \"5 min\"; allowed: a time such as 90s"},
          {"stages: {a: {run: x, resume: again}}",
           "w.yaml:1:30: wrong value for \"resume\": \"again\"; allowed: restart, continue, report"},
          {"stages: {a: {run: []}}", "w.yaml:1:19: wrong value for \"run\": a list"},
          {"stages: {a: {run: ''}}", "w.yaml:1:19: wrong value for \"run\": \"\""},
          {"stages: {a: {run: {x: y}}}", "w.yaml:1:19: wrong value for \"run\": a map"},
          {"stages: {a: run}", "w.yaml:1:13: the stage \"a\" is not a map"},
          {"stages: {a: {run: x, needs: {b: c}}}", "w.yaml:1:29: wrong value for \"needs\": a map"},
          {"stages: {a: {run: x, each: {in: []}}}", "w.yaml:1:33: wrong value for \"in\": a list"},
          {"stages: {a: {run: x, each: {in: b}}}",
           "w.yaml:1:33: wrong value for \"in\": \"b\"; allowed: a list of texts"},
          {"stages: {a: {run: x, each: {in: [b, b]}}}", "w.yaml:1:37: an item comes twice: \"b\""},
          {"stages: {a: {run: x, produces: [{path: p, complete: {not_empty: false}}]}}",
           "w.yaml:1:65: wrong value for \"not_empty\": \"false\""},
          {"stages: {a: {run: x, produces: [{path: p, complete: {matches: '('}}]}}",
           "w.yaml:1:63: not a regular expression"},
          {"stages: {a: {run: x, produces: [{complete: {heading: x}}]}}",
           "w.yaml:1:33: a key is missing: \"path\""},
          {"stages: {a: {run: x, repeat: {max: 3}}}", "w.yaml:1:22: a key is missing: \"until\""},
          {"stages: {a: {run: x, repeat: {until: {verdict: p}, max: 2, stalled_max: 3}}}",
           "w.yaml:1:73: stalled_max is larger than max: 3; allowed: 1 to 2"},
          {"stages: {a: {run: x, repeat: {until: {verdict: p}, max: 1001}}}",
           "w.yaml:1:57: wrong value for \"max\""},
          {"limits: {parallel: 0}\nstages: {a: {run: x}}",
           "w.yaml:1:20: wrong value for \"parallel\": \"0\"; allowed: a whole number from 1 to 1024"},
          {"limits: {cost_usd: -1}\nstages: {a: {run: x}}", "w.yaml:1:20: wrong value for \"cost_usd\""},
          {"stages: {a: {run: x, when: {b: {is: c}}}}", "w.yaml:1:32: wrong condition on \"b\""},
          {"inputs: {i: }\nstages: {a: {run: x, when: {i: []}}}", "w.yaml:2:32: wrong condition on \"i\""},
          {"stages: {a: {run: x, env: [LD_PRELOAD]}}",
           "w.yaml:1:28: a variable that is never passed on: \"LD_PRELOAD\""},
          {"stages: {a: {run: x, env: ['A=b']}}", "w.yaml:1:28: not the name of an environment variable: \"A=b\""},
      },
      25);
}

TEST(WorkflowProblems, NamesAreChecked) {
  expect_first_problems(
      {
          {"name: a b\nstages: {a: {run: x}}", "w.yaml:1:7: wrong value for \"name\": \"a b\""},
          {"stages: {a/b: {run: x}}", "w.yaml:1:10: not a name for a stage: \"a/b\""},
          {"stages: {'..': {run: x}}", "w.yaml:1:10: not a name for a stage"},
          {"stages: {-a: {run: x}}", "w.yaml:1:10: not a name for a stage"},
          {"inputs: {a-b: x}\nstages: {a: {run: x}}", "w.yaml:1:10: not a name for a value: \"a-b\""},
          {"inputs: {PATH: x}\nstages: {a: {run: x}}", "w.yaml:1:10: a reserved name: \"PATH\""},
          {"inputs: {LD_PRELOAD: x}\nstages: {a: {run: x}}", "w.yaml:1:10: a reserved name"},
          {"inputs: {GIT_DIR: x}\nstages: {a: {run: x}}", "w.yaml:1:10: a reserved name"},
          {"inputs: {subject: x}\nstages: {a: {run: x}}", "w.yaml:1:10: a reserved name"},
          {"stages: {a: {run: x, each: {in: [b], as: IFS}}}", "w.yaml:1:42: a reserved name"},
          {"inputs: {p: }\nstages: {a: {run: x, each: {in: [b], as: p}}}",
           "w.yaml:2:42: another value already has this name: \"p\""},
          {"stages: {a: {each: {in: [b, c]}, stages: {i: {run: x, each: {in: [d]}}}}}",
           "w.yaml:1:55: another value already has this name: \"item\""},
      },
      12);
}

TEST(WorkflowProblems, OrderIsChecked) {
  expect_first_problems(
      {
          {"stages: {build: {run: x}, test: {run: x, needs: [buld]}}",
           "w.yaml:1:50: \"test\" needs a stage that is not in its block: \"buld\" (did you mean \"build\"?); "
           "allowed: build, test"},
          {"stages: {a: {run: x, needs: b}, b: {run: x, needs: a}}",
           "w.yaml:1:10: stages need one another in a circle: a -> b -> a"},
          {"stages: {a: {run: x, needs: a}}", "w.yaml:1:10: stages need one another in a circle: a -> a"},
          {"stages: {a: {stages: {i: {run: x}}}, b: {run: x, needs: i}}",
           "w.yaml:1:57: \"b\" needs a stage that is not in its block: \"i\""},
          {"stages: {a: {role: r}, b: {run: x, when: {a: pass}}}",
           "w.yaml:1:43: \"b\" asks for the verdict of a stage that it does not need: \"a\"; allowed: needs: [a]"},
          {"stages: {a: {run: x, when: {a: pass}}}", "w.yaml:1:29: \"a\" asks for the verdict"},
          {"inputs: {size: }\nstages: {a: {run: x, when: {siz: s}}}",
           "w.yaml:2:29: neither a value nor a stage of this block: \"siz\" (did you mean \"size\"?)"},
          {"inputs: {b: }\nstages: {b: {role: r}, a: {run: x, needs: b, when: {b: s}}}",
           "w.yaml:2:53: both a value and a stage have this name: \"b\""},
      },
      8);
}

TEST(WorkflowProblems, AStageIsExactlyOneThing) {
  expect_first_problems(
      {
          {"stages: {a: {run: x, role: y}}",
           "w.yaml:1:22: \"role\" in a run stage; allowed: exactly one of run, role, gate, stages, uses"},
          {"stages: {a: {gate: x, stages: {b: {run: x}}}}", "w.yaml:1:23: \"stages\" in a gate"},
          {"stages: {a: {needs: []}}", "w.yaml:1:10: the stage \"a\" does not say what to do"},
          {"stages: {a: {gate: x, retries: 2}}", "w.yaml:1:23: \"retries\" has no meaning in a gate; allowed: "},
          {"stages: {a: {stages: {b: {run: x}}, timeout: 5s}}",
           "w.yaml:1:37: \"timeout\" has no meaning in a block of stages"},
          {"stages: {a: {run: x, with: {b: c}}}", "w.yaml:1:22: \"with\" has no meaning in a run stage"},
          {"stages: {a: {stages: {}}}", "w.yaml:1:14: a block without a stage"},
      },
      7);
}

TEST(WorkflowProblems, ValuesAndPathsAreChecked) {
  expect_first_problems(
      {
          {"inputs: {target: }\nstages: {a: {run: [x, '{targt}']}}",
           "w.yaml:2:23: no value has this name: \"{targt}\" (did you mean \"target\"?); allowed: target, "
           "subject, run"},
          {"stages: {a: {run: [x, '{iteration}']}}", "w.yaml:1:23: no value has this name: \"{iteration}\""},
          {"stages: {a: {run: x, produces: ['{no}.md']}}", "w.yaml:1:33: no value has this name"},
          {"stages: {a: {run: x, verify: [y, '{no}']}}", "w.yaml:1:34: no value has this name"},
          {"stages: {a: {run: x, each: {in: '{no}'}}}", "w.yaml:1:33: no value has this name"},
          {"stages: {a: {run: x, produces: [/etc/passwd]}}",
           "w.yaml:1:33: not a path within the project: \"/etc/passwd\""},
          {"stages: {a: {run: x, produces: [a/../../b]}}", "w.yaml:1:33: not a path within the project"},
          {"stages: {a: {run: x, inputs: ../x}}", "w.yaml:1:30: not a path within the project"},
          {"stages: {a: {gate: {ask: x, shows: [/x]}}}", "w.yaml:1:37: not a path within the project"},
          {"baseline: [../x]\nstages: {a: {run: x}}", "w.yaml:1:12: not a path within the project"},
      },
      10);
}

TEST(WorkflowProblems, R27_TwoStagesThatMakeOnePathAreRefused) {
  expect_first_problems(
      {
          {"stages: {a: {run: x, produces: [r.md]}, b: {run: x, produces: [./r.md]}}",
           "w.yaml:1:64: \"a\" and \"b\" make the same path, and neither needs the other: \"r.md\"; allowed: "
           "different paths, or needs: [a] in b"},
          {"stages: {a: {stages: {i: {run: x, produces: [r]}}}, b: {run: x, produces: [r]}}",
           "w.yaml:1:76: \"a\" and \"b\" make the same path"},
          {"stages: {a: {run: x, produces: [r], each: {in: [1, 2]}}}",
           "w.yaml:1:33: every item makes the same path: \"r\"; allowed: a path with {item} in it"},
          {"stages: {a: {each: {in: [1, 2]}, stages: {i: {run: x, produces: [r]}}}}",
           "w.yaml:1:66: every item makes the same path"},
          {"stages: {a: {run: x, produces: ['{item}.md'], each: {in: [1, 2]}}, b: {run: x, produces: [2.md]}}",
           "w.yaml:1:91: \"a\" and \"b\" make the same path"},
          {"stages: {a: {run: x, produces: [r]}, b: {run: x, needs: a, produces: [r]}, c: {run: x, needs: a, "
           "produces: [r]}}",
           "w.yaml:1:109: \"b\" and \"c\" make the same path"},
      },
      6);
}

TEST(WorkflowProblems, LanesAndPublishingAreChecked) {
  EXPECT_EQ(
      problems_of("stages: {a: {run: x, publish: pr}}"),
      "w.yaml:1:22: \"publish\" without a lane: there is no branch to publish; allowed: lane: {base: BRANCH}\n");
  EXPECT_TRUE(
      problems_of("stages: {a: {run: x, publish: mail}}").starts_with("w.yaml:1:31: wrong value for \"publish\""));
  EXPECT_TRUE(problems_of("stages: {a: {lane: {base: m}, publish: merge, stages: {publish: {run: x}}}}")
                  .starts_with("w.yaml:1:31: a lane that is published has no stage of its own"));
  EXPECT_TRUE(problems_of("stages: {a: {run: x}, b: {run: x, retry_from: a}}")
                  .starts_with("w.yaml:1:47: \"b\" cannot start again from a stage that it does not need: \"a\""));
  EXPECT_TRUE(problems_of("stages: {a: {run: x, lane: {base: '{nobody}'}}}").starts_with("w.yaml:1:35:"));
}

TEST(WorkflowProblems, UsesIsChecked) {
  const auto uses = [](std::string bytes, std::map<std::string, std::string> others) {
    return problems_of("name: main\nstages: {a: {" + bytes + "}}", std::move(others));
  };
  EXPECT_EQ(uses("uses: b", {}),
            "w.yaml:2:20: no workflow can be used under this name: \"b\": there is no such workflow\n");
  EXPECT_EQ(uses("uses: b", {{"b", "stages: {x: {uses: c}}"}, {"c", "stages: {x: {uses: b}}"}}),
            "c.yaml:1:20: workflows use one another in a circle: main -> b -> c -> b\n");
  EXPECT_EQ(uses("uses: main", {}), "w.yaml:2:20: workflows use one another in a circle: main -> main\n");
  EXPECT_EQ(uses("uses: b", {{"b", "inputs: {v: }\nstages: {x: {run: x}}"}}),
            "w.yaml:2:20: \"b\" needs a value for its input \"v\"; allowed: with: {v: …}\n");
  EXPECT_EQ(uses("uses: b, with: {valu: 1}", {{"b", "inputs: {value: 2}\nstages: {x: {run: x}}"}}),
            "w.yaml:2:30: \"b\" has no input \"valu\" (did you mean \"value\"?); allowed: value\n");
  EXPECT_EQ(uses("uses: b, bad: 1", {{"b", "stages: {x: {run: x, worse: 2}}"}}).find("w.yaml:2:23: unknown key"),
            0u);
  EXPECT_NE(uses("uses: b, bad: 1", {{"b", "stages: {x: {run: x, worse: 2}}"}}).find("\nb.yaml:1:22: unknown key"),
            std::string::npos);
}

TEST(WorkflowProblems, P13_UsesCannotMultiplyWithoutBound) {
  std::map<std::string, std::string> others;
  for (int i = 0; i < 11; ++i) {
    std::string bytes = "stages:\n";
    for (int k = 0; k < 10; ++k) {
      bytes +=
          "  s" + std::to_string(k) + (i == 10 ? ": {run: x}\n" : ": {uses: w" + std::to_string(i + 1) + "}\n");
    }
    others["w" + std::to_string(i)] = bytes;
  }
  EXPECT_NE(problems_of("stages: {a: {uses: w0}}", others).find("too many or too deep stages"), std::string::npos);
}

TEST(WorkflowProblems, P13_DepthAndNumberOfStagesAreBounded) {
  std::string deep = "x";
  for (int i = 0; i < kStageDepthMax; ++i) deep = i == 0 ? "{s: {run: x}}" : "{s: {stages: " + deep + "}}";
  EXPECT_EQ(problems_of("stages: " + deep), "");
  EXPECT_NE(problems_of("stages: {s: {stages: " + deep + "}}").find("nested deeper than 12 levels"),
            std::string::npos);
  std::string many = "stages:\n";
  for (int i = 0; i <= kStagesMax; ++i) many += "  s" + std::to_string(i) + ": {run: x}\n";
  EXPECT_NE(problems_of(many).find("more than 50000 stages"), std::string::npos);
}

TEST(WorkflowProblems, AllAreReportedAtOnceInOrderOfPosition) {
  EXPECT_EQ(
      problems_of(R"(nme: x
limits: {parallel: many}
stages:
  a:
    needs: [zzz]
    run: [x, "{unknown}"]
    retries: 500
  b: {}
)"),
      "w.yaml:1:1: unknown key: \"nme\" (did you mean \"name\"?)\n"
      "w.yaml:2:20: wrong value for \"parallel\": \"many\"; allowed: a whole number from 1 to 1024\n"
      "w.yaml:5:13: \"a\" needs a stage that is not in its block: \"zzz\"; allowed: a, b\n"
      "w.yaml:6:14: no value has this name: \"{unknown}\"; allowed: subject, run; braces that are meant as they "
      "are: {{…}}, or a shell line\n"
      "w.yaml:7:14: wrong value for \"retries\": \"500\"; allowed: a whole number from 0 to 100\n"
      "w.yaml:8:3: the stage \"b\" does not say what to do; allowed: exactly one of run, role, gate, stages, "
      "uses\n");
}

TEST(WorkflowProblems, TheirNumberIsBounded) {
  std::string bytes = "stages:\n  a:\n    run: x\n";
  for (int i = 0; i < 10'000; ++i) bytes += "    k" + std::to_string(i) + ": 1\n";
  const auto loaded = load(bytes);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().size(), Problems::kProblemsMax);
}

TEST(WorkflowProblems, ForeignTextIsShownWithoutTerminalControl) {
  const std::string problems = problems_of("stages: {a: {run: x, \"\\e[31mred\": 1}}");
  EXPECT_EQ(problems.find('\x1B'), std::string::npos);
  EXPECT_NE(problems.find("red"), std::string::npos);
}

TEST(WorkflowProblems, P13_AFileCutAnywhereGivesAnAnswer) {
  const std::string whole =
      "name: x\ninputs: {t: main}\nstages:\n  a: {run: [a, \"{t}\"], produces: [p]}\n  b:\n    needs: [a]\n    "
      "gate: {ask: "
      "\"Ok?\", shows: [p]}\n  c: {each: {in: [1, 2]}, stages: {d: {role: r}}}\n";
  std::size_t rounds = 0;
  for (std::size_t length = 0; length <= whole.size(); ++length, ++rounds) {
    const auto loaded = load(whole.substr(0, length));
    if (!loaded) {
      EXPECT_GE(loaded.error().at(0).line, 1);
    }
  }
  EXPECT_EQ(rounds, whole.size() + 1);
  EXPECT_EQ(problems_of(whole), "");
}

}  // namespace
}  // namespace reprise
