#include "formats/story.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "formats/state_file.h"
#include "formats/state_words.h"
#include "formats/story_document.h"
#include "formats/story_ids.h"
#include "formats/story_reading.h"
#include "formats/story_words.h"

namespace reprise {
namespace {

// "@dev (Dex)" is "dev"; a name without "@" ends at its first space or bracket.
std::string agent_name(std::string_view value) {
  const std::string text = plain_value(value);
  if (is_nothing(text) || is_unfilled(text)) return "";
  const std::size_t at = text.find('@');
  const std::string_view name = std::string_view(text).substr(at == std::string::npos ? 0 : at + 1);
  return std::string(name.substr(0, std::min(name.find_first_of(" \t(),;|*`\"'"), name.size())));
}

// "[124 — Migration](epic.md)" is "124 — Migration".
std::string without_link(std::string_view value) {
  const std::string text = plain_value(value);
  const std::size_t close = text.starts_with('[') ? text.find("](") : std::string::npos;
  return close == std::string::npos ? text : text.substr(1, close - 1);
}

// What stands behind the id in a title.
std::string title_behind(std::string_view heading, std::size_t end) {
  std::string_view rest = heading.substr(end);
  for (bool again = true; again;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t*`:-|.])"), rest.size()));
    again = rest.starts_with("—") || rest.starts_with("–");
    if (again) rest.remove_prefix(std::string_view("—").size());
  }
  return plain_value(rest);
}

class StoryReader {
 public:
  StoryReader(const StoryDocument& story, std::string_view file) : story_(story), file_(file) {}

  StoryClaims read() {
    read_title();
    read_status();
    read_fields();
    claims_.sections = digest_story_sections(story_);
    claims_.dependencies = read_story_dependencies(story_);
    std::erase(claims_.dependencies, claims_.id);
    claims_.files = read_story_files(story_);
    for (const MarkdownBlock& box : find_story_boxes(story_)) {
      ++claims_.boxes;
      if (*box.checked) ++claims_.ticked;
    }
    claims_.gate = read_story_gate(story_);
    claims_.changes = read_story_changes(story_);
    return std::move(claims_);
  }

 private:
  void odd(int line, std::string_view text, std::string why) {
    add_oddity(claims_.oddities, line, text, std::move(why));
  }

  void read_title() {
    const MarkdownSection* title = story_.title();
    const std::string_view heading = title == nullptr ? std::string_view() : std::string_view(title->heading);
    const std::optional<LeadingStoryId> in_title = read_leading_story_id(heading);
    claims_.title = in_title ? title_behind(heading, in_title->end) : plain_value(heading);
    claims_.id = story_id_of_file(file_);
    if (!claims_.id.empty() && in_title && to_upper(claims_.id) != to_upper(in_title->id)) {
      odd(title->line, heading, "the file's name says " + claims_.id + "; the name counts");
    }
    if (claims_.id.empty() && in_title) claims_.id = in_title->id;
    if (!claims_.id.empty()) return;
    if (const StoryField* field = story_.find_field({"id", "story_id", "story"})) {
      if (const std::optional<LeadingStoryId> id = read_leading_story_id(field->value)) claims_.id = id->id;
    }
    if (claims_.id.empty()) odd(1, heading, "neither the file's name nor its title gives the story's id");
  }

  void read_status() {
    const std::vector<StatusSighting>& statuses = story_.statuses();
    if (statuses.empty()) return odd(1, claims_.title, "it has no status");
    const StatusSighting* counts = &statuses[0];
    for (const StatusSighting& status : statuses) {
      note_trouble(status);
      if (status.value.status < counts->value.status) counts = &status;
    }
    claims_.status = counts->value.status;
    claims_.status_word = counts->word;
    claims_.status_line = counts->line;
    for (const StatusSighting& status : statuses) {
      if (status.value.status == counts->value.status) continue;
      odd(status.line, status.word,
          "line " + std::to_string(counts->line) + " gives another status, which counts");
    }
  }

  void note_trouble(const StatusSighting& status) {
    switch (status.value.trouble) {
      case StatusTrouble::None: break;
      case StatusTrouble::NotAWord: odd(status.line, status.word, "not one of the status words"); break;
      case StatusTrouble::Unfilled: odd(status.line, status.word, "left as the template has it"); break;
      case StatusTrouble::TwoStatuses:
        odd(status.line, status.word, "says two things; the earlier one counts");
        break;
    }
    if (status.is_aside) odd(status.line, status.word, "stands in a section about something else");
  }

  void read_fields() {
    if (const StoryField* epic = story_.find_field({"epic", "epic_id"})) {
      if (!is_nothing(epic->value) && !is_unfilled(epic->value)) claims_.epic = without_link(epic->value);
    }
    if (const StoryField* field = story_.find_field({"executor", "assigned_to"}))
      claims_.executor = agent_name(field->value);
    if (const StoryField* field = story_.find_field({"quality_gate"}))
      claims_.quality_gate = agent_name(field->value);
  }

  const StoryDocument& story_;
  std::string_view file_;
  StoryClaims claims_;
};

// What the words of a name say that the file is, where it is no story.
struct OtherKind {
  std::string_view word;
  std::string_view kind;
};
constexpr auto kOtherKinds = std::to_array<OtherKind>({{"readme", "a readme"},
                                                       {"index", "an index"},
                                                       {"backlog", "an index"},
                                                       {"changelog", "a change log"},
                                                       {"epic", "an epic"},
                                                       {"prd", "a plan"},
                                                       {"roadmap", "a plan"},
                                                       {"plan", "a plan"},
                                                       {"report", "a report"},
                                                       {"summary", "a report"},
                                                       {"handoff", "a report"},
                                                       {"template", "a template"},
                                                       {"tmpl", "a template"}});

std::string_view other_kind(std::string_view words) {
  for (const std::string_view word : split(words, '_')) {
    const auto found = std::ranges::find(kOtherKinds, word, &OtherKind::word);
    if (found != kOtherKinds.end()) return found->kind;
  }
  return {};
}

StoryLook look_inside(const StoryDocument& story, bool has_id) {
  const std::string_view heading = story.title() == nullptr ? std::string_view() : story.title()->heading;
  const std::string title = normal_key(plain_value(heading));
  if (title.starts_with("epic")) return {false, "its title says that it is an epic"};
  const std::optional<LeadingStoryId> id = read_leading_story_id(heading);
  if (has_id || (id && title.starts_with("story")) || title.starts_with("user_story")) return {true, ""};
  const bool asks = story.find_part("acceptance_criteria") != nullptr;
  if (asks && (!story.statuses().empty() || id || story.find_part("tasks") != nullptr)) return {true, ""};
  return {false, "neither its name nor its title names a story, and it has no acceptance criteria"};
}

}  // namespace

StoryLook looks_like_story(std::string_view file, std::string_view bytes) {
  const std::string name = to_lower(file_name(file));
  if (!name.ends_with(".md") && !name.ends_with(".markdown")) return {false, "not a Markdown file"};
  if (is_named_story(file)) return {true, ""};
  std::string words = normal_key(name.substr(0, name.rfind('.')));
  std::ranges::replace(words, '.', '_');
  const bool has_id = !story_id_of_file(file).empty();
  if (const std::string_view kind = has_id ? std::string_view() : other_kind(words); !kind.empty())
    return {false, "its name says that it is " + std::string(kind)};
  if (find_damage(bytes, file)) return {has_id, has_id ? "" : "it cannot be read as text"};
  return look_inside(StoryDocument(std::string(bytes)), has_id);
}

Result<StoryClaims> read_story(std::string_view bytes, std::string_view file) {
  if (std::optional<Error> damage = find_damage(bytes, file)) return fail(std::move(*damage));
  if (trim(bytes.substr(text_start(bytes))).empty()) {
    return fail(Error{.kind = ErrorKind::Corrupt,
                      .message = "it is empty; it was probably not written to its end",
                      .file = std::string(file)});
  }
  const StoryDocument story{std::string(bytes)};
  return StoryReader(story, file).read();
}

std::vector<std::string> compare_sections(const StoryClaims& before, const StoryClaims& now) {
  std::vector<std::string> changed;
  for (const auto& [key, digest] : before.sections) {
    const auto found = now.sections.find(key);
    if (found == now.sections.end() || found->second != digest) changed.push_back(key);
  }
  for (const auto& [key, digest] : now.sections) {
    if (!before.sections.contains(key)) changed.push_back(key);
  }
  std::ranges::sort(changed);
  return changed;
}

}  // namespace reprise
