#include "editor.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "base/check.h"

namespace reprise {
namespace {

constexpr std::string_view kNotes = "## Notes\n";
constexpr std::string_view kLog = "## Team Log\n";
constexpr std::array<std::string_view, 3> kBoxes = {"Spec approval", "Architecture sign-off", "Security sign-off"};
const std::string kStartOver(1, '\0');

std::string read_back(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string read_back(int fd) {
  std::string text(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)), '\0');
  check(::pread(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  return text;
}

}  // namespace

std::string_view name_of(Style style) {
  constexpr std::array<std::string_view, kStyles> kNames = {"renamed over", "in pieces", "half first", "appended"};
  return kNames[static_cast<std::size_t>(style)];
}

std::string_view name_of(Change change) {
  constexpr std::array<std::string_view, kChanges> kNames = {"tick", "note", "answer", "free text"};
  return kNames[static_cast<std::size_t>(change)];
}

Editor::~Editor() { forget(); }

void Editor::forget() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool Editor::change_text(const std::string& token) {
  if (change_ == Change::Tick) {
    const std::string_view box = kBoxes[random_() % kBoxes.size()];
    const std::string open = "- [ ] " + std::string(box);
    const std::size_t at = text_.find(open);
    if (at == std::string::npos) return false;
    words_ = "- [x] " + std::string(box);
    text_.replace(at, open.size(), words_);
    return true;
  }
  if (change_ == Change::Note) {
    const std::size_t at = text_.find(kNotes);
    words_ = "noted " + token + ".";
    if (at != std::string::npos) text_.insert(at + kNotes.size(), "\n" + words_ + "\n");
    return at != std::string::npos;
  }
  if (change_ == Change::Answer) {
    constexpr std::string_view kOpen = "awaiting_answer |  |";
    const std::size_t at = text_.find(kOpen);
    words_ = "answered " + token + ".";
    if (at != std::string::npos) text_.replace(at, kOpen.size(), "awaiting_answer | " + words_ + " |");
    return at != std::string::npos;
  }
  words_ = "logged " + token + ".";
  const std::size_t log = text_.find(kLog);
  const std::size_t before = text_.find(is_playbook_ ? kNotes : "## Gap Priority Queue\n");
  if (log != std::string::npos) {
    text_.insert(log + kLog.size(), "\n" + words_ + "\n");
  } else if (before != std::string::npos) {
    text_.insert(before, std::string(kLog) + "\n" + words_ + "\n\n");
  } else {
    return false;
  }
  return true;
}

bool Editor::look() {
  text_ = read_back(file_);
  if (text_.empty()) return false;
  const std::string token = std::to_string(random_() % 100'000) + " as number " + std::to_string(++count_);
  style_ = static_cast<Style>(random_() % kStyles);
  if (style_ == Style::Append) {
    change_ = is_playbook_ ? Change::Note : Change::FreeText;
    words_ = (is_playbook_ ? "noted " : "logged ") + token + ".";
    text_ = "\n" + words_ + "\n";
    if (!is_playbook_) text_ = "\n## Log " + token + "\n" + text_;
  } else {
    change_ = static_cast<Change>(random_() % kChanges);
    if (change_ == (is_playbook_ ? Change::Answer : Change::Tick)) change_ = Change::FreeText;
    if (change_ == Change::Note && !is_playbook_) change_ = Change::Answer;
    if (!change_text(token)) return false;
  }
  all_words_.push_back(words_);
  plan_pieces();
  is_begun_ = false;
  return true;
}

void Editor::plan_pieces() {
  pieces_.clear();
  if (style_ == Style::HalfFirst) {
    // Cut in the middle of the new words, where there is most to misunderstand.
    const std::size_t at = text_.find(words_);
    pieces_ = {text_.substr(0, at + words_.size() / 2), kStartOver, text_};
  } else if (style_ == Style::InPieces) {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t size = 1 + random_() % (text_.size() / 2 + 1);
      pieces_.push_back(text_.substr(at, size));
      at += size;
    }
  } else {
    pieces_ = {text_};
  }
}

void Editor::open() {
  is_begun_ = true;
  const int flags = style_ == Style::Append ? O_APPEND : O_TRUNC | O_CREAT;
  fd_ = ::open(file_.c_str(), O_RDWR | O_CLOEXEC | flags, 0644);
  if (fd_ < 0) pieces_.clear();  // it was never there
}

void Editor::write_piece() {
  const std::string piece = pieces_.front();
  pieces_.erase(pieces_.begin());
  if (piece == kStartOver) {
    check(::ftruncate(fd_, 0) == 0 && ::lseek(fd_, 0, SEEK_SET) == 0);
  } else {
    check(::write(fd_, piece.data(), piece.size()) == static_cast<ssize_t>(piece.size()));
  }
}

void Editor::close() {
  saved_.push_back({change_, style_, words_, read_back(fd_)});
  ::close(fd_);
  fd_ = -1;
}

void Editor::rename_over() {
  pieces_.clear();
  const std::filesystem::path beside = file_.string() + ".swp";
  std::ofstream(beside, std::ios::binary) << text_;
  std::filesystem::rename(beside, file_);
  saved_.push_back({change_, style_, words_, text_});
}

std::vector<Step> Editor::go_on() {
  if (!is_saving()) return look() ? std::vector{Step::Look} : std::vector<Step>();
  if (style_ == Style::RenameOver) {
    rename_over();
    return {Step::Save};
  }
  if (!is_begun_) {
    open();
    return {Step::Open};
  }
  if (!pieces_.empty()) {
    write_piece();
    return {Step::Piece};
  }
  close();
  return {Step::Save};
}

void Editor::finish() {
  if (!is_begun_) pieces_.clear();  // looked, and changed nothing
  while (is_saving()) go_on();
}

}  // namespace reprise
