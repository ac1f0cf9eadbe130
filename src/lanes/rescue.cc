// Names, lists and the way back.

#include "lanes/rescue.h"

#include <algorithm>

#include "base/strings.h"
#include "lanes/snapshot_message.h"
#include "lanes/snapshot_refs.h"
#include "lanes/snapshot_workshop.h"

namespace reprise {
namespace {

constexpr std::string_view kRescues = "refs/reprise/rescue/";
constexpr std::string_view kKept = "\nReprise-Kept: ";
constexpr int kNumberMax = 10000;
constexpr int kTries = 20;

std::string stamp(Timestamp time) {
  std::string text = to_text(time);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

// The value of "Reprise-<name>: …" in a message of ours; "" if it has none.
std::string value_of(std::string_view message, std::string_view name) {
  const std::string start = "\nReprise-" + std::string(name) + ": ";
  const std::size_t begin = message.rfind(start);
  if (begin == std::string_view::npos) return "";
  const std::string_view rest = message.substr(begin + start.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

std::string lane_of(std::string_view ref) {
  const std::size_t slash = ref.rfind('/');
  return slash <= kRescues.size() ? "" : std::string(ref.substr(kRescues.size(), slash - kRescues.size()));
}

// One reference of the list; what its message says. Nothing if it is not a rescue of ours.
std::optional<Rescue> read_rescue(const std::string& ref, const std::string& commit, const std::string& message) {
  Rescue rescue{
      .ref = ref, .of = lane_of(ref), .commit = commit, .time = {}, .reason = {}, .branch = {}, .head = {}};
  Snapshot snapshot;
  if (read_snapshot_message(message, snapshot)) {
    rescue.time = snapshot.time;
    rescue.reason = snapshot.message;
    rescue.branch = snapshot.branch;
    rescue.head = snapshot.head;
    return rescue;
  }
  const std::string kept = value_of(message, "Kept");
  if (kept.empty()) return std::nullopt;
  rescue.commit = kept;
  rescue.head = kept;
  rescue.is_snapshot = false;
  rescue.time = parse_timestamp(value_of(message, "Time")).value_or(Timestamp());
  rescue.reason = std::string(trim(std::string_view(message).substr(0, message.rfind(kKept))));
  return rescue;
}

Result<void> count_in(const Git& git, Rescue& rescue) {
  if (rescue.is_snapshot) {
    std::string from = rescue.head;
    if (from.empty()) from = TRY(git.ask({"hash-object", "-t", "tree", "/dev/null"}));
    const GitAnswer answer =
        TRY(git.run({"diff-tree", "-r", "-z", "--no-renames", "--name-only", from, rescue.commit}));
    rescue.files = static_cast<std::size_t>(std::ranges::count(answer.output, '\0'));
  }
  if (rescue.head.empty()) return {};
  const std::string count =
      TRY(git.ask({"rev-list", "--count", rescue.head, "--not", "--exclude=refs/reprise/*", "--all"}));
  rescue.lone_commits = static_cast<std::size_t>(parse_number(count, 1'000'000'000).value_or(0));
  return {};
}

// What all references say, without what has to be counted.
Result<std::vector<Rescue>> read_rescues(const Git& git, const std::string& below) {
  const std::string output =
      TRY(git.ask({"for-each-ref", "--format=%(refname)%00%(objectname)%00%(contents)%00", below}));
  std::vector<Rescue> rescues;
  const std::vector<std::string_view> words = split(output, '\0');
  for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
    const std::string ref(trim(words[i]));  // the newline that ends the last one comes first
    const std::string commit(words[i + 1]);
    const std::string message(words[i + 2]);
    if (std::optional<Rescue> rescue = read_rescue(ref, commit, message)) rescues.push_back(std::move(*rescue));
  }
  std::ranges::stable_sort(rescues, [](const Rescue& a, const Rescue& b) {
    return a.time != b.time ? b.time < a.time : b.ref < a.ref;
  });
  return rescues;
}

bool is_meant(const Rescue& rescue, const std::string& name) {
  if (rescue.ref == name || rescue.commit == name) return true;
  return rescue.ref.ends_with("/" + name);
}

}  // namespace

Result<std::string> next_rescue_ref(const Git& git, const std::string& of, Timestamp time) {
  const std::string start = std::string(kRescues) + of + "/" + stamp(time) + "-";
  if (!is_snapshot_ref(start + "1") || of.empty()) {
    return fail(ErrorKind::Invalid, printable_line(of, 100) + ": not the name of a lane");
  }
  const std::string output =
      TRY(git.ask({"for-each-ref", "--format=%(refname)", std::string(kRescues) + of + "/"}));
  const std::vector<std::string_view> taken = split(output, '\n');
  for (int n = 1; n <= kNumberMax; ++n) {
    std::string ref = start + std::to_string(n);
    if (std::ranges::find(taken, std::string_view(ref)) == taken.end()) return ref;
  }
  return fail(ErrorKind::Conflict, start + ": too many of one second");
}

Result<Snapshot> take_rescue(const Git& worktree, const RescueRequest& request) {
  for (int i = 0;; ++i) {
    const std::string ref = TRY(next_rescue_ref(worktree, request.of, request.time));
    Result<Snapshot> snapshot = take_snapshot(worktree, {.ref = ref,
                                                         .message = request.reason,
                                                         .time = request.time,
                                                         .ignored = request.ignored,
                                                         .pinned = request.pinned,
                                                         .is_new = true});
    const bool was_taken = !snapshot && snapshot.error().kind == ErrorKind::Conflict;
    if (!was_taken || i == kTries) return snapshot;
  }
}

Result<std::string> keep_commit(const Git& git, const std::string& commit, const RescueRequest& request) {
  const std::optional<std::string> whole = TRY(git.commit_of(commit));
  if (!whole) return fail(ErrorKind::NotFound, "there is no commit " + printable_line(commit, 100));
  for (const Rescue& rescue : TRY(read_rescues(git, std::string(kRescues) + request.of + "/"))) {
    if (!rescue.is_snapshot && rescue.commit == *whole) return rescue.ref;
  }
  const std::string ref = TRY(next_rescue_ref(git, request.of, request.time));
  const Workshop workshop = TRY(Workshop::open(git));
  const std::string reason = printable_line(request.reason, 400);
  const std::string message = (reason.empty() ? "kept" : reason) + "\n" + std::string(kKept) + *whole +
                              "\nReprise-Time: " + to_text_ms(request.time) + "\n";
  const std::string holder = TRY(workshop.make_commit(*whole + "^{tree}", {*whole}, message, request.time));
  const GitAnswer answer = TRY(change_refs(git, {"update-ref", ref, holder, std::string(holder.size(), '0')}));
  if (!answer.ok()) return fail(ErrorKind::Conflict, ref + ": " + answer.errors);
  return ref;
}

Result<std::vector<Rescue>> list_rescues(const Git& git, const std::optional<std::string>& of) {
  const std::string below = std::string(kRescues) + (of ? *of + "/" : "");
  std::vector<Rescue> rescues = TRY(read_rescues(git, below));
  for (Rescue& rescue : rescues) TRY_VOID(count_in(git, rescue));
  return rescues;
}

Result<Rescue> find_rescue(const Git& git, const std::string& name) {
  std::vector<Rescue> found;
  for (Rescue& rescue : TRY(read_rescues(git, std::string(kRescues)))) {
    if (rescue.ref == name) return rescue;
    if (is_meant(rescue, name)) found.push_back(std::move(rescue));
  }
  if (found.empty()) {
    Error error{ErrorKind::NotFound, "nothing was set aside as \"" + printable_line(name, 100) + "\""};
    return fail(std::move(error).hint("reprise rescue list"));
  }
  if (found.size() == 1) return std::move(found.front());
  Error error{ErrorKind::Conflict, "\"" + printable_line(name, 100) + "\" could be one of several"};
  for (const Rescue& rescue : found)
    error = std::move(error).hint("reprise rescue restore " + shell_quote(rescue.ref));
  return fail(std::move(error));
}

Result<Restored> restore_rescue(const Git& worktree, const std::string& name, Timestamp time, bool exact) {
  const Rescue rescue = TRY(find_rescue(worktree, name));
  const std::string ref = TRY(next_rescue_ref(worktree, rescue.of, time));
  return restore_snapshot(
      worktree,
      {.to = rescue.commit, .rescue_ref = ref, .reason = "before " + rescue.ref + " was restored", .time = time},
      exact);
}

}  // namespace reprise
