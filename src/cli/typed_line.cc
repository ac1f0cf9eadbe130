#include "cli/typed_line.h"

#include <termios.h>
#include <unistd.h>

#include "base/strings.h"
#include "cli/terminal.h"

namespace reprise {
namespace {

constexpr char kEndOfInput = '\x04';  // Ctrl-D
constexpr char kEraseAll = '\x15';    // Ctrl-U
constexpr char kEraseWord = '\x17';   // Ctrl-W

// Removes the last character, which may be several bytes.
void erase_last(std::string& text) {
  const auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  while (!text.empty() && is_continuation(text.back())) text.pop_back();
  if (!text.empty()) text.pop_back();
}

void erase_word(std::string& text) {
  while (text.ends_with(' ')) text.pop_back();
  while (!text.empty() && !text.ends_with(' ')) text.pop_back();
}

}  // namespace

// Applies an editing key that has no name in Key.
bool TypedLine::edit() {
  const char first = unread_[0];
  if (first != kEraseAll && first != kEraseWord && first != kEndOfInput) return false;
  if (first == kEraseAll) text_.clear();
  if (first == kEraseWord) erase_word(text_);
  unread_.erase(0, 1);
  return true;
}

std::optional<std::string> TypedLine::next(bool& ended) {
  while (!unread_.empty()) {
    ended = unread_[0] == kEndOfInput && text_.empty();
    if (edit()) {
      if (ended) return std::nullopt;
      continue;
    }
    const std::optional<Key> key = take_key(unread_, false);
    if (!key) return std::nullopt;
    if (key->kind == Key::Kind::Text) text_ += key->text;
    if (key->kind == Key::Kind::Erase) erase_last(text_);
    if (key->kind == Key::Kind::Enter) return std::string(trim(std::exchange(text_, "")));
  }
  return std::nullopt;
}

struct SilentKeys::Modes {
  termios found{};
};

SilentKeys::SilentKeys() : modes_(std::make_unique<Modes>()) {}

std::unique_ptr<SilentKeys> SilentKeys::start() {
  std::unique_ptr<SilentKeys> keys(new SilentKeys());
  if (tcgetattr(0, &keys->modes_->found) != 0) return nullptr;
  tcflush(0, TCIFLUSH);
  keys->renew();
  return keys;
}

// TCSANOW, because the other ways wait for a terminal that Ctrl-S has stopped.
void SilentKeys::renew() {
  termios now{};
  if (tcgetattr(0, &now) != 0 || (now.c_lflag & (ICANON | ECHO)) == 0) return;
  termios wanted = modes_->found;
  wanted.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  wanted.c_cc[VMIN] = 1;
  wanted.c_cc[VTIME] = 0;
  wanted.c_cc[VQUIT] = _POSIX_VDISABLE;
  tcsetattr(0, TCSANOW, &wanted);
}

SilentKeys::~SilentKeys() {
  if (is_in_foreground()) tcsetattr(0, TCSANOW, &modes_->found);
}

bool is_in_foreground() { return tcgetpgrp(0) == getpgrp(); }

}  // namespace reprise
