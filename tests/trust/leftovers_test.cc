// Temporary files of a killed Reprise: the next write into their folder removes them, gc removes the others.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "world.h"

namespace reprise::cli_test {
namespace {

const std::string kLeftover = ".reprise-0123456789abcdef0123456789abcdef.tmp";
const std::string kLiving = ".reprise-fedcba9876543210fedcba9876543210.tmp";
const std::string kUsersFile = ".reprise-notes.tmp";

// A temporary file whose writer, this process, is alive.
class LivingWriter {
 public:
  explicit LivingWriter(const fs::path& file)
      : file_(file), fd_(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) {
    struct flock range{};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    EXPECT_EQ(::fcntl(fd_, F_OFD_SETLK, &range), 0);
  }
  ~LivingWriter() {
    fs::remove(file_);
    ::close(fd_);
  }
  LivingWriter(const LivingWriter&) = delete;
  LivingWriter& operator=(const LivingWriter&) = delete;

 private:
  fs::path file_;
  int fd_;
};

constexpr const char* kStory =
    "# Story 5.1: Pay\n\n**Status:** Ready\n\n## Acceptance Criteria\n\n- [ ] x\n\n## Change Log\n\n"
    "| Date | Author | Change |\n|---|---|---|\n";

// An epic with one story, whose status its run sets.
void set_up_epic(const World& world) {
  world.write(".reprise/config.yaml", "workers: {default: {run: 'true'}}\n");
  world.write("docs/stories/5.1.story.md", kStory);
  world.write("docs/epics/EPIC-5-EXECUTION.yaml",
              "epic_id: '5'\nwaves:\n  - number: 1\n    stories:\n      - {id: '5.1', title: One}\n");
}

void expect_gc_removes_leftovers_in(const World& world, const std::string& folder) {
  SCOPED_TRACE(folder);
  for (const std::string& name : {kLeftover, kUsersFile}) world.write(folder + "/" + name, "half");
  const LivingWriter writer(world.root() / folder / kLiving);
  EXPECT_TRUE(contains(world.reprise({"doctor"}).out, folder + "/" + kLeftover));
  const Ended dry = world.reprise({"gc", "--dry-run", "--json"});
  EXPECT_TRUE(contains(dry.out, "\"temporary\":[\"" + folder + "/" + kLeftover + "\"]")) << dry.out;
  EXPECT_TRUE(world.has(folder + "/" + kLeftover));
  const Ended gc = world.reprise({"gc"});
  EXPECT_EQ(gc.exit, 0) << gc.err;
  EXPECT_TRUE(contains(gc.out, folder + "/" + kLeftover + "\n")) << gc.out;
  EXPECT_FALSE(world.has(folder + "/" + kLeftover));
  EXPECT_TRUE(world.has(folder + "/" + kLiving)) << "its writer is alive";
  EXPECT_TRUE(world.has(folder + "/" + kUsersFile)) << "Reprise gives no such name";
}

TEST(Leftovers, L1_GcRemovesTemporaryFilesOfLanes) {
  const World world;
  world.workflow("hello", "stages:\n  a: {run: 'true'}\n");
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  for (const char* folder : {".git/worktrees/P1/reprise/workshop", ".git/worktrees/P1/reprise/workshop/info",
                             ".git/reprise/workshop", ".git"})
    expect_gc_removes_leftovers_in(world, folder);
}

TEST(Leftovers, B32_GcRemovesTemporaryFilesBesideStories) {
  const World world;
  set_up_epic(world);
  world.workflow("hello", "stages:\n  a: {run: 'true'}\n");
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  expect_gc_removes_leftovers_in(world, "docs/stories");
  expect_gc_removes_leftovers_in(world, "docs/stories/checkout");
}

TEST(Leftovers, B32_GcSearchesNoFolderOutsideTheProject) {
  const World world;
  world.workflow("hello", "stages:\n  a: {run: 'true'}\n");
  ASSERT_EQ(world.reprise({"run", "hello", "x"}).exit, 0);
  const World other("other");
  other.write(kLeftover, "half");
  fs::create_directory(world.root() / "docs");
  fs::create_directory_symlink(other.root(), world.root() / "docs/stories");
  EXPECT_EQ(world.reprise({"gc"}).exit, 0);
  EXPECT_TRUE(other.has(kLeftover));
}

TEST(Leftovers, B32_TheNextWriteRemovesTemporaryFilesBesideIt) {
  const World world;
  set_up_epic(world);
  world.write("docs/stories/" + kLeftover, "half");
  const LivingWriter writer(world.root() / "docs/stories" / kLiving);
  const Ended ended = world.reprise({"run", "epic", "5", "--mode", "autopilot"});
  ASSERT_NE(world.read("docs/stories/5.1.story.md"), kStory) << ended.out << ended.err;
  EXPECT_FALSE(world.has("docs/stories/" + kLeftover));
  EXPECT_TRUE(world.has("docs/stories/" + kLiving)) << "its writer is alive";
}

}  // namespace
}  // namespace reprise::cli_test
