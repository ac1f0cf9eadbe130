// A person at an editor, one small step at a time: looks at the file, changes the text, and saves it in one of the
// ways in which editors do. Between two steps anything may happen to the file.

#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

enum class Style { RenameOver, InPieces, HalfFirst, Append };
inline constexpr int kStyles = 4;
std::string_view name_of(Style style);

enum class Change { Tick, Note, Answer, FreeText };
inline constexpr int kChanges = 4;
std::string_view name_of(Change change);

/// What was done to the file in one step.
enum class Step { Look, Open, Piece, Save };
inline constexpr int kSteps = 4;

/// A save that came to its end.
struct Saved {
  Change change;
  Style style;
  std::string words;    // unique; what was ticked, noted, answered or written
  std::string content;  // of the whole file, as saved
};

class Editor {
 public:
  Editor(std::filesystem::path file, bool is_playbook, std::mt19937& random)
      : file_(std::move(file)), is_playbook_(is_playbook), random_(random) {}
  ~Editor();
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  /// Does the next small thing. Nothing happens, and nothing is returned, if there is no file to edit.
  std::vector<Step> go_on();
  /// Brings a save that was begun to its end.
  void finish();
  bool is_saving() const { return fd_ >= 0 || !pieces_.empty(); }
  Style style() const { return style_; }
  const std::vector<Saved>& saved() const { return saved_; }
  /// What only a half-written file has said so far, and what would be said.
  const std::vector<std::string>& all_words() const { return all_words_; }
  /// Lets go of the file in a process that is not the editor's.
  void forget();

 private:
  bool look();
  bool change_text(const std::string& token);
  void plan_pieces();
  void open();
  void write_piece();
  void close();
  void rename_over();

  std::filesystem::path file_;
  bool is_playbook_;
  std::mt19937& random_;
  int count_ = 0;
  Change change_ = Change::Note;
  Style style_ = Style::RenameOver;
  std::string words_;
  std::string text_;
  std::vector<std::string> pieces_;  // "\0" alone: begin again from an empty file
  bool is_begun_ = false;
  int fd_ = -1;
  std::vector<Saved> saved_;
  std::vector<std::string> all_words_;
};

}  // namespace reprise
