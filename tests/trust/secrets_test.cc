// Secrets: what a worker hands in is masked where it enters; nothing that is stored or exported has the value.

#include <gtest/gtest.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

// A value with what JSON escapes: a quote, a backslash, a slash, a letter beyond ASCII.
constexpr const char* kPlain = "hunter2-0123456789";
constexpr const char* kQuoted = "pa\"ss\\wo/rd-\xc3\xa9-9876";

/// Returns the files below `folder` that hold `secret`, one per line.
std::string holders(const World& world, const std::string& folder, const std::string& secret) {
  std::string found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(world.root() / folder)) {
    if (!entry.is_regular_file() || slurp(entry.path()).find(secret) == std::string::npos) continue;
    found += entry.path().lexically_relative(world.root()).string() + "\n";
  }
  return found;
}

class Secrets : public testing::Test {
 protected:
  Secrets() {
    world_.set("API_TOKEN", kPlain);
    world_.set("CLIENT", kQuoted);
    world_.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh], env: [API_TOKEN, CLIENT]}}\n");
  }
  // Everything that is kept, and everything that is printed.
  void expect_hidden(const std::string& run) {
    ASSERT_EQ(world_.reprise({"export", run, "--output", "out.tar"}).exit, 0);
    world_.shell("mkdir -p unpacked && tar -xf out.tar -C unpacked");
    for (const std::string& secret : {std::string(kPlain), std::string(kQuoted), std::string("pa\\\"ss")}) {
      EXPECT_EQ(holders(world_, ".git/reprise", secret), "") << secret;
      EXPECT_EQ(holders(world_, "unpacked", secret), "") << secret;
      for (const std::string command : {"status", "inbox", "events", "log"}) {
        const Ended shown = world_.shell("reprise " + command + " " + (command == "inbox" ? "" : run) + " --json");
        EXPECT_EQ((shown.out + shown.err).find(secret), std::string::npos) << command;
      }
    }
    EXPECT_FALSE(fs::is_empty(world_.root() / "unpacked"));
  }

  World world_;
};

TEST_F(Secrets, E13_AreNotInQuestionsGapsTasksPathsAndTheResult) {
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x, tasks: true}\n");
  world_.write("agent.sh",
               "cat >\"$REPRISE_RESULT\" <<END\n"
               "{\"status\":\"needs_human\",\"summary\":\"s $API_TOKEN\",\"artifacts\":[\"$API_TOKEN.md\"],"
               "\"questions\":[{\"id\":\"q1\",\"text\":\"Is $API_TOKEN right?\",\"options\":[\"$API_TOKEN\"]}],"
               "\"gaps\":[{\"id\":\"G1\",\"priority\":\"Minor\",\"text\":\"$API_TOKEN\"}],"
               "\"tasks\":[{\"subject\":\"$API_TOKEN\",\"metadata\":{\"$API_TOKEN\":[\"$API_TOKEN\"]}}]}\nEND\n"
               "touch \"$API_TOKEN.md\"\n");
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 3);
  EXPECT_NE(world_.reprise({"inbox"}).out.find("Is *** right?"), std::string::npos);
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_AreNotInTheGateThatAWorkerOpens) {
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
  world_.write("agent.sh",
               "echo \"{\\\"status\\\":\\\"needs_human\\\",\\\"summary\\\":\\\"Use $API_TOKEN?\\\"}\" "
               ">\"$REPRISE_RESULT\"\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 3);
  EXPECT_NE(world_.reprise({"inbox"}).out.find("Use ***?"), std::string::npos);
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_AreNotInAResultThatNobodyCouldUse) {
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x, timeout: 1s}\n  b: {role: dev, prompt: y}\n");
  world_.write("agent.sh",
               "printf '%s is not JSON' \"$API_TOKEN\" >\"$REPRISE_RESULT\"\n"
               "[ $REPRISE_STAGE = b ] || exec sleep 30\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 1);
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_AreNotInTheResultOfAWorkerThatWasKilledWithItsRunner) {
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
  world_.write("agent.sh",
               "echo \"{\\\"summary\\\":\\\"$API_TOKEN\\\"}\" >\"$REPRISE_RESULT\"\n"
               "touch started; while [ ! -e go ]; do sleep 0.02; done\n");
  {
    const std::unique_ptr<Background> run = world_.start({"run", "w", "x"});
    ASSERT_TRUE(world_.wait_for_file("started"));
    run->signal(9);
    run->end();
  }
  world_.write("go", "");
  ASSERT_EQ(world_.reprise({"resume", "w/x", "--yes"}).exit, 0);
  expect_hidden("w/x");
}

TEST_F(Secrets, L13_AreMaskedInTheirJsonSpelling) {
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
  // As most programs write it, with "/" escaped, and with nothing beyond ASCII.
  world_.write("report", "{\"status\":\"needs_human\",\"summary\":\"pa\\\"ss\\\\wo/rd-\xc3\xa9-9876\"}\n");
  world_.write("lines",
               "\"pa\\\"ss\\\\wo/rd-\xc3\xa9-9876\"\n\"pa\\\"ss\\\\wo\\/rd-\xc3\xa9-9876\"\n"
               "\"pa\\\"ss\\\\wo/rd-\\u00e9-9876\"\n");
  world_.write("agent.sh", "cat report >\"$REPRISE_RESULT\"; cat lines\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 3);
  EXPECT_NE(world_.shell("reprise log w/x").out.find("\"***\"\n\"***\"\n\"***\""), std::string::npos);
  expect_hidden("w/x");
}

TEST_F(Secrets, L13_AreMaskedAsGoPhpDotNetAndUrlsSpellThem) {
  world_.workflow("w", "stages:\n  a: {run: cat lines, env: [CLIENT_SECRET]}\n");
  world_.set("CLIENT_SECRET", "p\xc3\xa4&ss/word<9876>");
  world_.write("lines",
               "\"p\xc3\xa4\\u0026ss/word\\u003c9876\\u003e\"\n\"p\\u00e4&ss\\/word<9876>\"\n"
               "\"p\\u00E4\\u0026ss/word\\u003C9876\\u003E\"\n\"p%C3%A4%26ss%2Fword%3C9876%3E\"\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 0);
  const std::string log = world_.shell("reprise log w/x").out;
  EXPECT_NE(log.find("\"***\"\n\"***\"\n\"***\"\n\"***\""), std::string::npos) << log;
  EXPECT_EQ(holders(world_, ".git/reprise", "word"), "");
}

TEST_F(Secrets, E13_AreMaskedToTheirEndBehindTheWordBearer) {
  world_.workflow("w", "stages:\n  a: {run: 'echo \"Authorization: Bearer $BOT_TOKEN\"', env: [BOT_TOKEN]}\n");
  world_.set("BOT_TOKEN", "123456789:AAF-tail_of_it");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 0);
  const std::string log = world_.shell("reprise log w/x").out;
  EXPECT_NE(log.find("Authorization: Bearer ***\n"), std::string::npos) << log;
  EXPECT_EQ(holders(world_, ".git/reprise", "tail_of_it"), "");
}

TEST_F(Secrets, E13_OfOneStageOrRoleAreMaskedInAllOthers) {
  world_.workflow("w",
                  "stages:\n  a: {env: [DB_URL], run: 'echo \"$DB_URL\" >conn; echo \"$DB_URL\"'}\n"
                  "  b: {needs: a, run: 'cat conn; cat conn >&2; exit 3'}\n"
                  "  c: {role: dev, prompt: x, needs: a}\n"
                  "  d: {needs: c, run: 'cat role'}\n");
  world_.set("DB_URL", kPlain);
  world_.write(
      "agent.sh",
      "echo \"$CLIENT\" >role; cat conn; printf '{\"summary\":\"'\"$(cat conn)\"'\"}' >\"$REPRISE_RESULT\"\n");
  world_.write(".reprise/config.yaml", "workers: {default: {run: [sh, agent.sh], env: [CLIENT]}}\n");
  world_.unset("API_TOKEN");
  const Ended run = world_.reprise({"run", "w", "x"});
  ASSERT_EQ(run.exit, 1) << run.err;
  EXPECT_FALSE(contains(run.out + run.err, kPlain));
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_OfAnAdoptedWorkerAreMaskedByAResumeThatDoesNotKnowThem) {
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
  world_.write(
      "agent.sh",
      "touch started; while [ ! -e go ]; do sleep 0.02; done\n"
      "cat >\"$REPRISE_RESULT\" <<END\n"
      "{\"status\":\"needs_human\",\"summary\":\"s $API_TOKEN\","
      "\"questions\":[{\"id\":\"q1\",\"text\":\"Is $API_TOKEN right?\",\"options\":[\"$API_TOKEN\"]}]}\nEND\n");
  {
    const std::unique_ptr<Background> run = world_.start({"run", "w", "x"});
    ASSERT_TRUE(world_.wait_for_file("started"));
    run->signal(9);
    run->end();
  }
  world_.write("go", "");
  world_.unset("API_TOKEN");
  ASSERT_EQ(world_.reprise({"resume", "w/x", "--yes"}).exit, 3);
  EXPECT_NE(world_.reprise({"inbox"}).out.find("Is *** right?"), std::string::npos);
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_AreNotInTheResultWhateverItsForm) {
  const std::string digits = "918273645546372819918273645546";
  world_.set("API_TOKEN", digits);
  for (const std::string result : {R"({"summary":"@","summary":"ok"})", R"({"summary":"\u0039@","summary":"ok"})",
                                   R"({"more":@,"summary":"ok"})", R"({"more":"@","more":[1],"status":"done"})"}) {
    world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
    world_.write("agent.sh", "cat report >\"$REPRISE_RESULT\"\n");
    std::string text = result;
    const bool is_escaped = contains(text, "0039@");
    text.replace(text.find('@'), 1, is_escaped ? digits.substr(1) : digits);
    world_.write("report", text);
    const Ended run = world_.reprise({"run", "w"});
    EXPECT_EQ(run.exit, 0) << result << run.err;
    EXPECT_EQ(holders(world_, ".git/reprise", digits.substr(1, 12)), "") << result;
  }
}

TEST_F(Secrets, E13_AreNotInAResultThatIsTooLong) {
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
  world_.write("agent.sh",
               "{ printf '{\"summary\":\"%s ' \"$API_TOKEN\"; head -c 5000000 /dev/zero | tr '\\0' x; "
               "printf '%s\"}' \"$API_TOKEN\"; } >\"$REPRISE_RESULT\"\n");
  const Ended run = world_.reprise({"run", "w", "x"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_TRUE(contains(run.out + run.err, "is longer than 4194304 bytes")) << run.out << run.err;
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_AreMaskedInWhatTheHooksOfGitPrint) {
  const std::string token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  world_.shell(
      "git config user.name Ana; git config user.email ana@example.org; git add -A; git commit -qm begin;"
      "git init -q --bare .git/remote.git; git remote add origin \"$PWD/.git/remote.git\"");
  const std::string hook = "#!/bin/sh\necho " + std::string(kPlain) + " " + token + " >&2; exit 1\n";
  world_.write(".git/remote.git/hooks/pre-receive", hook);
  world_.write("pre-commit", hook);
  world_.shell("chmod +x .git/remote.git/hooks/pre-receive; git config core.hooksPath hooks");
  world_.workflow("p",
                  "stages:\n  work:\n    lane: {base: HEAD}\n    publish: push\n    stages:\n"
                  "      a: {run: 'echo text >text'}\n");
  const Ended pushed = world_.reprise({"run", "p", "x"});
  EXPECT_EQ(pushed.exit, 1) << pushed.err;
  EXPECT_TRUE(contains(pushed.out + pushed.err, "*** ***")) << pushed.out << pushed.err;
  EXPECT_EQ(holders(world_, ".git/reprise", token), "");
  world_.shell(
      "mkdir -p .git/hooks; git config --unset core.hooksPath; install -m 755 pre-commit .git/hooks/pre-commit");
  const Ended committed = world_.reprise({"run", "p", "y"});
  EXPECT_EQ(committed.exit, 1) << committed.err;
  EXPECT_EQ(holders(world_, ".git/reprise", token), "");
  for (const std::string run : {"p/x", "p/y"}) {
    const Ended shown =
        world_.shell("reprise status " + run + "; reprise events " + run + "; reprise why " + run + " work/a");
    EXPECT_FALSE(contains(pushed.out + pushed.err + committed.out + committed.err + shown.out, token))
        << shown.out;
    expect_hidden(run);
  }
}

TEST_F(Secrets, E13_AreNotInTheExitRecordOfAWorkerThatCouldNotBeStarted) {
  world_.workflow("w", std::string("inputs: {p: ") + kPlain + "}\nstages:\n  a: {run: ['/nonexistent/{p}']}\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 1);
  EXPECT_EQ(holders(world_, ".git/reprise/guards", kPlain), "");
}

// The second worker asks with a program that no longer has the variable.
TEST_F(Secrets, E13_AreNotInWhatAWorkerAsksOfItsRun) {
  world_.write("agent.sh",
               "[ -e made ] && exit 0; touch made\n"
               "id=$(reprise task create --list x --subject \"use $API_TOKEN\" --metadata phase=P6)\n"
               "reprise task update --list x \"$id\" --description \"$API_TOKEN\" --metadata \"k=$CLIENT\"\n"
               "token=$API_TOKEN; unset API_TOKEN CLIENT\n"
               "reprise task create --list x --subject \"again $token\" --metadata phase=P6\n"
               "reprise task update --list x 77 --subject \"$token\"; touch asked\n");
  world_.reprise({"run", "task-pipeline", "x", "--input", "description=abc", "--variant", "TRIVIAL"});
  ASSERT_TRUE(world_.has("asked"));
  const std::string tasks = world_.reprise({"task", "list", "--list", "x"}).out;
  EXPECT_TRUE(contains(tasks, "use ***") && contains(tasks, "again ***")) << tasks;
  expect_hidden("task-pipeline/x");
}

TEST_F(Secrets, E13_AreNotInWhatPeopleType) {
  const std::string both = std::string("use ") + kPlain + " or " + kQuoted;
  world_.workflow("w",
                  "stages:\n  a: {role: dev, prompt: x}\n  g: {needs: a, gate: {ask: 'ok?'}}\n"
                  "  b: {needs: g, run: 'false'}\n");
  world_.write("agent.sh",
               "[ $REPRISE_ATTEMPT = 2 ] || echo "
               "'{\"status\":\"needs_human\",\"questions\":[{\"id\":\"q1\",\"text\":\"Which?\"}]}' "
               ">\"$REPRISE_RESULT\"\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 3);
  ASSERT_EQ(world_.reprise({"answer", "w/x", "q1", both}).exit, 0);
  ASSERT_EQ(world_.reprise({"resume", "w/x"}).exit, 3);
  ASSERT_EQ(world_.reprise({"approve", "w/x", "g", "--because", both}).exit, 0);
  ASSERT_EQ(world_.reprise({"resume", "w/x"}).exit, 1);
  ASSERT_EQ(world_.reprise({"skip", "w/x", "b", "--because", both}).exit, 0);
  EXPECT_TRUE(contains(world_.reprise({"events", "w/x"}).out, "use *** or ***"));
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_AreNotInWhatPeopleTellALivingOwner) {
  world_.workflow("w",
                  "stages:\n  a: {run: 'until [ -e go ]; do sleep 0.02; done'}\n  g: {gate: {ask: 'ok?'}}\n"
                  "  b: {needs: g, run: 'true'}\n");
  const std::unique_ptr<Background> run = world_.start({"run", "w", "x"});
  ASSERT_TRUE(World::wait_until([&] { return contains(world_.reprise({"inbox"}).out, "w/x"); }));
  ASSERT_EQ(world_.reprise({"approve", "w/x", "g", "--because", std::string("it is ") + kPlain}).exit, 0);
  world_.write("go", "");
  EXPECT_EQ(run->end(), 0);
  EXPECT_TRUE(contains(world_.reprise({"events", "w/x"}).out, "it is ***"));
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_AreNotInTheStateFileThatShowsAnAnswer) {
  world_.write("agent.sh",
               "case $REPRISE_STAGE in\n"
               "scaffold) mkdir -p \"specs/$subject\"; echo '# Spec' >\"specs/$subject/spec.md\" ;;\n"
               "write) echo 'Users sign in.' >>\"specs/$subject/spec.md\" ;;\n"
               "validate) [ -e asked ] || { touch asked; cat found >\"$REPRISE_RESULT\"; } ;;\nesac\n");
  world_.write("found", R"({"gaps":[{"id":"G-001","priority":"Critical","text":"no unit"}],)"
                        R"("questions":[{"id":"1","text":"Which?","gaps":["G-001"],"options":["m","ft"]}]})");
  ASSERT_EQ(world_.reprise({"run", "spec-loop", "005-x", "--input", "description=Let"}).exit, 3);
  ASSERT_EQ(world_.reprise({"answer", "spec-loop/005-x", "C1.1", std::string("typed ") + kPlain}).exit, 0);
  world_.reprise({"resume", "spec-loop/005-x"});
  EXPECT_TRUE(contains(world_.read("specs/005-x/.workflow/index.md"), "typed ***"));
  EXPECT_EQ(holders(world_, "specs", kPlain), "");
  EXPECT_EQ(holders(world_, ".git/reprise", kPlain), "");
}

TEST_F(Secrets, E13_AreNotInWhatIsKeptOfShownFiles) {
  world_.workflow("w",
                  "stages:\n  a: {run: 'echo one >out.md; echo \"key $API_TOKEN\" >>out.md', env: [API_TOKEN]}\n"
                  "  g: {needs: a, gate: {ask: 'ok?', shows: [out.md]}}\n  b: {needs: g, run: 'true'}\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 3);
  ASSERT_EQ(world_.reprise({"approve", "w/x", "g"}).exit, 0);
  world_.write("out.md", std::string("two\nkey ") + kPlain + "\n");
  ASSERT_EQ(world_.reprise({"resume", "w/x"}).exit, 3) << "the digest is that of the file";
  const std::string asked = world_.reprise({"inbox"}).out;
  EXPECT_TRUE(contains(asked, "-one") && contains(asked, "+two") && contains(asked, " key ***")) << asked;
  ASSERT_EQ(world_.reprise({"approve", "w/x", "g"}).exit, 0);
  world_.write("out.md", "two\nkey hunter3-0123456789\n");
  ASSERT_EQ(world_.reprise({"resume", "w/x"}).exit, 3);
  EXPECT_TRUE(contains(world_.reprise({"inbox"}).out, "+key hunter3"));
  EXPECT_EQ(world_.reprise({"verify"}).exit, 0);
  world_.write("out.md", "");
  expect_hidden("w/x");
}

// Masked, an input would be another command.
TEST_F(Secrets, E13_AreRefusedAsInputs) {
  world_.workflow("w", "inputs: {k: low}\nstages:\n  a: {run: 'echo \"$k\" >out'}\n");
  for (const std::string& value : {std::string(kPlain), "a " + std::string(kQuoted) + " b",
                                   std::string("ghp_0123456789abcdefghijklmnopqrstuvwxyz")}) {
    const Ended run = world_.reprise({"run", "w", "x", "--input", "k=" + value});
    EXPECT_EQ(run.exit, 2) << run.out << run.err;
    EXPECT_TRUE(contains(run.err, "input \"k\" holds a secret")) << run.err;
    EXPECT_FALSE(contains(run.out + run.err, value));
  }
  EXPECT_FALSE(world_.has("out"));
  EXPECT_EQ(world_.reprise({"run", "w", "x", "--input", "k=high"}).exit, 0);
  EXPECT_EQ(world_.read("out"), "high\n");
  EXPECT_EQ(holders(world_, ".git/reprise", kPlain), "");
}

// Only the guard was sure to know what the worker knew.
TEST_F(Secrets, E13_AreNotLeftByAWorkerWhoseRunnerAndGuardWereKilled) {
  world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
  world_.write("agent.sh",
               "[ $REPRISE_ATTEMPT = 1 ] || exit 0\n"
               "echo \"{\\\"summary\\\":\\\"$API_TOKEN\\\"}\" >\"$REPRISE_RESULT\"\n"
               "echo $PPID >guard; echo $$ >worker; touch started; exec sleep 100\n");
  const std::unique_ptr<Background> run = world_.start({"run", "w", "x"});
  ASSERT_TRUE(world_.wait_for_file("started"));
  ASSERT_EQ(world_.shell("kill -9 " + std::to_string(run->pid()) + " $(cat guard)").exit, 0);
  run->end();
  world_.unset("API_TOKEN");
  ASSERT_EQ(world_.shell("kill -9 $(cat worker)").exit, 0);
  ASSERT_TRUE(
      World::wait_until([&] { return world_.reprise({"export", "w/x", "--output", "early.tar"}).exit == 0; }));
  world_.shell("mkdir -p early && tar -xf early.tar -C early");
  EXPECT_EQ(holders(world_, "early", kPlain), "");
  ASSERT_EQ(world_.reprise({"resume", "w/x", "--yes"}).exit, 0);
  expect_hidden("w/x");
}

TEST_F(Secrets, E13_AreMaskedBeforeACommandIsQuoted) {
  world_.set("API_TOKEN", "hunter2'PLAIN-0123");
  world_.workflow(
      "w",
      "inputs: {k: \"hunter2'PLAIN-0123\"}\nstages:\n"
      "  d: {run: [sh, -c, 'echo x >o', '{k}'], produces: [{path: o, complete: {run: ['false', '{k}']}}]}\n");
  const Ended ended = world_.shell(
      "reprise run w x; for c in status plan why log; do reprise $c w/x; reprise $c w/x --json; done");
  EXPECT_FALSE(contains(ended.out + ended.err, "PLAIN")) << ended.out << ended.err;
  EXPECT_TRUE(contains(ended.out, "o is not accepted by false '***'")) << ended.out;
}

TEST_F(Secrets, E13_AreNotInATaskThatAWorkerHandsIn) {
  for (const std::string list : {"", "--list w/x", "--list mine"}) {
    world_.workflow(
        "w", "stages:\n  a: {run: 'reprise task create " + list +
                 " --subject \"use $API_TOKEN\" --metadata phase=work', env: [API_TOKEN]}\n"
                 "  work: {needs: a, each: {tasks: work, as: task}, run: 'echo \"did $task_subject\" >>did'}\n");
    world_.shell("rm -rf .git/reprise did");
    const Ended run = world_.reprise({"run", "w", "x"});
    EXPECT_EQ(run.exit, 0) << list << run.out << run.err;
    const bool is_of_run = list != "--list mine";
    EXPECT_EQ(world_.has("did") ? world_.read("did") : "", is_of_run ? "did use ***\n" : "") << list;
    EXPECT_EQ(world_.shell("ls ~/.claude/tasks 2>/dev/null").out, is_of_run ? "" : "mine\n") << list;
    EXPECT_EQ(world_.shell("grep -rl " + std::string(kPlain) + " ~/.claude .git/reprise 2>/dev/null").out, "");
  }
}

TEST_F(Secrets, L13_TokensAreMaskedBehindEscapes) {
  const std::string token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  world_.write("lines", "\x1b[32m" + token + "\x1b[0m\n{\"a\":\"b\\n" + token + "\"}\n?token%3D" + token + "\n");
  world_.workflow("w", "stages:\n  a: {run: cat lines}\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 0);
  EXPECT_EQ(holders(world_, ".git/reprise", token), "");
}

TEST_F(Secrets, L13_AreMaskedWhateverJsonEscapesOfThem) {
  world_.workflow("w", "stages:\n  a: {run: cat lines, env: [CLIENT_SECRET]}\n");
  world_.set("CLIENT_SECRET", "it's \"base64Pad\"==");
  world_.write("lines",
               "\"it\\u0027s \\\"base64Pad\\\"\\u003d\\u003d\"\n"              // Gson
               "\"it\\u0027s \\\"base64Pad\\\"==\"\n"                          // JSON_HEX_APOS of PHP
               "\"it's \\u0022base64Pad\\u0022==\"\n"                          // JSON_HEX_QUOT
               "\"{\\\"k\\\":\\\"it's \\\\\\\"base64Pad\\\\\\\"==\\\"}\"\n");  // JSON in JSON
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 0);
  const std::string log = world_.shell("reprise log w/x").out;
  EXPECT_TRUE(contains(log, "\"***\"\n\"***\"\n\"***\"\n\"{\\\"k\\\":\\\"***\\\"}\"")) << log;
  EXPECT_EQ(holders(world_, ".git/reprise", "base64Pad"), "");
}

// What `grep --color` prints, and characters without a width.
TEST_F(Secrets, L13_AreNotPutTogetherFromAResult) {
  const std::string token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  for (const std::string hidden : {"\\u001b[01;31m\\u001b[K", "\\u200b", "\\u0007"}) {
    world_.workflow("w", "stages:\n  a: {role: dev, prompt: x}\n");
    world_.write("agent.sh",
                 "s='hunter2-" + hidden + "0123456789'; t='" + token.substr(0, 9) + hidden + token.substr(9) +
                     "'\ncat >\"$REPRISE_RESULT\" <<END\n"
                     "{\"status\":\"needs_human\",\"summary\":\"found $s $t\",\"questions\":[{\"id\":\"q1\","
                     "\"text\":\"Is $s or $t right?\",\"options\":[\"$s\",\"$t\"]}]}\nEND\n");
    world_.shell("rm -rf .git/reprise saved.json");
    const Ended ended = world_.shell(
        "reprise run w x; reprise resume w/x; for c in status plan why log events; do reprise $c w/x; "
        "reprise $c w/x --json; done; reprise inbox; reprise plan w/x --save saved.json; cat saved.json");
    for (const std::string& secret : {std::string(kPlain), token}) {
      EXPECT_FALSE(contains(ended.out + ended.err, secret)) << hidden << ended.out << ended.err;
      EXPECT_EQ(holders(world_, ".git/reprise", secret), "") << hidden;
    }
    EXPECT_TRUE(contains(ended.out, "Is *** or *** right?")) << ended.out << ended.err;
  }
}

TEST_F(Secrets, L13_AreNotPutTogetherByLog) {
  world_.write("lines", "hunter2\x1b[0m-0123456789\nghp_01234567\x1b[1m89abcdefghijklmnopqrstuvwxyz\nend");
  world_.workflow("w", "stages:\n  a: {run: cat lines}\n");
  ASSERT_EQ(world_.reprise({"run", "w", "x"}).exit, 0);
  EXPECT_EQ(world_.reprise({"log", "w/x"}).out, "== a attempt 1 stdout\n***\n***\nend");
}

}  // namespace
}  // namespace reprise::cli_test
