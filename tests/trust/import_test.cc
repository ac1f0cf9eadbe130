// Forged archives: import refuses them before it writes anything.

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "app/transfer_history.h"
#include "app/transfer_manifest.h"
#include "app/transfer_tar.h"
#include "world.h"

namespace reprise::cli_test {
namespace {

constexpr const char* kOneLane =
    "stages:\n  part:\n    lane: {base: HEAD}\n    stages:\n      write: {run: 'echo text >text'}\n";

// An exported run, taken apart.
struct Archive {
  TransferManifest manifest;
  std::vector<RecordedEvent> events;
  std::vector<std::pair<std::string, std::string>> files;  // the history is the first
};

class ForgedArchive : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.workflow("change", kOneLane);
    world_.shell(
        "git config user.name Ana; git config user.email ana@example.org; git add -A; git commit -qm begin");
    world_.shell("git clone -q . ../clone");
    ASSERT_EQ(world_.reprise({"run", "change", "c1", "--quiet"}).exit, 0);
    ASSERT_EQ(world_.reprise({"export", "change/c1", "--output", "../sound.tar"}).exit, 0);
    bytes_ = world_.read("../sound.tar");
    const std::vector<TarEntry> entries = read_tar(bytes_).value();
    sound_.manifest = parse_manifest(entries.front().bytes).value();
    for (std::size_t i = 1; i < entries.size(); ++i)
      sound_.files.emplace_back(entries[i].path, std::string(entries[i].bytes));
    sound_.events = parse_lines(sound_.files.front().second).value();
  }

  // Imports the archive that `forge` makes of the sound one into the clone.
  Ended import(const std::function<void(Archive&)>& forge) const {
    Archive archive = sound_;
    forge(archive);
    TransferManifest& manifest = archive.manifest;
    manifest.events = static_cast<std::int64_t>(archive.events.size());
    manifest.head = chain_of(manifest.run, archive.events).back();
    archive.files.front().second = to_lines(archive.events);
    manifest.files.clear();
    for (const auto& [path, bytes] : archive.files)
      manifest.files.push_back({path, static_cast<std::int64_t>(bytes.size()), to_text(digest_of(bytes))});
    TarWriter writer(manifest.at);
    writer.add(kManifestEntry, to_json(manifest));
    for (const auto& [path, bytes] : archive.files) writer.add(path, bytes);
    world_.write("../forged.tar", writer.finish());
    return world_.reprise({"-C", "../clone", "import", "../forged.tar", "--yes"});
  }

  std::string clone() const {
    return world_
        .shell(
            "cd ../clone; find . -path ./.git/reprise -prune -o -type f -print | sort; git for-each-ref; "
            "git worktree list | wc -l; ls .git/reprise 2>/dev/null")
        .out;
  }

  void expect_refused(const std::string& what, const std::function<void(Archive&)>& forge) const {
    const std::string before = clone();
    const Ended ended = import(forge);
    EXPECT_EQ(ended.exit, 2) << what << ": " << ended.err;
    EXPECT_EQ(clone(), before) << what;
  }

  template <typename Kind>
  static void each(Archive& archive, const std::function<void(Kind&)>& change) {
    for (RecordedEvent& event : archive.events) {
      if (Kind* found = std::get_if<Kind>(&event.event)) change(*found);
    }
  }

  World world_;
  std::string bytes_;
  Archive sound_;
};

TEST_F(ForgedArchive, L8_SoundArchiveIsImported) {
  const Ended ended = import([](Archive&) {});
  EXPECT_EQ(ended.exit, 0) << ended.err;
  EXPECT_TRUE(world_.has("../clone/.worktrees/change/c1/part/text"));
}

TEST_F(ForgedArchive, L8_RunIdThatNoFileCanHaveIsRefused) {
  for (const std::string& subject :
       {std::string(300, 'a'), std::string(200, ' '), std::string(150, 'a') + "/" + std::string(150, 'b')}) {
    expect_refused(subject, [&](Archive& archive) {
      archive.manifest.run.text = "change/" + subject;
      archive.manifest.subject = subject;
      each<RunCreated>(archive, [&](RunCreated& created) {
        created.subject = subject;
        created.serial = "";
      });
    });
  }
}

TEST_F(ForgedArchive, L8_BranchThatCannotBeCheckedOutIsRefused) {
  const std::string current = world_.shell("git symbolic-ref --short HEAD | tr -d '\\n'").out;
  for (const std::string& branch : {std::string("HEAD"), std::string("a..b"), current}) {
    expect_refused(branch, [&](Archive& archive) {
      for (TransferRef& ref : archive.manifest.refs) {
        if (ref.ref.starts_with("refs/heads/")) ref.ref = "refs/heads/" + branch;
      }
      each<LaneCreated>(archive, [&](LaneCreated& lane) { lane.branch = branch; });
    });
  }
}

TEST_F(ForgedArchive, L8_LaneThatCannotBeMadeIsRefused) {
  expect_refused("a folder outside of the root of the lanes", [](Archive& archive) {
    each<LaneCreated>(archive, [](LaneCreated& lane) { lane.folder = "src/part"; });
  });
  expect_refused("a commit that does not exist", [](Archive& archive) {
    each<CheckpointReached>(archive, [](CheckpointReached& point) { point.commit = std::string(40, 'a'); });
  });
  expect_refused("a branch that is missing", [](Archive& archive) {
    std::erase_if(archive.manifest.refs,
                  [](const TransferRef& ref) { return ref.ref.starts_with("refs/heads/"); });
  });
}

TEST_F(ForgedArchive, L8_StepNamesThatLeaveTheirFolderAreRefused) {
  for (const char* step : {"part/../../x", "..", "/part", "part//write", ""}) {
    expect_refused(step, [&](Archive& archive) {
      each<AttemptStarted>(archive, [&](AttemptStarted& e) { e.step.text = step; });
      each<AttemptFinished>(archive, [&](AttemptFinished& e) { e.step.text = step; });
    });
  }
  expect_refused("a rescue that is an option", [](Archive& archive) {
    const StepPath lane = archive.manifest.lanes.front().lane;
    archive.events.push_back({{archive.events.back().number.value + 1},
                              archive.events.back().at,
                              LaneClosed{.lane = lane, .rescue = "--all"}});
  });
}

TEST_F(ForgedArchive, L8_FileThatIsAlsoAFolderIsRefused) {
  expect_refused("a file and a folder", [](Archive& archive) {
    archive.files.emplace_back("project/a", "x");
    archive.files.emplace_back("project/a/b", "x");
  });
  expect_refused("a name twice", [](Archive& archive) {
    archive.files.emplace_back("project/a", "x");
    archive.files.emplace_back("project/a", "y");
  });
  expect_refused("a long name", [](Archive& archive) {
    archive.files.emplace_back("attempts/part/write/1/" + std::string(256, 'a'), "x");
  });
}

}  // namespace
}  // namespace reprise::cli_test
