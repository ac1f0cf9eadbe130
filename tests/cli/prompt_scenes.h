// Repositories in which something waits to be resumed, for the tests of prompts: made by shell, each in a moment.
// The ages are whole hours and days, so that what is shown of them stays the same while a test runs.

#pragma once

#include <string>

#include "world.h"

namespace reprise::cli_test {

/// A worker for every role, and helpers `ago`, `story ID STATUS` and `old` (touches what was made as before all
/// that follows), in an empty repository with one commit.
void set_up_agents(const World& world);

/// Runs a line of shell that must succeed.
void must(const World& world, const std::string& line);

/// A story cycle that was interrupted two hours ago, in implementation; nothing is wrong with it.
void clean_story(const World& world, const std::string& id = "4.2");
/// A QA loop at iteration 3 of 5, three days old, whose story was edited since.
void stale_loop(const World& world, const std::string& id = "2.1");
/// A spec pipeline that got as far as its requirements, five days ago.
void begun_spec(const World& world, const std::string& name = "login");
/// An epic of fourteen days ago, of whose stories one was done outside and one is gone.
void broken_epic(const World& world);
/// An epic of two hours ago; nothing is wrong with it.
void clean_epic(const World& world);
/// The same with a state file that is cut off in the middle.
void torn_epic(const World& world);
/// A spec loop that was cut off while it validated.
void spec_loop(const World& world);

/// Everything that a prompt must leave alone: the project's files, git's references, all events, and the store but
/// for its locks and the processes' own folders.
std::string state_of(const World& world);

}  // namespace reprise::cli_test
