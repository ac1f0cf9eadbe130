#include "executor/environment.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(Environment, OnlyTheListedAndTheNamedPass) {
  const Environment surrounding = {{"PATH", "/bin"},        {"HOME", "/h"},   {"LC_ALL", "C"},
                                   {"XDG_DATA_HOME", "/x"}, {"TZ", "UTC"},    {"https_proxy", "p"},
                                   {"API_KEY", "k"},        {"EDITOR", "vi"}, {"GIT_DIR", "/g"}};
  const std::vector<std::string> named = {"API_KEY", "NOT_SET"};
  const Environment passed = worker_environment(surrounding, named);
  EXPECT_EQ(passed.size(), 7u);
  EXPECT_TRUE(passed.contains("API_KEY"));
  EXPECT_FALSE(passed.contains("EDITOR"));
  EXPECT_FALSE(passed.contains("GIT_DIR"));
  EXPECT_FALSE(passed.contains("NOT_SET"));
}

TEST(Environment, P37_LoaderVariablesNeverPassWhoeverNamesThem) {
  Environment surrounding;
  std::vector<std::string> named;
  for (const char* name :
       {"LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "BASH_ENV", "ENV", "IFS",
        "PYTHONPATH", "PYTHONSTARTUP", "PERL5OPT", "RUBYOPT", "BASH_FUNC_ls%%", "JAVA_TOOL_OPTIONS"}) {
    surrounding[name] = "x";
    named.push_back(name);
    EXPECT_TRUE(is_loader_variable(name)) << name;
  }
  EXPECT_TRUE(worker_environment(surrounding, named).empty());
}

TEST(Environment, P37_NamedAndSecretSoundingValuesAreSecretUnlessTheyAreTooShort) {
  const Environment surrounding = {
      {"API_KEY", "123456"},      {"GH_TOKEN", "short"},   {"DB_PASSWORD", "longer-secret"},
      {"PLAIN", "visible-value"}, {"MINE", "named-value"}, {"SSH_AUTH_SOCK", "/run/agent"}};
  const std::vector<std::string> named = {"MINE"};
  EXPECT_EQ(secret_values(surrounding, named),
            (std::vector<std::string>{"123456", "longer-secret", "named-value"}));
}

TEST(Environment, EntriesAreReadAndWritten) {
  const std::vector<std::string> entries = {"A=1", "B=x=y", "C=", "=bad", "no"};
  const Environment environment = parse_environment(entries);
  EXPECT_EQ(environment.at("B"), "x=y");
  EXPECT_EQ(to_entries(environment), (std::vector<std::string>{"A=1", "B=x=y", "C="}));
}

}  // namespace
}  // namespace reprise
