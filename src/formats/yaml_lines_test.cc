// Broken YAML read line by line, and the words of the orchestrator's files.

#include "formats/yaml_lines.h"

#include "formats/orchestrator_test_files.h"
#include "formats/orchestrator_words.h"

namespace reprise {
namespace {

std::string shown(const StateValue& value) {
  if (value.kind == StateValue::Kind::Nothing) return "~";
  if (value.kind == StateValue::Kind::Text) return value.text;
  std::string out;
  for (const StateEntry& entry : value.entries)
    out += (out.empty() ? "" : ", ") + entry.key + "=" + shown(entry.value);
  for (const StateValue& element : value.elements) out += (out.empty() ? "" : ", ") + shown(element);
  return (value.is_map() ? "{" : "[") + out + (value.is_map() ? "}" : "]");
}

std::string lines(const std::string& bytes) {
  std::vector<Oddity> oddities;
  const std::string out = shown(read_yaml_lines(bytes, oddities));
  return oddities.empty() ? out : out + " odd " + testing::PrintToString(reasons(oddities));
}

TEST(YamlLines, IndentationNestsAndValuesStayText) {
  EXPECT_EQ(lines("a: 1\nb:\n  c: 2.10 # x\n  \"d\": 'e'\nf:\n"), "{a=1, b={c=2.10, d=e}, f=~}");
  EXPECT_EQ(lines("a:\n  - 1\n  - b: 2\n    c: 3\n  - [x, y]\nd: { e: f }\n"),
            "{a=[1, {b=2, c=3}, [x, y]], d={e=f}}");
  EXPECT_EQ(lines("a:\n- 1\n- 2\nb: 3\n"), "{a=[1, 2], b=3}");
  EXPECT_EQ(lines("t: a: b\nu: http://x\n"), "{t=a: b, u=http://x}");
  EXPECT_EQ(lines("t: |\n  x: 1\n\n  y\nu: 2\r\n"), "{t=~, u=2}");
  EXPECT_EQ(lines("---\n# c\na: \"open\n"), "{a=\"open}");
  EXPECT_EQ(lines("a: { b\n"), "{a={ b}");
  EXPECT_EQ(lines("just words\n"), "{} odd { \"1 just words: this line gives nothing by itself\" }");
  EXPECT_EQ(lines(""), "{}");
}

TEST(YamlLines, ASoundFileGivesWhatTheReaderGives) {
  int files = 0;
  for (const std::string& file : {kEpicFile, kPlanFile, kRecordFlow, kCheckpointFlow, kInstanceFlow}) {
    std::vector<Oddity> oddities;
    std::string expected = shown(read_state_tree(file, "").value().root);
    for (std::size_t at = expected.find("=~"); at != std::string::npos; at = expected.find("=~", at)) {
      expected.replace(at, 2, "=null");
    }
    EXPECT_EQ(shown(read_yaml_lines(file, oddities)), expected);
    EXPECT_TRUE(oddities.empty());
    ++files;
  }
  EXPECT_EQ(files, 5);
}

TEST(YamlLines, DepthHasALimit) {
  std::string deep;
  for (std::size_t i = 0; i < 1'000; ++i) deep += std::string(i, ' ') + "a:\n";
  std::vector<Oddity> oddities;
  EXPECT_EQ(read_yaml_lines(deep, oddities).entries.size(), 1u);
  EXPECT_GE(oddities.size(), 500u);
}

TEST(OrchestratorWords, EveryStatusThatIsWrittenIsReadAsItself) {
  int words = 0;
  const auto check_word = [&](auto status, auto meaning) {
    EXPECT_EQ(meaning(word_of(status)), status) << word_of(status);
    ++words;
  };
  for (const auto each : {EpicStatus::Active, EpicStatus::Completed, EpicStatus::Aborted})
    check_word(each, epic_status_of);
  for (const auto each : {WaveStatus::Pending, WaveStatus::InProgress, WaveStatus::GateReview,
                          WaveStatus::Completed, WaveStatus::Failed}) {
    check_word(each, wave_status_of);
  }
  for (const auto each :
       {EpicStoryStatus::Pending, EpicStoryStatus::InProgress, EpicStoryStatus::InReview,
        EpicStoryStatus::Completed, EpicStoryStatus::Failed, EpicStoryStatus::Blocked, EpicStoryStatus::Skipped}) {
    check_word(each, epic_story_status_of);
  }
  for (const auto each : {FlowStatus::Active, FlowStatus::Interrupted, FlowStatus::Paused, FlowStatus::Completed,
                          FlowStatus::Aborted}) {
    check_word(each, flow_status_of);
  }
  for (const auto each : {QaVerdict::Approve, QaVerdict::Reject, QaVerdict::Blocked})
    check_word(each, qa_verdict_of);
  EXPECT_EQ(words, 23);
  EXPECT_EQ(word_of(EpicStatus::Unknown), "");
  EXPECT_EQ(word_of(WaveStatus::Missing), "");
}

TEST(OrchestratorWords, AQaLoopsStatusIsReadBackFromEachDialect) {
  int words = 0;
  for (const std::string_view dialect : {"reference", "compact", "fork"}) {
    for (const auto status :
         {QaLoopStatus::InProgress, QaLoopStatus::Completed, QaLoopStatus::Stopped, QaLoopStatus::Escalated}) {
      EXPECT_EQ(qa_loop_status_of(word_of(status, dialect)), status) << dialect;
      ++words;
    }
  }
  EXPECT_EQ(words, 12);
  EXPECT_EQ(word_of(QaLoopStatus::Pending, "compact"), "idle");
  EXPECT_EQ(word_of(QaLoopStatus::Idle, "reference"), "pending");
}

TEST(OrchestratorWords, IdsWavesAndAgentsAreComparedAsPeopleWriteThem) {
  EXPECT_TRUE(is_same_story("story-1.1", "1.1"));
  EXPECT_TRUE(is_same_story("ACT-1", "act-1"));
  EXPECT_FALSE(is_same_story("2.10", "2.1"));
  EXPECT_FALSE(is_same_story("story", "1"));
  EXPECT_EQ(wave_number("wave-1"), "1");
  EXPECT_EQ(wave_number("Wave 12"), "12");
  EXPECT_EQ(wave_number(" 3"), "3");
  EXPECT_EQ(wave_number("wave"), "wave");
  EXPECT_EQ(agent_name("@dev"), "dev");
  EXPECT_EQ(gate_verdict_of("APPROVED ✅"), "approved");
  EXPECT_EQ(gate_verdict_of("Fail"), "rejected");
  EXPECT_TRUE(is_gap("STORY-{id}"));
  EXPECT_FALSE(is_gap("use {a, b}"));
}

}  // namespace
}  // namespace reprise
