// The projector between a journal and a file that somebody else saves: what is displaced, found, and dropped.

#include "executor/projector.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/digest.h"
#include "os/file_system.h"
#include "os/shared_file.h"
#include "testing/fixed_clock.h"
#include "testing/memory_journal.h"
#include "testing/temporary_folder.h"

namespace reprise {
namespace {

// A file whose first line is ours: how many notes there are. The rest is other people's.
class CountingSystem : public NativeState {
 public:
  Result<std::string> show(std::string_view bytes, const RunState& state) const override {
    const std::size_t end = bytes.find('\n');
    return std::to_string(state.notes.size()) + "\n" +
           std::string(end == std::string_view::npos ? "" : bytes.substr(end + 1));
  }
  Result<HandEdits> edits(std::string_view, std::string_view, const RunState&) const override {
    return HandEdits{};
  }
  Result<Judgement> judge(std::string_view, const RunState&, const Graph&) override { return Judgement{}; }
};

class ProjectorTest : public testing::Test {
 protected:
  ProjectorTest() {
    const Event created = RunCreated{.workflow = "demo", .subject = "x", .native_file = "state.md"};
    lease_ = journal_.create(run_, {&created, 1}, {}).value();
    state_ = journal_.state(run_).value();
    EXPECT_FALSE(find());
    note("begin");
  }

  std::optional<Projector::Edit> find() { return projector_->find_edit(state_).value(); }
  void take(const Projector::Edit& edit) {
    ASSERT_TRUE(projector_->take(edit, true));
    pending_.push_back(StateFileEdited{"state.md", edit.before_digest, edit.now_digest, {}});
    flush();
  }
  void note(const std::string& text) {
    pending_.push_back(NoteAdded{text, ""});
    flush();
  }
  void flush() {
    for (const Event& event : pending_) fold(event);
    if (const auto announced = projector_->prepare(state_).value()) {
      pending_.push_back(*announced);
      fold(*announced);
    }
    const EventNumber before{state_.last.value - static_cast<std::int64_t>(pending_.size())};
    ASSERT_TRUE(journal_.append(lease_, before, pending_));
    pending_.clear();
    ASSERT_TRUE(projector_->write());
  }
  void fold(const Event& event) { ASSERT_TRUE(apply(state_, {{state_.last.value + 1}, clock_.now(), event})); }
  /// The session is gone, and another one begins.
  void begin_session() { projector_.emplace(system_, journal_, files_, folder_.path(), folder_.path()); }

  std::string content() { return files_.read(file_, 1 << 20).value_or("(none)"); }
  void save_over(const std::string& text) { ASSERT_TRUE(files_.replace(file_, text)); }
  int files_in_folder() {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++count;
    return count;
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "state.md";
  PosixFileSystem files_;
  FixedClock clock_;
  MemoryJournalStore store_;
  MemoryJournal journal_{store_, clock_};
  CountingSystem system_;
  RunId run_{"demo/x"};
  Lease lease_;
  RunState state_;
  std::vector<Event> pending_;
  std::optional<Projector> projector_{std::in_place, system_, journal_, files_, folder_.path(), folder_.path()};
};

TEST_F(ProjectorTest, F4_AnEditThatWasDisplacedIsFoundAfterFurtherWrites) {
  save_over("1\nby hand\n");
  note("one more");  // displaces it
  note("and another");
  ASSERT_EQ(content(), "3\n");
  const std::optional<Projector::Edit> edit = find();
  ASSERT_TRUE(edit);
  EXPECT_EQ(edit->now, "1\nby hand\n");
  take(*edit);
  EXPECT_EQ(content(), "3\nby hand\n");
  EXPECT_EQ(files_in_folder(), 1);
  EXPECT_FALSE(find());
}

TEST_F(ProjectorTest, F4_AnEditorThatIsStillAtItIsWaitedForWhereverItsFileLies) {
  const int editor = ::open(file_.c_str(), O_WRONLY | O_TRUNC);
  ASSERT_EQ(::write(editor, "1\nby", 4), 4);
  note("one more");
  note("and another");
  EXPECT_FALSE(find()) << "half of it is not read";
  ASSERT_EQ(::write(editor, " hand\n", 6), 6);
  ::close(editor);
  const std::optional<Projector::Edit> edit = find();
  ASSERT_TRUE(edit);
  EXPECT_EQ(edit->now, "1\nby hand\n");
}

TEST_F(ProjectorTest, F4_WhatWasDisplacedAndWhatIsInTheFileAreBothFound) {
  save_over("1\nfirst\n");
  note("one more");
  save_over("2\nsecond\n");
  const std::optional<Projector::Edit> first = find();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->now, "1\nfirst\n");
  ASSERT_TRUE(projector_->take(*first, true));
  const std::optional<Projector::Edit> second = find();
  ASSERT_TRUE(second) << "before the first one is durable";
  EXPECT_EQ(second->now, "2\nsecond\n");
  EXPECT_EQ(second->before, "2\n") << "it was made to what we had written, not to the other edit";
  EXPECT_EQ(displaced_files(file_).size(), 1u) << "it goes when it is on record";
}

TEST_F(ProjectorTest, F5_WhatAKilledSessionHadTakenIsNotReadAgain) {
  save_over("1\nby hand\n");
  take(*find());
  note("one more");
  ASSERT_TRUE(files_.replace(displaced_name(file_), "1\nby hand\n"));  // killed before it was removed
  ASSERT_TRUE(files_.replace(displaced_name(file_).string() + "-1", "1\n"));
  begin_session();
  EXPECT_FALSE(find());
  EXPECT_EQ(files_in_folder(), 1);
}

TEST_F(ProjectorTest, F5_AnEditThatAKilledSessionDisplacedIsRead) {
  save_over("1\nby hand\n");
  note("one more");
  begin_session();
  const std::optional<Projector::Edit> edit = find();
  ASSERT_TRUE(edit);
  EXPECT_EQ(edit->now, "1\nby hand\n");
  EXPECT_EQ(edit->before, "1\n");
}

TEST_F(ProjectorTest, F3_WhatIsAnnouncedAsReplacedCanBeHadFromTheJournal) {
  save_over("1\nby hand\n");
  note("one more");
  EXPECT_TRUE(journal_.text(state_.state_file.before)) << "also if somebody saved in between";
  EXPECT_EQ(state_.state_file.before, to_text(digest_of("1\n")));
}

}  // namespace
}  // namespace reprise
