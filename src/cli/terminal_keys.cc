// Keys one by one: what bytes they are, and the terminal modes in which they arrive.

#include <poll.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "cli/terminal.h"

namespace reprise {
namespace {

constexpr int kEscapePauseMs = 50;  // the rest of a sequence follows at once, a lone escape is followed by nothing
constexpr char kEscape = '\x1b';

struct Sequence {
  std::string_view bytes;  // after the escape
  Key::Kind kind;
};
constexpr Sequence kSequences[] = {
    {"[A", Key::Kind::Up},      {"OA", Key::Kind::Up},        {"[B", Key::Kind::Down},  {"OB", Key::Kind::Down},
    {"[5~", Key::Kind::PageUp}, {"[6~", Key::Kind::PageDown}, {"[H", Key::Kind::First}, {"OH", Key::Kind::First},
    {"[1~", Key::Kind::First},  {"[F", Key::Kind::Last},      {"OF", Key::Kind::Last},  {"[4~", Key::Kind::Last},
};

// How many bytes after the escape belong to its sequence; 0: more must come, or there is none.
std::size_t sequence_length(std::string_view rest) {
  if (rest.empty() || (rest[0] != '[' && rest[0] != 'O')) return 0;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] >= '@' && rest[i] <= '~') return i + 1;
  }
  return 0;
}

std::optional<Key> take_sequence(std::string& typed, bool is_all) {
  const std::string_view rest = std::string_view(typed).substr(1);
  const bool may_be_one = rest.empty() || rest[0] == '[' || rest[0] == 'O';
  const std::size_t length = sequence_length(rest);
  if (may_be_one && length == 0 && !is_all) return std::nullopt;
  if (length == 0) {
    typed.erase(0, 1);
    return Key{.kind = Key::Kind::Escape};
  }
  Key key;
  for (const Sequence& sequence : kSequences) {
    if (rest.substr(0, length) == sequence.bytes) key.kind = sequence.kind;
  }
  typed.erase(0, 1 + length);
  return key;
}

std::optional<Key> take_text(std::string& typed, bool is_all) {
  const auto lead = static_cast<unsigned char>(typed[0]);
  const std::size_t bytes = lead < 0x80 ? 1u : lead < 0xe0 ? 2u : lead < 0xf0 ? 3u : 4u;
  if (bytes > typed.size() && !is_all) return std::nullopt;
  Key key{.kind = Key::Kind::Text, .text = typed.substr(0, bytes)};
  typed.erase(0, bytes);
  if (bytes > key.text.size() || lead < 0x20 || (lead >= 0x80 && lead < 0xc2)) key = {};
  return key;
}

sigset_t taken_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGWINCH}) sigaddset(&set, number);
  return set;
}

}  // namespace

struct SignalsAsFound::Set {
  sigset_t blocked{};
};
SignalsAsFound::SignalsAsFound() : found_(std::make_unique<Set>()) {
  sigprocmask(SIG_BLOCK, nullptr, &found_->blocked);
}
SignalsAsFound::~SignalsAsFound() { sigprocmask(SIG_SETMASK, &found_->blocked, nullptr); }

std::optional<Key> take_key(std::string& typed, bool is_all) {
  if (typed.empty()) return std::nullopt;
  const char first = typed[0];
  if (first == kEscape) return take_sequence(typed, is_all);
  constexpr std::array kPlain = {std::pair{'\r', Key::Kind::Enter}, std::pair{'\n', Key::Kind::Enter},
                                 std::pair{'\x7f', Key::Kind::Erase}, std::pair{'\b', Key::Kind::Erase}};
  for (const auto& [byte, kind] : kPlain) {
    if (first != byte) continue;
    typed.erase(0, 1);
    return Key{.kind = kind};
  }
  if (first != '\x03') return take_text(typed, is_all);
  typed.erase(0, 1);
  return Key{.kind = Key::Kind::Ended, .signal = SIGINT};
}

struct KeyTerminal::Modes {
  termios terminal{};
  sigset_t signals{};
};

KeyTerminal::KeyTerminal() : modes_(std::make_unique<Modes>()) {}

std::unique_ptr<KeyTerminal> KeyTerminal::start() {
  std::unique_ptr<KeyTerminal> keys(new KeyTerminal());
  if (tcgetattr(0, &keys->modes_->terminal) != 0) return nullptr;
  if (sigprocmask(SIG_BLOCK, nullptr, &keys->modes_->signals) != 0) return nullptr;
  const sigset_t taken = taken_signals();
  keys->signals_ = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
  if (keys->signals_ < 0) return nullptr;
  keys->enter();
  return keys;
}

KeyTerminal::~KeyTerminal() {
  leave();
  if (signals_ >= 0) close(signals_);
}

void KeyTerminal::enter() {
  if (is_taking_) return;
  const sigset_t taken = taken_signals();
  sigprocmask(SIG_BLOCK, &taken, nullptr);
  termios keys = modes_->terminal;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  tcsetattr(0, TCSAFLUSH, &keys);  // what was typed at something else is not meant for us
  typed_.clear();
  is_taking_ = true;
}

void KeyTerminal::leave() {
  if (!is_taking_) return;
  tcsetattr(0, TCSANOW, &modes_->terminal);
  sigprocmask(SIG_SETMASK, &modes_->signals, nullptr);
  is_taking_ = false;
}

// Waits for bytes or a signal. True: `key` says what came.
bool KeyTerminal::wait(int timeout_ms, Key& key) {
  pollfd waiting[] = {{signals_, POLLIN, 0}, {0, POLLIN, 0}};
  if (::poll(waiting, 2, timeout_ms) <= 0) return false;
  signalfd_siginfo info{};
  bool resized = false;
  while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int number = static_cast<int>(info.ssi_signo);
    if (number != SIGWINCH) {
      key = {.kind = Key::Kind::Ended, .signal = number};
      return true;
    }
    resized = true;
  }
  key = {.kind = resized ? Key::Kind::Resized : Key::Kind::None};
  if (resized || waiting[1].revents == 0) return resized;
  char buffer[256];
  const ssize_t count = ::read(0, buffer, sizeof buffer);
  if (count > 0) typed_.append(buffer, static_cast<std::size_t>(count));
  if (count <= 0) key = {.kind = Key::Kind::Ended, .signal = SIGHUP};  // nobody can type any more
  return count <= 0;
}

Key KeyTerminal::next(int timeout_ms) {
  bool is_all = false;
  for (;;) {
    if (std::optional<Key> key = take_key(typed_, is_all)) return *key;
    Key key;
    const bool is_cut = !typed_.empty();
    const std::size_t before = typed_.size();
    if (wait(is_cut ? kEscapePauseMs : timeout_ms, key)) return key;
    if (typed_.size() == before && !is_cut) return {};
    is_all = typed_.size() == before;
  }
}

}  // namespace reprise
