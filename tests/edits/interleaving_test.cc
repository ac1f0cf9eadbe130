// A thousand runs, each with a person who saves the state file at moments that a seed decides, in every way in
// which editors save, while sessions write the same file and some of them are killed. Afterwards: no edit is lost,
// none was read half, every version is in the journal, and the file can be read.
//
// REPRISE_SEED=n repeats the round with that seed and tells its story.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>

#include "base/check.h"
#include "base/digest.h"
#include "base/strings.h"
#include "desk.h"
#include "editor.h"
#include "formats/playbook.h"
#include "formats/spec_loop.h"
#include "journal/journal.h"
#include "os/clock.h"
#include "os/entropy.h"

namespace reprise {
namespace {

constexpr int kRounds = 1'000;
constexpr unsigned kFirstSeed = 1;
constexpr int kParallel = 2;
constexpr int kSessionsMax = 40;
constexpr std::size_t kSavesMax = 4;  // per round
constexpr int kEventsMax = 100'000;
constexpr std::size_t kShownMax = 10;

/// How often each kind of interleaving happened.
struct Tally {
  std::array<std::array<int, kStyles>, kMoments> saves{};
  std::array<int, kMoments> held_open{};  // the editor had the file open for writing
  std::array<int, kMoments> kills{};
  std::array<int, kChanges> changes{};
  int beside = 0;  // saves that met the last write of a run, and lie beside the file
  int over = 0;    // rounds that went to the end of the run
  int rounds = 0;
};

// One run with its person.
class Round {
 public:
  Round(std::filesystem::path folder, unsigned seed, bool tells)
      : random_(seed),
        tells_(tells),
        desk_(std::move(folder), seed % 2 == 0),
        editor_(desk_.file(), seed % 2 == 0, random_) {
    eagerness_ = 1 + random_() % 8;
    if (seed % 2 == 0 && seed % 10 != 0) waits_max_ = 2;
    if (random_() % 2 == 0) kill_in_ = static_cast<int>(1 + random_() % 50);
  }

  std::vector<std::string> play() {
    Desk::Kind kind = Desk::Kind::Work;
    int waits = 0;
    for (int i = 0; i < kSessionsMax && !is_over_ && waits < waits_max_; ++i) {
      const int code = make_session(kind);
      is_over_ = kind != Desk::Kind::Decide && code == 0;
      waits += code == 3 ? 1 : 0;
      // What is not ticked or typed in time is said by command, or to the session itself.
      kind =
          code == 3 && (waits_max_ < kSessionsMax || random_() % 3 == 0) ? Desk::Kind::Decide : Desk::Kind::Grant;
      if (waits_max_ < kSessionsMax && kind == Desk::Kind::Grant) kind = Desk::Kind::Work;
    }
    editor_.finish();
    is_quiet_ = true;
    if (!is_over_) is_over_ = make_session(Desk::Kind::Work) == 0;
    if (waits_max_ == kSessionsMax && !is_over_) violations_.emplace_back("the end is not reached");
    tally_.over = is_over_ ? 1 : 0;
    judge();
    return violations_;
  }

  const Tally& tally() const { return tally_; }

 private:
  void tell(const std::string& line) const {
    if (tells_) std::printf("  %s\n", line.c_str());
  }

  int make_session(Desk::Kind kind) {
    const SessionResult result =
        desk_.session(kind, [this](Moment moment) { return reach(moment); }, [this] { editor_.forget(); });
    tell(std::string(kind == Desk::Kind::Decide ? "decision" : "session") + " ends with " +
         std::to_string(result.code));
    if (result.code == 1) violations_.push_back("a session fails: " + result.error);
    return result.code;
  }

  bool reach(Moment moment) {
    if (is_quiet_) return true;
    const auto m = static_cast<std::size_t>(moment);
    if (kill_in_ > 0 && --kill_in_ == 0) {
      tell("killed " + std::string(name_of(moment)));
      ++tally_.kills[m];
      if (random_() % 3 == 0) kill_in_ = static_cast<int>(1 + random_() % 30);
      return false;
    }
    while (editor_.saved().size() < kSavesMax && random_() % 12 < eagerness_) {
      const std::vector<Step> steps = editor_.go_on();
      if (steps.empty()) break;
      if (steps.front() != Step::Save) continue;
      const Saved& saved = editor_.saved().back();
      tell("saved " + std::string(name_of(saved.style)) + " " + std::string(name_of(moment)) + ": " + saved.words);
      ++tally_.saves[m][static_cast<std::size_t>(saved.style)];
      ++tally_.changes[static_cast<std::size_t>(saved.change)];
    }
    if (editor_.is_saving() && editor_.style() != Style::RenameOver) ++tally_.held_open[m];
    return true;
  }

  void judge();
  void judge_edits(Journal& journal, const std::vector<RecordedEvent>& events);
  void judge_import(const std::vector<RecordedEvent>& events);
  void judge_file();
  std::vector<std::string> texts_beside() const;

  std::mt19937 random_;
  bool tells_;
  Desk desk_;
  Editor editor_;
  unsigned long eagerness_ = 1;
  int waits_max_ = kSessionsMax;  // how often the run may come to wait before the person stops
  bool is_over_ = false;
  bool is_quiet_ = false;  // the person has stopped
  int kill_in_ = 0;
  Tally tally_{.rounds = 1};
  std::string final_;
  std::vector<std::string> violations_;
};

std::string whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> Round::texts_beside() const {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(desk_.file().parent_path())) {
    if (entry.path().filename().string().find("reprise") != std::string::npos)
      texts.push_back(whole(entry.path()));
  }
  return texts;
}

void Round::judge() {
  final_ = whole(desk_.file());
  SystemClock clock;
  SystemEntropy entropy;
  const auto journal = open_sqlite_journal(desk_.store(), OpenMode::ReadOnly, clock, entropy);
  check(journal.has_value());
  const auto events = (*journal)->events(desk_.run(), {0}, kEventsMax);
  check(events.has_value());
  judge_edits(**journal, *events);
  judge_import(*events);
  judge_file();
}

// Every edit that was completed is in the file or on record; every version that was replaced is in the journal.
void Round::judge_edits(Journal& journal, const std::vector<RecordedEvent>& events) {
  std::string on_record;
  for (const RecordedEvent& each : events) {
    const auto* edited = std::get_if<StateFileEdited>(&each.event);
    const auto* written = std::get_if<StateFileWritten>(&each.event);
    if (edited == nullptr && written == nullptr) continue;
    for (const std::string& digest : edited != nullptr ? std::array{edited->before, edited->digest}
                                                       : std::array{written->before, written->digest}) {
      if (!digest.empty() && !journal.text(digest)) violations_.push_back("a version is not kept: " + digest);
    }
    if (edited != nullptr) on_record += journal.text(edited->digest).value_or("");
  }
  const std::vector<std::string> beside = texts_beside();
  for (const Saved& saved : editor_.saved()) {
    if (final_.find(saved.words) != std::string::npos || on_record.find(saved.words) != std::string::npos)
      continue;
    // A run that is over is not looked at again: what met its last write stays beside the file.
    const bool is_beside = std::ranges::any_of(
        beside, [&](const std::string& text) { return text.find(saved.words) != std::string::npos; });
    if (is_beside && is_over_) {
      ++tally_.beside;
    } else {
      violations_.push_back("an edit is lost: " + saved.words + " (" + std::string(name_of(saved.style)) + ")");
    }
  }
}

// What is on record was said by somebody, as a whole, and once.
void Round::judge_import(const std::vector<RecordedEvent>& events) {
  std::set<std::string> whole_contents;
  for (const Saved& saved : editor_.saved()) whole_contents.insert(to_text(digest_of(saved.content)));
  std::map<std::string, int> said;
  for (const std::string& words : editor_.all_words()) said[words] = 0;
  for (const RecordedEvent& each : events) {
    if (const auto* edited = std::get_if<StateFileEdited>(&each.event)) {
      if (!whole_contents.contains(edited->digest)) violations_.push_back("nobody saved " + edited->digest);
    }
    std::string words;
    if (const auto* note = std::get_if<NoteAdded>(&each.event); note != nullptr && !note->by.empty())
      words = note->text;
    if (const auto* answer = std::get_if<QuestionAnswered>(&each.event); answer != nullptr && answer->by != "ana")
      words = answer->text;
    if (words.empty()) continue;
    if (!said.contains(words)) violations_.push_back("nobody said \"" + words + "\"");
    if (++said[words] > 1) violations_.push_back("on record twice: " + words);
  }
}

void Round::judge_file() {
  std::string fault;
  if (desk_.is_playbook()) {
    const Result<PlaybookClaims> claims = read_playbook(final_, "");
    if (!claims) fault = claims.error().message;
  } else {
    const Result<SpecLoopClaims> claims = read_spec_loop(final_, "");
    if (!claims) fault = claims.error().message;
  }
  if (!fault.empty()) violations_.push_back("the file cannot be read: " + fault);
  if (is_over_) return;  // nobody looks at a run that is over, nor cleans up after it
  if (const std::size_t left = texts_beside().size(); left > 0)
    violations_.push_back(std::to_string(left) + " file(s) are left beside the state file");
}

// ---- many rounds, in two processes

void add(Tally& sum, const Tally& more) {
  for (std::size_t m = 0; m < kMoments; ++m) {
    for (std::size_t s = 0; s < kStyles; ++s) sum.saves[m][s] += more.saves[m][s];
    sum.held_open[m] += more.held_open[m];
    sum.kills[m] += more.kills[m];
  }
  for (std::size_t c = 0; c < kChanges; ++c) sum.changes[c] += more.changes[c];
  sum.beside += more.beside;
  sum.over += more.over;
  sum.rounds += more.rounds;
}

std::filesystem::path folder_for(unsigned seed) {
  const bool is_in_memory = ::access("/dev/shm", W_OK) == 0;
  return (is_in_memory ? "/dev/shm/reprise-edits-" : "/tmp/reprise-edits-") + std::to_string(::getpid()) + "-" +
         std::to_string(seed);
}

// Most rounds begin late in a run, where it waits for a person: what comes before is the same in all.
std::filesystem::path beginning_for(unsigned seed) {
  constexpr std::array<int, 5> kWaits = {3, 1, 1, 0, 1};  // of the playbook; the spec loop has one
  static std::map<std::pair<bool, int>, std::filesystem::path> made;
  const bool is_playbook = seed % 2 == 0;
  const int wanted = is_playbook ? kWaits[seed / 2 % kWaits.size()] : static_cast<int>(seed / 2 % 5 != 0);
  auto found = made.find({is_playbook, wanted});
  if (found != made.end()) return found->second;
  const std::filesystem::path folder = folder_for(0).string() + "-" + std::to_string(made.size());
  Desk desk(folder, is_playbook);
  const auto go_on = [](Moment) { return true; };
  for (int wait = 0; wait < wanted; ++wait) {
    check(desk.session(Desk::Kind::Work, go_on, [] {}).code == 3);
    if (wait + 1 < wanted) check(desk.session(Desk::Kind::Decide, go_on, [] {}).code == 0);
  }
  made[{is_playbook, wanted}] = folder;
  return folder;
}

void remove_beginnings() {
  for (int i = 0; i < 8; ++i) std::filesystem::remove_all(folder_for(0).string() + "-" + std::to_string(i));
}

Tally play_round(unsigned seed, bool tells, std::string& faults) {
  const std::filesystem::path folder = folder_for(seed);
  std::filesystem::copy(beginning_for(seed), folder, std::filesystem::copy_options::recursive);
  Tally tally;
  {
    Round round(folder, seed, tells);
    for (const std::string& line : round.play()) faults += "seed " + std::to_string(seed) + ": " + line + "\n";
    tally = round.tally();
  }
  std::filesystem::remove_all(folder);
  return tally;
}

/// A part of the rounds, in a process of its own. Tally and faults come through the pipe.
void play_share(int share, int out) {
  Tally sum;
  std::string faults;
  const unsigned first = static_cast<unsigned>(share) * (kRounds / kParallel);
  for (unsigned i = first; i < first + kRounds / kParallel; ++i)
    add(sum, play_round(kFirstSeed + i, false, faults));
  remove_beginnings();
  check(::write(out, &sum, sizeof sum) == sizeof sum);
  faults.resize(std::min<std::size_t>(faults.size(), 32'000));
  check(::write(out, faults.data(), faults.size()) == static_cast<ssize_t>(faults.size()));
  ::_exit(0);
}

Tally play_all(std::vector<std::string>& faults) {
  std::array<int, kParallel> ends{};
  for (int share = 0; share < kParallel; ++share) {
    int line[2];
    check(::pipe(line) == 0);
    const pid_t pid = ::fork();
    check(pid >= 0);
    if (pid == 0) play_share(share, line[1]);
    ::close(line[1]);
    ends[static_cast<std::size_t>(share)] = line[0];
  }
  Tally sum;
  for (const int end : ends) {
    Tally part;
    std::string text;
    char piece[4096];
    if (::read(end, &part, sizeof part) == sizeof part) add(sum, part);
    for (ssize_t count = 0; (count = ::read(end, piece, sizeof piece)) > 0;)
      text.append(piece, static_cast<std::size_t>(count));
    for (const std::string_view line : split(text, '\n')) {
      if (!line.empty()) faults.emplace_back(line);
    }
    ::close(end);
    ::wait(nullptr);
  }
  return sum;
}

void print(const Tally& tally, double seconds) {
  std::printf("%-16s", "saves");
  for (int s = 0; s < kStyles; ++s) std::printf("%14s", std::string(name_of(static_cast<Style>(s))).c_str());
  std::printf("%14s%14s\n", "held open", "kills");
  for (std::size_t m = 0; m < kMoments; ++m) {
    std::printf("%-16s", std::string(name_of(static_cast<Moment>(m))).c_str());
    for (const int count : tally.saves[m]) std::printf("%14d", count);
    std::printf("%14d%14d\n", tally.held_open[m], tally.kills[m]);
  }
  for (std::size_t c = 0; c < kChanges; ++c)
    std::printf("%s %d, ", std::string(name_of(static_cast<Change>(c))).c_str(), tally.changes[c]);
  std::printf("left beside at the end of a run %d\n", tally.beside);
  std::printf("rounds to the end of the run %d, and to where it waits %d\n", tally.over,
              tally.rounds - tally.over);
  std::printf("rounds %d, seeds %u to %u, %.1f s\n", tally.rounds, kFirstSeed, kFirstSeed + kRounds - 1, seconds);
}

TEST(Interleavings, F4_F5_NoEditIsLostAndNoneIsReadHalfWheneverItIsSaved) {
  if (const char* seed = std::getenv("REPRISE_SEED"); seed != nullptr) {
    std::string faults;
    play_round(static_cast<unsigned>(std::atoi(seed)), true, faults);
    remove_beginnings();
    EXPECT_EQ(faults, "");
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> faults;
  const Tally tally = play_all(faults);
  print(tally, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  std::printf("violations: %zu\n", faults.size());
  for (std::size_t i = 0; i < std::min(faults.size(), kShownMax); ++i) ADD_FAILURE() << faults[i];
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(tally.rounds, kRounds);
  EXPECT_GT(tally.over, kRounds / 4);
  EXPECT_GT(tally.rounds - tally.over, kRounds / 4);
  for (std::size_t m = 0; m < kMoments; ++m) {
    const std::string moment(name_of(static_cast<Moment>(m)));
    for (std::size_t s = 0; s < kStyles; ++s)
      EXPECT_GT(tally.saves[m][s], 0) << name_of(static_cast<Style>(s)) << " " << moment;
    EXPECT_GT(tally.held_open[m], 0) << moment;
    EXPECT_GT(tally.kills[m], 0) << moment;
  }
  for (std::size_t c = 0; c < kChanges; ++c) EXPECT_GT(tally.changes[c], 0) << name_of(static_cast<Change>(c));
}

}  // namespace
}  // namespace reprise
