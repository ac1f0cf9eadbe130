// Exported runs between two real folders: what travels, what a hostile or damaged file does (nothing), and what is
// left by an import that was killed.

#include "app/transfer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "app/transfer_history.h"
#include "testing/temporary_folder.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDefinition = R"({"name":"ship"})";
const RunId kRun{"ship/v2"};

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Every file below `folder` with its content; links with where they lead.
std::map<std::string, std::string> tree(const fs::path& folder) {
  std::map<std::string, std::string> found;
  if (!fs::exists(folder)) return found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_symlink()) {
      found[name] = "-> " + fs::read_symlink(entry.path()).string();
    } else {
      found[name] = entry.is_regular_file() ? slurp(entry.path()) : "(folder)";
    }
  }
  return found;
}

// The bytes of a tar up to its end, with the end that belongs to them. `sound` is a tar of the same time.
std::string with_tail(const std::string& bytes, const std::string& sound) {
  std::string digest = to_hex(digest_of(bytes)) + "\n";
  digest.resize(3 * 512);
  return bytes + sound.substr(sound.size() - 4 * 512, 512) + digest;
}

// Where the second entry begins: behind the manifest.
std::size_t second_entry(const std::string& bytes) {
  return 512 + (std::stoull(bytes.substr(124, 11), nullptr, 8) + 511) / 512 * 512;
}

// Runs `work` in a process of its own and kills it at its n-th call of the system. False: it ended before.
template <typename Work>
bool killed_at(int calls, Work&& work) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    _exit(work() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  for (int seen = 0;; ++seen) {
    if (seen == calls) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return true;
    }
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      return false;
    }
  }
}

class TransferTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(here());
    fs::create_directories(there());
    put(here() / "out/app", "version 2\n");
    fs::permissions(here() / "out/app", fs::perms(0755));
    put(here() / "notes.txt", "an input\n");
    make_run();
    std::unique_ptr<App> app = open_app(here()).value();
    put(attempts_of(*app) / "build/1/stdout", "building\n");
    std::unique_ptr<Journal> journal = open_journal(*app, OpenMode::ReadWrite).value();
    Result<ExportedRun> exported = export_run(*app, *journal, kRun, "v2.tar", file());
    ASSERT_TRUE(exported) << exported.error().message;
    manifest_ = exported->manifest;
    bytes_ = exported->bytes;
  }

  static fs::path attempts_of(App& app) {
    return app.store / "attempts" / open_journal(app, OpenMode::ReadOnly).value()->key(kRun).value();
  }

  // A run with one finished step, one that was cut off, and a time of its own for every event.
  void make_run() const {
    std::unique_ptr<App> app = open_app(here()).value();
    std::unique_ptr<Journal> journal = open_journal(*app, OpenMode::ReadWrite).value();
    const std::string digest = to_text(digest_of(kDefinition));
    const std::vector<std::string> texts = {std::string(kDefinition)};
    const std::vector<Event> first = {RunCreated{.workflow = "ship", .subject = "v2", .definition = digest}};
    const Lease lease = journal->create(kRun, first, texts).value();
    const SeenFile app_file{"out/app", to_text(digest_of("version 2\n")), ""};
    const SeenFile input{"notes.txt", to_text(digest_of("an input\n")), ""};
    AttemptStarted started{.step = {"build"}, .attempt = {1}};
    started.inputs = {input};
    AttemptFinished finished{.step = {"build"}, .attempt = {1}};
    finished.artifacts = {app_file};
    finished.cost_usd = 0.1;
    const std::vector<Event> events = {PlanAccepted{.definition = digest, .by = "ana@dove"}, started, finished,
                                       AttemptStarted{.step = {"test"}, .attempt = {1}}};
    std::int64_t last = 1;
    for (const Event& event : events) {
      ASSERT_TRUE(journal->append(lease, {last}, {&event, 1}, Timestamp{1'700'000'000'000 + last * 7}));
      ++last;
    }
    journal->release(lease);
  }

  fs::path here() const { return folder_.path() / "here"; }
  fs::path there() const { return folder_.path() / "deep/er/there"; }
  fs::path file() const { return folder_.path() / "v2.tar"; }

  // Imports a file into `project`; "" if that went well, else what was said.
  static std::string import(const fs::path& project, const fs::path& from, const std::string& as = "") {
    std::unique_ptr<App> app = open_app(project).value();
    Result<std::unique_ptr<ImportPlan>> plan = plan_import(*app, from, as);
    if (!plan) return plan.error().message;
    if (!(*plan)->differing.empty()) return "differs: " + (*plan)->differing.front();
    const Result<void> done = carry_out_import(*app, **plan);
    return done ? "" : done.error().message;
  }
  std::string import_bytes(const std::string& bytes) const {
    put(folder_.path() / "other.tar", bytes);
    return import(there(), folder_.path() / "other.tar");
  }

  static std::vector<RecordedEvent> history(const fs::path& project, const RunId& run = kRun) {
    std::unique_ptr<App> app = open_app(project).value();
    return whole_history(*open_journal(*app, OpenMode::ReadOnly).value(), run).value();
  }

  // The exported file with other contents, put together so that only the content is wrong.
  struct File {
    std::string path;
    std::string bytes;
  };
  std::vector<File> files() const {
    std::vector<File> out;
    const std::vector<TarEntry> entries = read_tar(bytes_).value();
    for (const TarEntry& entry : entries) out.push_back({entry.path, std::string(entry.bytes)});
    out.erase(out.begin());
    return out;
  }
  static std::string packed(TransferManifest manifest, const std::vector<File>& files) {
    manifest.files.clear();
    for (const File& file : files)
      manifest.files.push_back(
          {file.path, static_cast<std::int64_t>(file.bytes.size()), to_text(digest_of(file.bytes))});
    TarWriter writer(manifest.at);
    writer.add(kManifestEntry, to_json(manifest));
    for (const File& file : files) writer.add(file.path, file.bytes);
    return writer.finish();
  }

  static std::string manifest_definition() { return to_text(digest_of(kDefinition)); }

  TemporaryFolder folder_;
  TransferManifest manifest_;
  std::string bytes_;
};

TEST_F(TransferTest, AnImportedRunHasTheSameHistoryAndFiles) {
  ASSERT_EQ(import(there(), file()), "");
  const std::vector<RecordedEvent> before = history(here());
  std::vector<RecordedEvent> after = history(there());
  ASSERT_EQ(after.size(), before.size() + 1);
  EXPECT_TRUE(std::get<NoteAdded>(after.back().event).text.starts_with("imported on "));
  after.pop_back();
  EXPECT_EQ(chain_of(kRun, after), chain_of(kRun, before));
  EXPECT_EQ(slurp(there() / "out/app"), "version 2\n");
  EXPECT_EQ(slurp(there() / "notes.txt"), "an input\n");
  EXPECT_NE(fs::status(there() / "out/app").permissions() & fs::perms::owner_exec, fs::perms::none);
  std::unique_ptr<App> app = open_app(there()).value();
  EXPECT_EQ(slurp(attempts_of(*app) / "build/1/stdout"), "building\n");
  EXPECT_TRUE(open_journal(*app, OpenMode::ReadWrite).value()->verify().value().empty());
}

TEST_F(TransferTest, ImportedTwiceNothingIsDone) {
  ASSERT_EQ(import(there(), file()), "");
  const std::size_t events = history(there()).size();
  ASSERT_EQ(import(there(), file()), "");
  ASSERT_EQ(import(here(), file()), "");
  EXPECT_EQ(history(there()).size(), events);
  EXPECT_EQ(history(here()).size(), events - 1);
}

TEST_F(TransferTest, ARunThatGoesOnElsewhereComesBack) {
  ASSERT_EQ(import(there(), file()), "");
  {
    std::unique_ptr<App> app = open_app(there()).value();
    std::unique_ptr<Journal> journal = open_journal(*app, OpenMode::ReadWrite).value();
    ASSERT_TRUE(export_run(*app, *journal, kRun, "back.tar", folder_.path() / "back.tar"));
  }
  ASSERT_EQ(import(here(), folder_.path() / "back.tar"), "");
  EXPECT_EQ(history(here()).size(), history(there()).size() + 1);
}

TEST_F(TransferTest, ARunThatWentOnInBothPlacesIsRefusedAndMayHaveAnotherName) {
  ASSERT_EQ(import(there(), file()), "");
  std::unique_ptr<App> app = open_app(here()).value();
  std::unique_ptr<Journal> journal = open_journal(*app, OpenMode::ReadWrite).value();
  ASSERT_TRUE(export_run(*app, *journal, kRun, "again.tar", folder_.path() / "again.tar"));
  EXPECT_NE(import(there(), folder_.path() / "again.tar").find("has gone another way"), std::string::npos);
  ASSERT_EQ(import(there(), folder_.path() / "again.tar", "v2-b"), "");
  EXPECT_EQ(history(there(), {"ship/v2-b"}).size(), history(here()).size() + 1);
}

TEST_F(TransferTest, AFileThatDiffersIsNamedAndLeftAlone) {
  put(there() / "out/app", "somebody's own\n");
  const auto before = tree(there());
  EXPECT_EQ(import(there(), file()), "differs: out/app");
  EXPECT_EQ(tree(there()), before);
}

TEST_F(TransferTest, ARunThatIsOwnedIsNotExported) {
  std::unique_ptr<App> app = open_app(here()).value();
  std::unique_ptr<Journal> owner = open_journal(*app, OpenMode::ReadWrite).value();
  const Lease lease = owner->acquire(kRun).value();
  const pid_t child = fork();
  if (child == 0) {
    std::unique_ptr<App> other = open_app(here()).value();
    std::unique_ptr<Journal> journal = open_journal(*other, OpenMode::ReadWrite).value();
    const Result<ExportedRun> exported = export_run(*other, *journal, kRun, "x", folder_.path() / "x.tar");
    _exit(!exported && exported.error().kind == ErrorKind::Conflict ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(fs::exists(folder_.path() / "x.tar"));
}

TEST_F(TransferTest, CutAnywhereNothingIsWritten) {
  int rounds = 0;
  for (std::size_t size = 0; size < bytes_.size(); size += 512, ++rounds) {
    EXPECT_NE(import_bytes(bytes_.substr(0, size)), "") << size;
    EXPECT_NE(import_bytes(bytes_.substr(0, size + 1)), "") << size;
  }
  EXPECT_TRUE(tree(there()).empty());
  EXPECT_GT(rounds, 15);
}

TEST_F(TransferTest, AnyFlippedByteIsNoticedAndNothingIsWritten) {
  int rounds = 0;
  for (std::size_t at = 0; at < bytes_.size(); at += 41, ++rounds) {
    std::string flipped = bytes_;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x20);
    EXPECT_NE(import_bytes(flipped), "") << at;
  }
  EXPECT_TRUE(tree(there()).empty());
  EXPECT_GT(rounds, 200);
}

TEST_F(TransferTest, PathsThatLeadOutAreRefused) {
  const char* const kPaths[] = {"../x",
                                "/etc/x",
                                "project/../../x",
                                "project//x",
                                "project/./x",
                                "project/.git/x",
                                "project/a/.GIT/hooks/x",
                                "project/a\\b",
                                "attempts/../../x",
                                "elsewhere/x",
                                "project/.reprise/config.yaml",
                                "edits/../../x",
                                "project/a\nb",
                                "guard/other"};
  int rounds = 0;
  for (const char* path : kPaths) {
    std::vector<File> hostile = files();
    hostile.push_back({path, "x"});
    EXPECT_NE(import_bytes(packed(manifest_, hostile)), "") << path;
    ++rounds;
  }
  EXPECT_EQ(rounds, 14);
  EXPECT_TRUE(tree(there()).empty());
}

TEST_F(TransferTest, LinksDevicesAndHugeSizesAreRefused) {
  const std::string sound = packed(manifest_, files());
  const std::size_t body = sound.size() - 4 * 512;
  // Changes the header of the second entry, and puts its checksum and the digest of the whole right again.
  const auto tampered = [&](const auto& change) {
    std::string bytes = sound.substr(0, body);
    const std::size_t at = second_entry(bytes);
    change(bytes, at);
    bytes.replace(at + 148, 8, "        ");
    unsigned sum = 0;
    for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(bytes[at + i]);
    char digits[8];
    snprintf(digits, sizeof digits, "%06o", sum);
    bytes.replace(at + 148, 7, std::string(digits, 7));
    return with_tail(bytes, sound);
  };
  int rounds = 0;
  for (const char type : std::string("1234567gLKx")) {
    EXPECT_NE(import_bytes(tampered([&](std::string& bytes, std::size_t at) { bytes[at + 156] = type; })), "")
        << type;
    ++rounds;
  }
  for (const char* size :
       {"77777777777", "00000077777", "           ", "-0000000001", "\x80\0\0\0\0\0\0\0\0\0\0"}) {
    EXPECT_NE(
        import_bytes(tampered([&](std::string& bytes, std::size_t at) { bytes.replace(at + 124, 11, size, 11); })),
        "");
    ++rounds;
  }
  EXPECT_EQ(rounds, 16);
  EXPECT_TRUE(tree(there()).empty());
  EXPECT_EQ(import_bytes(with_tail(sound.substr(0, body), sound)), "");  // the tool itself does no damage
}

TEST_F(TransferTest, WhatIsNoExportedRunIsRefused) {
  EXPECT_NE(import(there(), "/dev/null").find("not a file"), std::string::npos);
  EXPECT_NE(import(there(), folder_.path()).find("not a file"), std::string::npos);
  EXPECT_NE(import(there(), folder_.path() / "nowhere").find("not there"), std::string::npos);
  EXPECT_NE(import_bytes("").find("not an exported run"), std::string::npos);
  EXPECT_NE(import_bytes(std::string(10'240, '\0')).find("not an exported run"), std::string::npos);
  EXPECT_TRUE(tree(there()).empty());
}

TEST_F(TransferTest, AHistoryThatDoesNotHoldTogetherIsRefused) {
  const auto with_history = [&](const std::vector<RecordedEvent>& events) {
    std::vector<File> changed = files();
    changed.front().bytes = to_lines(events);
    TransferManifest manifest = manifest_;
    manifest.events = static_cast<std::int64_t>(events.size());
    manifest.head = chain_of(kRun, events).back();
    return packed(manifest, changed);
  };
  const std::vector<RecordedEvent> sound = history(here());
  std::vector<RecordedEvent> cut = sound;
  cut.pop_back();
  std::vector<File> lines = files();
  lines.front().bytes = to_lines(cut);
  EXPECT_NE(import_bytes(packed(manifest_, lines)).find("not those that its manifest names"), std::string::npos);
  std::vector<RecordedEvent> twice = sound;
  twice.push_back({{sound.back().number.value + 1}, {}, AttemptStarted{.step = {"test"}, .attempt = {1}}});
  EXPECT_NE(import_bytes(with_history(twice)).find("do not follow"), std::string::npos);
  for (const char* place : {"../state.md", "/etc/passwd", ".git/config"}) {
    std::vector<RecordedEvent> outside = sound;
    outside.push_back({{sound.back().number.value + 1}, {}, StateFileWritten{.file = place}});
    EXPECT_NE(import_bytes(with_history(outside)).find("not inside the project"), std::string::npos) << place;
  }
  std::vector<File> undefined = files();
  std::erase_if(undefined, [](const File& one) { return one.path.starts_with(kTextsBelow); });
  EXPECT_NE(import_bytes(packed(manifest_, undefined)).find("definition"), std::string::npos);
  EXPECT_TRUE(tree(there()).empty());
}

TEST_F(TransferTest, AFolderThatIsALinkLeadsNowhere) {
  const fs::path outside = folder_.path() / "outside";
  fs::create_directories(outside);
  fs::create_symlink(outside, there() / "out");
  EXPECT_NE(import(there(), file()).find("would not lie in the project"), std::string::npos);
  EXPECT_TRUE(tree(outside).empty());
  EXPECT_EQ(tree(there()).size(), 1U);
}

TEST_F(TransferTest, KilledAnywhereAndRepeatedItIsAsIfImportedOnce) {
  ASSERT_EQ(import(there(), file()), "");
  const std::size_t events = history(there()).size();
  int kills = 0;
  int halves = 0;
  for (int calls = 0;; calls += 23) {
    const fs::path place = folder_.path() / ("round" + std::to_string(calls));
    fs::create_directories(place);
    if (!killed_at(calls, [&] { return import(place, file()).empty(); })) break;
    ++kills;
    std::unique_ptr<App> app = open_app(place).value();
    if (const auto journal = open_journal(*app, OpenMode::ReadOnly); journal && (*journal)->state(kRun)) {
      const Result<std::vector<RecordedEvent>> half = whole_history(**journal, kRun);
      ASSERT_TRUE(half) << half.error().message;
      halves += half->size() < events ? 1 : 0;
      EXPECT_TRUE(half->size() == events || !(*journal)->text(manifest_definition()))
          << "half a run can be resumed";
    }
    ASSERT_EQ(import(place, file()), "") << calls;
    EXPECT_EQ(history(place).size(), events) << calls;
    const std::vector<Digest> chain = chain_of(kRun, history(place));
    EXPECT_EQ(chain[events - 2], manifest_.head) << calls;
    EXPECT_EQ(slurp(place / "out/app"), "version 2\n");
    EXPECT_EQ(slurp(attempts_of(*app) / "build/1/stdout"), "building\n");
    const std::unique_ptr<Journal> journal = open_journal(*app, OpenMode::ReadWrite).value();
    EXPECT_TRUE(journal->verify().value().empty()) << calls;
    EXPECT_TRUE(journal->text(manifest_definition())) << calls;
    fs::remove_all(place);
  }
  std::cout << "kills: " << kills << ", of them within the history: " << halves << "\n";
  EXPECT_GT(kills, 20);
  EXPECT_GT(halves, 0);
}

}  // namespace
}  // namespace reprise
