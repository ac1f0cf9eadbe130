// One operation on a lane, as a program of its own, so that it can be killed anywhere.
//
//   operator snapshot LANE REF
//   operator rollback LANE MAIN TO JOURNAL   as an executor does it: what was set aside is written to JOURNAL
//   before
//                                            anything changes; with a JOURNAL there, it goes on from it
//   operator undo LANE REF

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lanes/rescue.h"
#include "lanes/rollback.h"
#include "os/clock.h"
#include "world.h"

namespace reprise {
namespace {

int report(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

int take(const std::vector<std::string>& words) {
  const Result<Git> git = Git::open(words[1]);
  if (!git) return report(git.error());
  const Result<Snapshot> snapshot = take_snapshot(
      *git, {.ref = words[2], .message = "taken", .time = SystemClock().now(), .ignored = listed_paths()});
  return snapshot ? 0 : report(snapshot.error());
}

int go_back(const std::vector<std::string>& words) {
  const Result<Git> main = Git::open(words[2]);
  if (!main) return report(main.error());
  const Result<Git> lane = open_lane_folder(words[1], *main);
  if (!lane) return report(lane.error());
  RestorePlan plan;
  if (std::ifstream journal(words[4]); journal >> plan.to >> plan.rescue) {
    const Result<Restored> done = finish_rollback(*lane, plan, true);
    return done ? 0 : report(done.error());
  }
  const Result<PreparedRestore> prepared = prepare_rollback(*lane, {.to = words[3],
                                                                    .of = "one",
                                                                    .reason = "rolled back",
                                                                    .time = SystemClock().now(),
                                                                    .ignored = listed_paths(),
                                                                    .is_stopped = true});
  if (!prepared) return report(prepared.error());
  std::ofstream(words[4]) << prepared->plan.to << "\n" << prepared->plan.rescue << "\n";
  const Result<Restored> done = finish_rollback(*lane, prepared->plan, true);
  return done ? 0 : report(done.error());
}

int undo(const std::vector<std::string>& words) {
  const Result<Git> lane = Git::open(words[1]);
  if (!lane) return report(lane.error());
  const Result<Restored> done = undo_rollback(*lane, words[2], SystemClock().now(), true);
  return done ? 0 : report(done.error());
}

}  // namespace
}  // namespace reprise

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 3 && words[0] == "snapshot") return reprise::take(words);
  if (words.size() == 5 && words[0] == "rollback") return reprise::go_back(words);
  if (words.size() == 3 && words[0] == "undo") return reprise::undo(words);
  return 2;
}
