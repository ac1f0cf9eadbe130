#include "formats/story_reading.h"

#include <algorithm>
#include <set>

#include "base/digest.h"
#include "base/strings.h"
#include "formats/state_words.h"
#include "formats/story_ids.h"

namespace reprise {
namespace {

constexpr std::size_t kFilesMax = 10'000;

// Calls `visit` with each block of the parts with this key, subsections included, that is not in a comment. A part
// within another of the same key is not visited twice.
template <typename Visit>
void for_each_block(const StoryDocument& story, std::string_view key, Visit visit) {
  std::size_t done = 0;
  for (const StoryPart& part : story.parts()) {
    if (part.key != key) continue;
    for (std::size_t i = std::max(part.section.first, done); i < part.section.end; ++i) {
      const MarkdownBlock& block = story.text().blocks()[i];
      if (!story.is_commented(block.begin)) visit(block);
    }
    done = std::max(done, part.section.end);
  }
}

// A line as it is compared: without spaces at its end, and with its box empty.
void add_line(Hasher& hasher, std::string_view line) {
  std::string text(line.substr(0, line.find_last_not_of(" \t") + 1));
  const std::size_t first = text.find_first_not_of(" \t");
  if (first != std::string::npos && (text[first] == '-' || text[first] == '*' || text[first] == '+')) {
    const std::size_t box = text.find_first_not_of(" \t", first + 1);
    const bool is_ticked = box != std::string::npos && box + 2 < text.size() && text[box] == '[' &&
                           text[box + 2] == ']' && (text[box + 1] == 'x' || text[box + 1] == 'X');
    if (is_ticked) text[box + 1] = ' ';
  }
  hasher.add(text);
  hasher.add("\n");
}

// Adds the lines of the blocks, without blank ones at both ends.
void add_text(Hasher& hasher, const MarkdownDocument& document, std::size_t first, std::size_t end) {
  const std::vector<MarkdownBlock>& blocks = document.blocks();
  while (first < end && blocks[first].kind == MarkdownKind::Blank) ++first;
  while (first < end && blocks[end - 1].kind == MarkdownKind::Blank) --end;
  if (first == end) return;
  const std::string_view text = text_of(document.bytes(), {blocks[first].begin, blocks[end - 1].end});
  for (const TextLine& line : lines_of(text)) add_line(hasher, text_of(text, line.text));
}

void add_once(std::vector<std::string>& list, std::set<std::string>& seen, std::string text) {
  if (list.size() < kFilesMax && seen.insert(text).second) list.push_back(std::move(text));
}

bool is_dependency_key(std::string_view key) {
  return key == "dependencies" || key == "depends_on" || key == "blocked_by" || key == "requires" ||
         key == "prerequisites" || key == "hard_dependencies";
}

// Of a link, the text where that is a path: its target is often relative to the story's own folder.
std::string_view path_in_link(std::string_view item) {
  const std::size_t close = item.starts_with('[') ? item.find("](") : std::string_view::npos;
  if (close == std::string_view::npos) return item;
  const std::string_view text = item.substr(1, close - 1);
  return text.find('/') != std::string_view::npos && text.find(' ') == std::string_view::npos ? text : item;
}

// What stands in the code marks of a text, or all of it.
std::vector<std::string> paths_of_item(std::string_view item) {
  item = path_in_link(item);
  for (const std::string_view end : {" — ", " - ", " – ", " -- ", ": "}) {
    const std::size_t at = item.find(end);
    if (at != std::string_view::npos && at > 0) item = item.substr(0, at);
  }
  std::vector<std::string> paths;
  for (std::size_t open = item.find('`'); open != std::string_view::npos;) {
    const std::size_t close = item.find('`', open + 1);
    if (close == std::string_view::npos) break;
    for (std::string& path : read_paths(item.substr(open, close + 1 - open))) paths.push_back(std::move(path));
    open = item.find('`', close + 1);
  }
  return paths.empty() ? read_paths(item) : paths;
}

std::size_t file_column(const MarkdownRow& header) {
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const std::string name = normal_key(plain_value(header.cells[i]));
    if (name == "file" || name == "path" || name == "files" || name == "arquivo" || name == "file_path") return i;
  }
  return 0;
}

// A verdict stands beside a key, or on the first line below a heading that asks for one.
class GateReader {
 public:
  void take(const StoryDocument& story, const MarkdownBlock& block) {
    if (block.kind == MarkdownKind::Heading) {
      is_asked_ = is_gate_key(normal_key(plain_value(block.text)));
      take_fields(story, block);
    } else if (block.kind == MarkdownKind::Table) {
      for (const MarkdownRow& row : block.rows) {
        if (row.cells.size() == 2 && is_gate_key(normal_key(plain_value(row.cells[0])))) take_value(row.cells[1]);
      }
    } else if (block.kind == MarkdownKind::Paragraph || block.kind == MarkdownKind::ListItem) {
      const bool has_field = take_fields(story, block);
      if (is_asked_ && !has_field) take_value(text_of(story.text().bytes(), story.line_of(block)));
      is_asked_ = false;
    }
  }
  const std::string& verdict() const { return verdict_; }

 private:
  bool take_fields(const StoryDocument& story, const MarkdownBlock& block) {
    const std::vector<StoryField> fields = fields_on_line(story.text().bytes(), story.line_of(block));
    for (const StoryField& field : fields) {
      if (is_gate_key(field.key)) take_value(field.value);
    }
    return !fields.empty();
  }
  void take_value(std::string_view value) {
    if (const std::string_view verdict = read_gate_verdict(value); !verdict.empty()) verdict_ = verdict;
  }

  bool is_asked_ = false;
  std::string verdict_;
};

}  // namespace

std::map<std::string, std::string> digest_story_sections(const StoryDocument& story) {
  std::map<std::string, Hasher> hashers;
  for (const StoryPart& part : story.parts()) {
    if (part.key.empty()) continue;
    add_text(hashers[part.key], story.text(), part.section.first, part.section.end);
  }
  std::map<std::string, std::string> digests;
  for (auto& [key, hasher] : hashers) digests[key] = to_text(hasher.finish());
  return digests;
}

std::vector<std::string> read_story_dependencies(const StoryDocument& story) {
  std::vector<std::string> ids;
  std::set<std::string> seen;
  const auto add = [&](std::string_view text) {
    for (std::string& id : read_story_ids(text)) add_once(ids, seen, std::move(id));
  };
  for (const StoryField& field : story.fields()) {
    if (!is_dependency_key(field.key)) continue;
    add(field.value);
    for (const std::string& item : field.nested) add(item);
  }
  bool is_meant = true;  // "### Blocks" lists those that wait for this one
  for_each_block(story, "dependencies", [&](const MarkdownBlock& block) {
    if (block.kind == MarkdownKind::Heading) is_meant = !normal_key(plain_value(block.text)).starts_with("blocks");
    const bool is_line = block.kind == MarkdownKind::ListItem || block.kind == MarkdownKind::Paragraph;
    if (!is_line || !is_meant) return;
    const TextSpan line = story.line_of(block);
    const std::vector<StoryField> fields = fields_on_line(story.text().bytes(), line);
    const bool has_key = !fields.empty() && !read_leading_story_id(text_of(story.text().bytes(), line));
    if (!has_key) add(text_of(story.text().bytes(), line));
    for (const StoryField& field : fields) {
      if (has_key && is_dependency_key(field.key)) add(field.value);
    }
  });
  return ids;
}

std::vector<std::string> read_story_files(const StoryDocument& story) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  for_each_block(story, "file_list", [&](const MarkdownBlock& block) {
    const std::size_t column = block.kind == MarkdownKind::Table ? file_column(block.header) : 0;
    for (const MarkdownRow& row : block.rows) {
      if (column >= row.cells.size()) continue;
      for (std::string& path : paths_of_item(row.cells[column])) add_once(files, seen, std::move(path));
    }
    if (block.kind != MarkdownKind::ListItem) return;
    for (std::string& path : paths_of_item(block.text)) add_once(files, seen, std::move(path));
  });
  return files;
}

std::string read_story_gate(const StoryDocument& story) {
  GateReader reader;
  for_each_block(story, "qa_results", [&](const MarkdownBlock& block) { reader.take(story, block); });
  return reader.verdict();
}

std::vector<MarkdownBlock> find_story_boxes(const StoryDocument& story) {
  std::vector<MarkdownBlock> boxes;
  for_each_block(story, "tasks", [&](const MarkdownBlock& block) {
    if (block.checked) boxes.push_back(block);
  });
  return boxes;
}

}  // namespace reprise
