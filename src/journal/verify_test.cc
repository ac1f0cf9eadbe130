// Tampering, by the ten thousand: every change to what a run's history says is reported (P5), and damage
// to the pages of the file is reported or harmless, never a crash.

#include <algorithm>
#include <random>

#include "journal/journal_test_world.h"

namespace reprise {
namespace {

const RunId kOther{"other"};

// Two runs that look alike, so that a splice from one into the other is as good as it gets.
void fill(World& world) {
  const std::unique_ptr<Journal> journal = world.open();
  for (const RunId& run : {kRun, kOther}) {
    const Lease lease = a_run(*journal, run);
    std::vector<Event> events;
    for (int i = 1; i <= 6; ++i) {
      const StepPath step{"step-" + std::to_string(i)};
      events.push_back(AttemptStarted{.step = step, .attempt = {1}, .work = shortened(digest_of("sha256:12"))});
      events.push_back(AttemptFinished{.step = step, .attempt = {1}, .exit_code = 0, .summary = "fine"});
      events.push_back(a_note("note " + std::to_string(i)));
    }
    check(journal->append(lease, {1}, events).has_value());
    check(journal->put_text("a definition of " + run.text).has_value());
    journal->release(lease);
  }
}

constexpr int kEvents = 19;
const std::string kStored = "key, at, kind, version, payload, digest, newest";

std::string where(std::int64_t run, std::int64_t number) {
  return " WHERE key = " + std::to_string(event_key(run, number));
}

std::string key(std::int64_t run, std::int64_t number) { return std::to_string(event_key(run, number)); }

std::string column_of(std::int64_t run, std::int64_t number, const std::string& column) {
  return "(SELECT " + column + " FROM events" + where(run, number) + ")";
}

/// Makes one random change at a time.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string next() {
    switch (pick(8)) {
      case 0: return flip_byte("payload");
      case 1: return flip_byte("digest");
      case 2: return flip_field();
      case 3: return cut();
      case 4: return swap();
      case 5: return duplicate();
      case 6: return splice();
      default: return renumber();
    }
  }

 private:
  std::int64_t pick(std::int64_t count) {
    return std::uniform_int_distribution<std::int64_t>(0, count - 1)(random_);
  }
  std::int64_t run() { return 1 + pick(2); }
  std::int64_t number() { return 1 + pick(kEvents); }

  // Replaces the byte at a random place by another one.
  std::string flip_byte(const std::string& column) {
    const std::string type = column == "digest" ? "BLOB" : "TEXT";
    const std::string at = "(1 + " + std::to_string(pick(1'000'000)) + " % length(CAST(" + column + " AS BLOB)))";
    const std::string old = "substr(CAST(" + column + " AS BLOB), " + at + ", 1)";
    const std::string other = "CASE " + old + " WHEN x'21' THEN x'22' ELSE x'21' END";
    return "UPDATE events SET " + column + " = CAST(substr(CAST(" + column + " AS BLOB), 1, " + at + " - 1) || " +
           other + " || substr(CAST(" + column + " AS BLOB), " + at + " + 1) AS " + type + ")" +
           where(run(), number());
  }
  std::string flip_field() {
    const std::vector<std::string> changes = {"at = at + 1",
                                              "at = at - 86400000",
                                              "version = version + 1",
                                              "kind = kind || 'x'",
                                              "kind = CASE kind WHEN 'note_added' THEN 'run_archived' ELSE "
                                              "'note_added' END",
                                              "payload = payload || ' '",
                                              "payload = ''",
                                              "payload = substr(payload, 1, length(payload) - 1)",
                                              "digest = x''",
                                              "digest = substr(digest, 1, 31)",
                                              "newest = CASE WHEN newest IS NULL THEN 1 ELSE NULL END"};
    return "UPDATE events SET " + changes[static_cast<std::size_t>(pick(static_cast<int>(changes.size())))] +
           where(run(), number());
  }
  std::string cut() {
    const std::int64_t first = number();
    const std::int64_t last = pick(2) == 0 ? kEvents : first + pick(3);  // a tail as often as a hole
    return "DELETE FROM events WHERE run = " + std::to_string(run()) + " AND number BETWEEN " +
           std::to_string(first) + " AND " + std::to_string(last);
  }
  std::string swap() {
    const std::int64_t in = run();
    const std::int64_t a = number();
    const std::int64_t b = 1 + (a + pick(kEvents - 1)) % kEvents;
    return "UPDATE events SET key = -1" + where(in, a) + "; UPDATE events SET key = " + key(in, a) + where(in, b) +
           "; UPDATE events SET key = " + key(in, b) + " WHERE key = -1";
  }
  std::string duplicate() {
    const std::int64_t in = run();
    return "INSERT INTO events SELECT " + key(in, kEvents + 1 + pick(2)) +
           ", at, kind, version, payload, digest, newest FROM events" + where(in, number());
  }
  // An event of the other run, with or without its digest, in the place of one of this.
  std::string splice() {
    const std::int64_t in = run();
    const std::int64_t from = 3 - in;
    const std::int64_t to = number();
    const std::int64_t source = pick(2) == 0 ? to : number();
    std::string sql = "UPDATE events SET at = " + column_of(from, source, "at") + " + 1" +
                      ", kind = " + column_of(from, source, "kind") +
                      ", payload = " + column_of(from, source, "payload");
    if (pick(2) == 0) sql += ", digest = " + column_of(from, source, "digest");
    return sql + where(in, to);
  }
  std::string renumber() {
    return "UPDATE events SET key = key + " + std::to_string(kEvents + pick(5)) + where(run(), number());
  }

  std::mt19937_64 random_;
};

TEST(Verify, P5_EveryContentChangingMutationIsReported) {
  World world;
  fill(world);
  constexpr int kRounds = 10'000;
  Mutator mutator(20'250'101);
  const std::unique_ptr<Journal> journal = world.open();
  ASSERT_TRUE(journal->verify()->empty());
  Tamperer tamperer(world.file());
  // The journal under test reads what is committed, so the rows are kept aside and put back after each change.
  tamperer.change("PRAGMA synchronous = OFF; CREATE TABLE aside AS SELECT " + kStored + " FROM events");
  const std::size_t expected = journal->verify()->size();  // the extra table is itself a fault
  ASSERT_EQ(expected, 1u);
  int rounds = 0;
  int reported = 0;
  for (; rounds < kRounds; ++rounds) {
    const std::string sql = mutator.next();
    tamperer.change("BEGIN; " + sql + "; COMMIT");
    const std::string difference = tamperer.value("SELECT (SELECT count(*) FROM (SELECT " + kStored +
                                                  " FROM events EXCEPT SELECT * FROM aside)) + "
                                                  "(SELECT count(*) FROM (SELECT * FROM aside EXCEPT SELECT " +
                                                  kStored + " FROM events))");
    ASSERT_NE(difference, "0") << "changes nothing: " << sql;
    const Result<std::vector<ChainFault>> faults = journal->verify();
    ASSERT_TRUE(faults) << sql << ": " << faults.error().message;
    ASSERT_GT(faults->size(), expected) << "not reported: " << sql;
    ++reported;
    tamperer.change("BEGIN; DELETE FROM events; INSERT INTO events SELECT * FROM aside; COMMIT");
  }
  EXPECT_EQ(rounds, kRounds);
  EXPECT_EQ(reported, kRounds);
  EXPECT_EQ(journal->verify()->size(), expected);
}

TEST(Verify, P5_AllFaultsAreListedNotOnlyTheFirst) {
  World world;
  fill(world);
  Tamperer(world.file())
      .change(
          "UPDATE events SET at = at + 1 WHERE number IN (3, 7); "
          "UPDATE texts SET body = body || 'x'; DELETE FROM runs WHERE no = 2");
  const Result<std::vector<ChainFault>> faults = world.open()->verify();
  ASSERT_TRUE(faults);
  std::vector<std::int64_t> numbers;
  for (const ChainFault& fault : *faults) {
    if (fault.run == kRun) numbers.push_back(fault.number.value);
  }
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{3, 7}));
  EXPECT_EQ(faults->size(), 5u);  // two events, two texts, one run without its row
}

TEST(Verify, P5_ARenamedRunIsReported) {
  World world;
  fill(world);
  Tamperer(world.file()).change("UPDATE runs SET id = 'renamed' WHERE no = 1");
  EXPECT_FALSE(world.open()->verify()->empty());
}

TEST(Verify, P5_AForeignTriggerIsReportedAndDoesNotRun) {
  World world;
  fill(world);
  Tamperer(world.file()).change("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END");
  const std::unique_ptr<Journal> journal = world.open();
  const Result<Lease> lease = journal->acquire(kRun);
  ASSERT_TRUE(lease);
  ASSERT_TRUE(append_note(*journal, *lease, kEvents));
  EXPECT_EQ(journal->state(kRun)->last.value, kEvents + 1);
  EXPECT_EQ(journal->verify()->size(), 1u);
}

// Everything a caller does with a journal, on a file that may hold anything. Returns whether it noticed.
bool use(World& world) {
  const Result<std::unique_ptr<Journal>> opened = world.try_open();
  if (!opened) return true;
  Journal& journal = **opened;
  bool has_noticed = false;
  for (const RunId& run : {kRun, kOther}) {
    has_noticed |= !journal.state(run) || !journal.events(run, {0}, 100);
  }
  const Result<std::vector<ChainFault>> faults = journal.verify();
  has_noticed |= !journal.runs() || !journal.facts() || !faults || !faults->empty();
  const Result<Lease> lease = journal.acquire(kRun);
  if (lease) has_noticed |= !append_note(journal, *lease, kEvents);
  return has_noticed || !lease;
}

TEST(Verify, P5_FlippedBytesInThePagesNeverCrash) {
  World world;
  fill(world);
  const std::string good = content_of(world.file());
  ASSERT_GT(good.size(), 20'000u);
  std::mt19937_64 random(7);
  constexpr int kRounds = 1'500;
  int rounds = 0;
  int noticed = 0;
  for (; rounds < kRounds; ++rounds) {
    std::string bad = good;
    const std::size_t at = random() % bad.size();
    const int width = rounds % 3 == 0 ? 64 : 1;
    for (std::size_t i = at; i < std::min(at + static_cast<std::size_t>(width), bad.size()); ++i) {
      bad[i] = static_cast<char>(bad[i] ^ static_cast<char>(1 + random() % 255));
    }
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(world.file().string() + suffix);
    put_content(world.file(), bad);
    noticed += use(world) ? 1 : 0;
  }
  EXPECT_EQ(rounds, kRounds);
  EXPECT_GT(noticed, kRounds / 10);  // most of the file is free space, where a flip says nothing
}

TEST(Verify, P5_ACutFileNeverCrashes) {
  World world;
  fill(world);
  const std::string good = content_of(world.file());
  int rounds = 0;
  int noticed = 0;
  for (std::size_t size = 0; size < good.size(); size += 509, ++rounds) {
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(world.file().string() + suffix);
    put_content(world.file(), good.substr(0, size));
    noticed += use(world) ? 1 : 0;
  }
  EXPECT_EQ(noticed, rounds);
  EXPECT_GT(rounds, 40);
}

}  // namespace
}  // namespace reprise
