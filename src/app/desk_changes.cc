#include "app/desk_changes.h"

#include <filesystem>

#include "app/approvals.h"
#include "base/strings.h"
#include "evidence/collector.h"
#include "git/git.h"

namespace reprise {
namespace {

constexpr std::size_t kDiffMax = 64u << 10;

// A program that the project configures for showing differences is not started.
std::vector<std::string> diff_words(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--stat", "--patch"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string cut(std::string text) {
  if (text.size() <= kDiffMax) return text;
  text.resize(text.rfind('\n', kDiffMax));
  return text + "\n… and more\n";
}

// What became of the files that the steps produced.
Result<std::string> artifact_changes(App& app, const RunState& state) {
  Collector collector(app.files, app.project);
  std::string text;
  for (const auto& [path, step] : state.steps) {
    for (const SeenFile& known : step.artifacts.get()) {
      if (known.digest.empty()) continue;
      const SeenFile now = TRY(collector.look(known.path, &known));
      if (now.digest == known.digest) continue;
      text += std::string(now.digest.empty() ? "missing  " : "changed  ") + known.path + "  (made by " +
              path.text + ")\n";
    }
  }
  return text;
}

std::string approval_changes(App& app, Journal& journal, const RunState& state) {
  std::string text;
  for (const auto& [path, gate] : state.gates) {
    const std::string change = change_since_approval(app, journal, state, gate);
    if (!change.empty()) text += "since " + path.text + " was approved:\n" + change;
  }
  return text;
}

// A lane against the last commit of it that is on record.
std::string lane_changes(App& app, const RunState& state) {
  std::string text;
  for (const auto& [path, lane] : state.lanes) {
    if (lane.closed || !lane.made) continue;
    const std::string& base = lane.head.empty() ? lane.base_commit : lane.head;
    const Result<Git> git = Git::open(app.project / lane.folder);
    if (!git || base.empty()) continue;
    const Result<GitAnswer> answer = git->run(diff_words({base, "--"}));
    if (answer && answer->ok() && !answer->output.empty())
      text += "lane " + lane.name + ", since " + base.substr(0, 12) + ":\n" + answer->output + "\n";
  }
  return text;
}

// What is not committed below `folder`, "" for the whole project.
std::string uncommitted(App& app, const std::string& folder) {
  const Result<Git> git = Git::open(app.project);
  if (!git || git->is_bare() || app.project.empty()) return "";
  const std::string place = folder.empty() ? "." : ":(literal)" + folder;
  std::string text;
  const Result<GitAnswer> names = git->run({"status", "--porcelain", "--untracked-files=all", "--", place});
  if (names && names->ok() && !names->output.empty()) text += "not committed:\n" + names->output + "\n";
  const Result<GitAnswer> answer = git->run(diff_words({"HEAD", "--", place}));
  if (answer && answer->ok() && !answer->output.empty()) text += answer->output + "\n";
  return text;
}

}  // namespace

Result<std::string> changes_since(App& app, const Candidate& candidate) {
  std::string text;
  const Result<std::unique_ptr<Journal>> journal = open_journal(app, OpenMode::ReadOnly);
  const Result<RunState> state = journal ? (*journal)->state(candidate.id) : fail(journal.error());
  if (state) {
    text += TRY(artifact_changes(app, *state));
    text += approval_changes(app, **journal, *state);
    text += lane_changes(app, *state);
  }
  const std::filesystem::path file(candidate.state_file);
  const bool is_here = !candidate.state_file.empty() && file.is_relative() && candidate.system != "own";
  text += uncommitted(app, is_here ? file.parent_path().string() : "");
  return cut(std::move(text));
}

}  // namespace reprise
