// The configuration file: every key, and what is refused.

#include "formats/config_file.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

std::string problems_in(std::string_view bytes) {
  const std::expected<Config, std::vector<Problem>> config = load_config(bytes, "c.yaml");
  std::string out;
  if (!config) {
    for (const Problem& problem : config.error()) out += to_text(problem) + "\n";
  }
  return out;
}

TEST(ConfigFile, ReadsEveryKey) {
  const std::expected<Config, std::vector<Problem>> config = load_config(R"(
workers:
  default: {run: [./scripts/agent.sh]}
  roles:
    code-review: {run: "agent < \"$REPRISE_BRIEF\"", env: [API_KEY], timeout: 40m, retries: 1}
lanes: {root: .trees, parallel: 4}
limits: {parallel: 4, output_mb: 64, cost_usd: 50}
notify: {run: [notify-send, Reprise, "{message}"]}
)",
                                                                         "c.yaml");
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->default_worker, (Worker{.command = {.argv = {"./scripts/agent.sh"}}}));
  EXPECT_EQ(config->roles.at("code-review"), (Worker{.command = {.line = "agent < \"$REPRISE_BRIEF\""},
                                                     .env = {"API_KEY"},
                                                     .timeout = Duration(2'400'000),
                                                     .retries = 1}));
  EXPECT_EQ(config->lanes_root, ".trees");
  EXPECT_EQ(config->lanes_parallel, 4);
  EXPECT_EQ(config->limits, (Limits{.parallel = 4, .output_mb = 64, .cost_usd = 50}));
  EXPECT_EQ(config->notify.argv.size(), 3u);
}

TEST(ConfigFile, AnEmptyFileIsTheDefault) {
  for (const std::string_view bytes : {"", "# nothing yet\n", "{}"}) {
    const std::expected<Config, std::vector<Problem>> config = load_config(bytes, "c.yaml");
    ASSERT_TRUE(config.has_value()) << bytes;
    EXPECT_FALSE(config->default_worker.has_value());
    EXPECT_EQ(config->lanes_root, ".worktrees");
  }
}

TEST(ConfigFile, ProblemsHaveAPlaceAndAWayOut) {
  EXPECT_EQ(problems_in("worker: {}"), "c.yaml:1:1: unknown key: \"worker\" (did you mean \"workers\"?)\n");
  EXPECT_EQ(problems_in("workers: {default: {env: [A]}}"),
            "c.yaml:1:11: a key is missing: \"run\"; allowed: a shell "
            "line, or a list: the program and its arguments\n");
  EXPECT_EQ(problems_in("workers: {roles: {qa: agent}}").find("c.yaml:1:23: wrong value for the role \"qa\""), 0u);
  EXPECT_EQ(
      problems_in("workers: {default: {run: x, env: [PYTHONPATH]}}").find("c.yaml:1:35: a variable that is never"),
      0u);
  EXPECT_EQ(problems_in("limits: {parallel: 0}").find("c.yaml:1:20: wrong value for \"parallel\""), 0u);
  EXPECT_EQ(problems_in("[a]").find("c.yaml:1:1: a configuration is a map"), 0u);
  EXPECT_EQ(problems_in("a: [").find("c.yaml:1:"), 0u);
  EXPECT_EQ(
      problems_in("lanes: {root: '', paralel: 1}\nnotify: {}\n"),
      "c.yaml:1:15: wrong value for \"root\": \"\"; allowed: a text that is not empty\n"
      "c.yaml:1:19: unknown key: \"paralel\" (did you mean \"parallel\"?)\n"
      "c.yaml:2:1: a key is missing: \"run\"; allowed: a shell line, or a list: the program and its arguments\n");
}

}  // namespace
}  // namespace reprise
