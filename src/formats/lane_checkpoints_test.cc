// The lanes' checkpoint file: what is read, what is refused, and that a write changes one record and
// no other byte.

#include "formats/lane_checkpoints.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/oddities_for_tests.h"
#include "formats/playbook_test_files.h"
#include "formats/state_file.h"
#include "model/limits.h"
#include "testing/mutations.h"

namespace reprise {
namespace {

// Two lanes, written by another program: an own field, a stage of its own, a time with an offset.
const std::string kFile = R"([
    {
        "run_id": "P2-20260301",
        "phase": "P2",
        "lane": "SL-KEEL",
        "stage": "before_lane_start",
        "status": "ready",
        "timestamp": "2026-03-01T09:00:00Z",
        "shipyard": {"berth": 4}
    },
    {
        "run_id": "P2-20260301",
        "phase": "P2",
        "lane": "SL-KEEL",
        "stage": "retry_attempt",
        "status": "retrying",
        "retry_attempt": 1,
        "max_retries": 3,
        "failure_context": [
            "Attempt 1: the keel is bent"
        ],
        "timestamp": "2026-03-01T12:30:00+02:00"
    },
    { "run_id": "P2-20260301", "phase": "P2", "lane": "SL-MAST", "stage": "after_scaffold", "status": "drying",
      "timestamp": "2026-03-01T09:00:01.250Z" }
]
)";

LaneCheckpoints read_checkpoints(const std::string& bytes) {
  Result<LaneCheckpoints> found = read_lane_checkpoints(bytes, "checkpoints.json");
  EXPECT_TRUE(found.has_value()) << bytes << (found ? "" : found.error().message);
  return found ? std::move(*found) : LaneCheckpoints{};
}

Strings checkpoint_reasons(const LaneCheckpoints& found) {
  Strings out;
  for (const Oddity& each : found.oddities) {
    out.push_back(std::to_string(each.line) + " " + each.text + ": " + each.why);
  }
  return out;
}

LaneCheckpoint a_record() {
  LaneCheckpoint record;
  record.run_id = "P2-20260301";
  record.phase = "P2";
  record.lane = "SL-KEEL";
  record.stage = LaneStage::BeforeLaneStart;
  record.status = LaneStatus::Complete;
  record.base_branch = "main";
  record.worktree_path = "/dock/.worktrees/P2/SL-KEEL";
  record.log_path = "/dock/.claude/run-logs/P2-20260301.jsonl";
  record.timestamp = *parse_timestamp("2026-03-01T13:00:00.500Z");
  record.notes = "plank \"7\"\nis \\ wet";
  record.resume_hint = "reprise run lanes P2.md --resume";
  record.rollback_hint = "reprise run lanes P2.md --rollback";
  return record;
}

TEST(LaneCheckpoints, LN03_EveryFieldIsRead) {
  const LaneCheckpoints found = read_checkpoints(kFile);
  ASSERT_EQ(found.records.size(), 3u);
  EXPECT_EQ(found.records[0].line, 2);
  EXPECT_EQ(found.records[0].stage, LaneStage::BeforeLaneStart);
  EXPECT_EQ(found.records[0].status, LaneStatus::Ready);
  EXPECT_EQ(found.records[0].extra, (std::vector<LaneExtraField>{{"shipyard", "{\"berth\": 4}"}}));
  EXPECT_EQ(found.records[1].retry_attempt, 1);
  EXPECT_EQ(found.records[1].max_retries, 3);
  EXPECT_EQ(found.records[1].failure_context, Strings{"Attempt 1: the keel is bent"});
  EXPECT_EQ(found.records[1].timestamp, parse_timestamp("2026-03-01T10:30:00Z"));
  EXPECT_EQ(found.records[2].line, 24);
  EXPECT_EQ(found.records[2].stage_word(), "after_scaffold");
  EXPECT_EQ(found.records[2].status_word(), "drying");
  EXPECT_EQ(checkpoint_reasons(found), (Strings{"24 after_scaffold: an unknown stage; it is kept as it is",
                                                "24 drying: an unknown status; it is kept as it is"}));
}

TEST(LaneCheckpoints, LN03_EveryWordOfStageAndStatusIsOne) {
  int words = 0;
  for (const auto& [stage, word] : kLaneStageTokens) {
    for (const auto& [status, status_word] : kLaneStatusTokens) {
      LaneCheckpoint record = a_record();
      record.stage = stage;
      record.status = status;
      const LaneCheckpoints found = read_checkpoints(upsert_lane_checkpoint("", record).value());
      ASSERT_EQ(found.records.size(), 1u);
      EXPECT_EQ(found.records[0].stage_word(), word);
      EXPECT_EQ(found.records[0].status_word(), status_word);
      EXPECT_EQ(found.records[0].stage, stage);
      EXPECT_EQ(found.records[0].status, status);
      EXPECT_TRUE(found.oddities.empty());
      ++words;
    }
  }
  EXPECT_EQ(words, 35);
}

TEST(LaneCheckpoints, LN01_AnEmptyFileIsAnEmptyList) {
  int shapes = 0;
  for (const std::string bytes : {"", "\n", " \r\n\t", "\xEF\xBB\xBF", "[]", "[\n]\n", "\xEF\xBB\xBF[]"}) {
    EXPECT_TRUE(read_checkpoints(bytes).records.empty()) << bytes;
    EXPECT_TRUE(read_checkpoints(bytes).oddities.empty()) << bytes;
    const std::string written = upsert_lane_checkpoint(bytes, a_record()).value();
    EXPECT_EQ(written.starts_with("\xEF\xBB\xBF"), bytes.starts_with("\xEF\xBB\xBF"));
    EXPECT_EQ(read_checkpoints(written).records.size(), 1u);
    ++shapes;
  }
  EXPECT_EQ(shapes, 7);
}

TEST(LaneCheckpoints, LN01_AFreshFileIsAListIndentedByTwo) {
  LaneCheckpoint record = a_record();
  record.retry_attempt = 1;
  record.max_retries = 2;
  record.failure_context = {"Attempt 1: rain"};
  const std::string bytes = upsert_lane_checkpoint("", record).value();
  EXPECT_EQ(bytes, R"([
  {
    "run_id": "P2-20260301",
    "phase": "P2",
    "lane": "SL-KEEL",
    "stage": "before_lane_start",
    "status": "complete",
    "base_branch": "main",
    "worktree_path": "/dock/.worktrees/P2/SL-KEEL",
    "log_path": "/dock/.claude/run-logs/P2-20260301.jsonl",
    "timestamp": "2026-03-01T13:00:00.500Z",
    "notes": "plank \"7\"\nis \\ wet",
    "resume_hint": "reprise run lanes P2.md --resume",
    "rollback_hint": "reprise run lanes P2.md --rollback",
    "retry_attempt": 1,
    "max_retries": 2,
    "failure_context": [
      "Attempt 1: rain"
    ]
  }
]
)");
  record.line = 2;
  EXPECT_EQ(read_checkpoints(bytes).records.at(0), record);
}

TEST(LaneCheckpoints, LN01_ARecordIsReplacedWhereItStandsAndNoOtherByteChanges) {
  const LaneCheckpoint record = a_record();
  const std::string bytes = upsert_lane_checkpoint(kFile, record).value();
  std::string wanted = kFile;
  const auto replace = [&](const std::string& from, const std::string& to) {
    wanted.replace(wanted.find(from), from.size(), to);
  };
  replace("\"ready\"", "\"complete\"");
  replace("\"2026-03-01T09:00:00Z\"", "\"2026-03-01T13:00:00.500Z\"");
  replace("{\"berth\": 4}\n", R"({"berth": 4},
        "base_branch": "main",
        "worktree_path": "/dock/.worktrees/P2/SL-KEEL",
        "log_path": "/dock/.claude/run-logs/P2-20260301.jsonl",
        "notes": "plank \"7\"\nis \\ wet",
        "resume_hint": "reprise run lanes P2.md --resume",
        "rollback_hint": "reprise run lanes P2.md --rollback"
)");
  EXPECT_EQ(bytes, wanted);
  EXPECT_EQ(upsert_lane_checkpoint(bytes, record).value(), bytes);
}

TEST(LaneCheckpoints, LN01_AnotherStageRunPhaseOrLaneIsARecordOfItsOwn) {
  int added = 0;
  for (const int which : {0, 1, 2, 3}) {
    LaneCheckpoint record = a_record();
    if (which == 0) record.run_id += "b";
    if (which == 1) record.phase = "P3";
    if (which == 2) record.lane = "-";
    if (which == 3) record.stage = LaneStage::PrePr;
    const std::string bytes = upsert_lane_checkpoint(kFile, record).value();
    EXPECT_TRUE(bytes.starts_with(kFile.substr(0, kFile.size() - 3))) << bytes;
    ASSERT_EQ(read_checkpoints(bytes).records.size(), 4u);
    EXPECT_EQ(read_checkpoints(bytes).records[3].key(), record.key());
    ++added;
  }
  EXPECT_EQ(added, 4);
}

TEST(LaneCheckpoints, WhatTheNewRecordDoesNotHaveKeepsNoOldValue) {
  LaneCheckpoint record = a_record();
  record.stage = LaneStage::RetryAttempt;
  const LaneCheckpoint found = read_checkpoints(upsert_lane_checkpoint(kFile, record).value()).records.at(1);
  EXPECT_EQ(found.retry_attempt, std::nullopt);
  EXPECT_EQ(found.max_retries, std::nullopt);
  EXPECT_TRUE(found.failure_context.empty());
}

TEST(LaneCheckpoints, ASingleRecordIsReadAndBecomesAListWhenWritten) {
  const std::string one =
      "{\"run_id\":\"r\",\"phase\":\"P1\",\"lane\":\"SL-1\",\"stage\":\"pre_pr\",\"status\":\"ready\","
      "\"timestamp\":\"2026-01-01\"}";
  EXPECT_EQ(read_checkpoints(one).records.size(), 1u);
  const std::string bytes = upsert_lane_checkpoint(one, a_record()).value();
  EXPECT_TRUE(bytes.starts_with("[\n" + one + ",\n{\"run_id\":\"P2-20260301\",")) << bytes;
  EXPECT_EQ(read_checkpoints(bytes).records.size(), 2u);
}

TEST(LaneCheckpoints, KeysAreReadHoweverTheyAreSpelledAndKeepTheirSpelling) {
  const std::string bytes =
      "[{\"runId\": \"P2-20260301\", \"Phase\": \"P2\", \"LANE\": \"SL-KEEL\", \"stage\": "
      "\"Before Lane Start\", \"status\": \"In Progress\", \"timestamp\": \"2026-01-01T00:00:00Z\"}]";
  EXPECT_EQ(read_checkpoints(bytes).records.at(0).status, LaneStatus::InProgress);
  const std::string written = upsert_lane_checkpoint(bytes, a_record()).value();
  EXPECT_EQ(read_checkpoints(written).records.size(), 1u);
  EXPECT_TRUE(
      written.starts_with("[{\"runId\": \"P2-20260301\", \"Phase\": \"P2\", \"LANE\": \"SL-KEEL\", \"stage\": "
                          "\"Before Lane Start\", \"status\": \"complete\""))
      << written;
}

TEST(LaneCheckpoints, WhatIsNoRecordIsListedAndKept) {
  const std::string bytes = R"([
  7,
  {"stage": "after_scaffold", "lane": "<LANE_ID>", "scaffolds": []},
  {"run_id": "r", "phase": "P1", "lane": "L", "stage": "pre_pr", "status": "ready", "timestamp": "at dawn"},
  {"run_id": 12, "phase": "P1", "lane": "L", "stage": "pre_pr", "status": "ready", "status": "failed",
   "timestamp": "2026-01-01T00:00:00Z", "retry_attempt": "many", "failure_context": "it broke"},
  {"run_id": "12", "phase": "P1", "lane": "L", "stage": "pre_pr", "status": "ready", "timestamp": "2026-01-01"}
])";
  const LaneCheckpoints found = read_checkpoints(bytes);
  ASSERT_EQ(found.records.size(), 2u);
  EXPECT_EQ(found.records[0].run_id, "12");
  EXPECT_EQ(found.records[0].status, LaneStatus::Failed);
  EXPECT_EQ(found.records[0].failure_context, Strings{"it broke"});
  EXPECT_EQ(
      checkpoint_reasons(found),
      (Strings{"2 7: not a checkpoint",
               "3 {\"stage\": \"after_scaffold\", \"lane\": \"<LANE_ID>\", \"scaffolds\": []}: not a checkpoint: "
               "it has no run_id, phase, lane, status, timestamp",
               "4 at dawn: not a checkpoint: this is not a point in time",
               "5 status: this key stands there twice; the last one counts",
               "5 many: not a number for retry_attempt",
               "7 L: a second record for this run, phase, lane and stage; the first is in line 5"}));
  const std::string written = upsert_lane_checkpoint(bytes, a_record()).value();
  EXPECT_TRUE(written.starts_with(bytes.substr(0, bytes.size() - 2)));
}

TEST(LaneCheckpoints, RecordsWithOneKeyAllBecomeTheNewOne) {
  const std::string one =
      "{\"run_id\":\"P2-20260301\",\"phase\":\"P2\",\"lane\":\"SL-KEEL\",\"stage\":"
      "\"before_lane_start\",\"status\":\"ready\",\"timestamp\":\"2027-01-01\"}";
  const LaneCheckpoints found =
      read_checkpoints(upsert_lane_checkpoint("[" + one + "," + one + "]", a_record()).value());
  ASSERT_EQ(found.records.size(), 2u);
  for (const LaneCheckpoint& record : found.records) EXPECT_EQ(record.status, LaneStatus::Complete);
}

TEST(LaneCheckpoints, TheLatestIsByTimeThenByStageWhateverTheOrder) {
  const LaneCheckpoints found = read_checkpoints(kFile);
  const LaneRun keel{"P2-20260301", "P2", "SL-KEEL"};
  EXPECT_EQ(latest_checkpoint(found.records, keel), &found.records[1]);
  EXPECT_EQ(latest_checkpoint(found.records, {"P2-20260301", "P2", "SL-MAST"}), &found.records[2]);
  EXPECT_EQ(latest_checkpoint(found.records, {"P2-20260301", "P1", "SL-KEEL"}), nullptr);
  EXPECT_EQ(latest_checkpoint(found.records, {"other", "P2", "SL-KEEL"}), nullptr);
  const std::vector<LaneStage> order = {LaneStage::BeforeLaneStart, LaneStage::AfterLaneStart,
                                        LaneStage::AfterLaneTests, LaneStage::RetryAttempt, LaneStage::PrePr};
  std::vector<LaneCheckpoint> records(order.size(), a_record());
  for (std::size_t i = 0; i < order.size(); ++i) records[i].stage = order[order.size() - 1 - i];
  EXPECT_EQ(latest_checkpoint(records, keel)->stage, LaneStage::PrePr);
  records[0].timestamp = records[0].timestamp - Duration(1);
  EXPECT_EQ(latest_checkpoint(records, keel)->stage, LaneStage::RetryAttempt);
}

TEST(LaneCheckpoints, ARecordWithoutItsKeyIsRefused) {
  LaneCheckpoint record = a_record();
  record.lane.clear();
  EXPECT_EQ(upsert_lane_checkpoint("[]", record).error().kind, ErrorKind::Invalid);
  record = a_record();
  record.stage = LaneStage::Unknown;
  EXPECT_EQ(upsert_lane_checkpoint("[]", record).error().kind, ErrorKind::Invalid);
  record.stage_text = "after_lunch";
  EXPECT_EQ(read_checkpoints(upsert_lane_checkpoint("[]", record).value()).records.at(0).stage_word(),
            "after_lunch");
}

TEST(LaneCheckpoints, LN01_ATornFileIsNeverAnEmptyOne) {
  std::size_t cuts = 0;
  const std::size_t whole = kFile.size() - 1;  // only the last line end may be missing
  for (std::size_t length = 1; length < whole; ++length, ++cuts) {
    const Result<LaneCheckpoints> found = read_lane_checkpoints(kFile.substr(0, length), "c.json");
    ASSERT_FALSE(found.has_value()) << length;
    EXPECT_EQ(found.error().kind, ErrorKind::Corrupt);
    EXPECT_EQ(found.error().file, "c.json");
    EXPECT_GE(found.error().line, 1);
    EXPECT_GE(found.error().column, 1);
    EXPECT_FALSE(upsert_lane_checkpoint(kFile.substr(0, length), a_record()).has_value());
  }
  EXPECT_EQ(cuts, whole - 1);
  const Error torn = read_lane_checkpoints(kFile.substr(0, kFile.find("P2-2026") + 4), "c.json").error();
  EXPECT_EQ(std::pair(torn.line, torn.column), std::pair(3, 24));
  EXPECT_EQ(torn.message, "it ends in the middle of a value; it was probably not written to its end");
}

TEST(LaneCheckpoints, WhatIsNoJsonListIsRefused) {
  for (const std::string bytes : {"7", "\"x\"", "null", "[] []", "[1,]", "{", "[\"\xFF\"]", "hello"}) {
    EXPECT_EQ(read_lane_checkpoints(bytes, "c.json").error().kind, ErrorKind::Corrupt) << bytes;
  }
  EXPECT_EQ(read_lane_checkpoints(std::string(4, '\0'), "c.json").error().kind, ErrorKind::Corrupt);
  EXPECT_EQ(read_lane_checkpoints("[" + std::string(kDocumentBytesMax, ' ') + "]", "c.json").error().kind,
            ErrorKind::Corrupt);
}

TEST(LaneCheckpoints, P13_ManyRecordsAreLinear) {
  std::string bytes = "[";
  for (int i = 0; i < 20'000; ++i) {
    bytes +=
        std::string(i == 0 ? "" : ",") + "{\"run_id\":\"r" + std::to_string(i) +
        "\",\"phase\":\"P\",\"lane\":\"L\",\"stage\":\"pre_pr\",\"status\":\"?\",\"timestamp\":\"2026-01-01\"}";
  }
  const std::string written = upsert_lane_checkpoint(bytes + "]", a_record()).value();
  EXPECT_EQ(read_checkpoints(written).records.size(), 20'001u);
  const std::string one =
      "{\"run_id\":\"P2-20260301\",\"phase\":\"P2\",\"lane\":\"SL-KEEL\",\"stage\":\"before_lane_start\"}";
  std::string same = "[" + one;
  for (int i = 1; i < 50'000; ++i) same += "," + one;
  EXPECT_TRUE(upsert_lane_checkpoint(same + "]", a_record()).has_value());
}

TEST(LaneCheckpoints, LN01_MutatedAtRandomItIsRefusedOrTheRecordIsInItAfterwards) {
  const Strings pieces = {"{",
                          "}",
                          "[",
                          "]",
                          ",",
                          ":",
                          "\"",
                          "\n",
                          "\r\n",
                          "\"lane\": 1",
                          "{}",
                          "\\",
                          "\xFF",
                          std::string(1, '\0'),
                          "\"status\": \"ready\",",
                          "null",
                          "SL-KEEL",
                          "before_lane_start"};
  std::mt19937 random(5);
  int rounds = 0;
  int read_well = 0;
  for (; rounds < 10'000; ++rounds) {
    const std::string bytes = mutated(kFile, pieces, random);
    const Result<LaneCheckpoints> before = read_lane_checkpoints(bytes, "c.json");
    const Result<std::string> written = upsert_lane_checkpoint(bytes, a_record());
    ASSERT_EQ(before.has_value(), written.has_value()) << bytes;
    if (!before) continue;
    ++read_well;
    const LaneCheckpoints after = read_checkpoints(*written);
    const auto is_ours = [](const LaneCheckpoint& record) { return record.key() == a_record().key(); };
    EXPECT_GE(std::ranges::count_if(after.records, is_ours), 1) << *written;
    for (const LaneCheckpoint& record : after.records) {
      EXPECT_TRUE(!is_ours(record) || record.notes == a_record().notes) << *written;
    }
    const auto others = [&](const LaneCheckpoints& all) {
      return std::ranges::count_if(all.records, std::not_fn(is_ours));
    };
    EXPECT_EQ(others(after), others(*before)) << bytes;
    EXPECT_EQ(upsert_lane_checkpoint(*written, a_record()).value(), *written);
  }
  EXPECT_EQ(rounds, 10'000);
  EXPECT_GT(read_well, 500);
}

TEST(LaneCheckpoints, RealRecordsAreReadOrListed) {
  const std::vector<TestFile> files = test_files_in(source_folder() / "../shared/corpus/checkpoints");
  if (files.empty()) GTEST_SKIP() << "there are no real files beside the sources";
  int records = 0;
  for (const TestFile& file : files) {
    const LaneCheckpoints found = read_checkpoints(file.bytes);
    EXPECT_EQ(found.records.size() + found.oddities.size(), 1u) << file.name;
    records += static_cast<int>(found.records.size());
    EXPECT_TRUE(upsert_lane_checkpoint(file.bytes, a_record()).has_value());
  }
  EXPECT_EQ(records, 1);
}

}  // namespace
}  // namespace reprise
