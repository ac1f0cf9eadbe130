#include "text/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <map>
#include <streambuf>
#include <unordered_set>

#include "base/strings.h"
#include "text/utf8.h"

namespace reprise {

// Hands the parser its input, and nothing more of it once the document is known to be refused: an
// event handler has no other way to stop the parser than an exception.
class YamlSource : public std::streambuf {
 public:
  explicit YamlSource(std::string_view bytes) : rest_(bytes) {}
  void stop() {
    rest_ = {};
    setg(nullptr, nullptr, nullptr);
  }

 protected:
  int_type underflow() override {
    if (rest_.empty()) return traits_type::eof();
    const std::string_view piece = rest_.substr(0, kPieceBytes);
    rest_.remove_prefix(piece.size());
    char* begin = const_cast<char*>(piece.data());  // only read: streambuf knows no const
    setg(begin, begin, begin + piece.size());
    return traits_type::to_int_type(*begin);
  }

 private:
  static constexpr std::size_t kPieceBytes = 16u << 10;
  std::string_view rest_;
};

namespace {

// The parser ends a plain text in a flow map at a "?", so that it refuses {ask: Ship it?}. Where the mark
// cannot begin a key it is handed over as a byte that a document may not contain, and put back after.
constexpr char kQuestionMark = '\x1A';

std::string with_hidden_question_marks(std::string_view bytes) {
  std::string out(bytes);
  for (std::size_t at = out.find('?'); at != std::string::npos; at = out.find('?', at + 1)) {
    const char before = at == 0 ? ' ' : out[at - 1];
    const char after = at + 1 == out.size() ? ' ' : out[at + 1];
    const bool may_begin = std::string_view(" \t\r\n,[{-").find(before) != std::string_view::npos;
    if (!may_begin || std::string_view(" \t\r\n").find(after) == std::string_view::npos) out[at] = kQuestionMark;
  }
  return out;
}

// Whether `text` begins with a quote that nothing closes.
bool is_open_quote(std::string_view text) {
  const char quote = text[0];
  if (quote != '"' && quote != '\'') return false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      // '' is a quote within the text.
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) return false;
      ++i;
    }
  }
  return true;
}

std::string shown(std::string_view text) { return '"' + printable_line(text, 60) + '"'; }

}  // namespace

// Takes the parser's events and keeps the first thing that is wrong.
class YamlTreeBuilder : public YAML::EventHandler {
 public:
  YamlTreeBuilder(std::string_view bytes, YamlSource& source, const YamlLimits& limits)
      : bytes_(bytes), source_(source), limits_(limits), last_scalar_(YAML::Mark::null_mark()) {}

  bool has_failed() const { return failed_; }

  // The parser takes a text whose closing quote is missing, if the document ends with a line end there.
  void refuse_open_quote() {
    if (failed_ || last_scalar_.is_null()) return;
    const auto at = static_cast<std::size_t>(last_scalar_.pos);
    if (at < bytes_.size() && is_open_quote(bytes_.substr(at))) refuse(last_scalar_, "a quote is not closed");
  }
  Error take_error() { return std::move(error_); }
  YamlDocument take_document() {
    if (document_.records_.empty()) {
      document_.records_.push_back({1, 1, 0, 0, 0, YamlKind::Null, false});
    }
    return std::move(document_);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      refuse(mark, "a second document: only one is read; remove the line \"---\" or what follows it");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(mark, YamlKind::Null, "", anchor, "", false);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (failed_) return;
    if (!limits_.aliases) return refuse(mark, "aliases (*name) are not taken: write the value out");
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) return refuse(mark, "an alias (*name) within what it stands for");
    copy(mark, found->second);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    last_scalar_ = mark;
    add(mark, YamlKind::Scalar, tag, anchor, value, tag == "!");
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    add(mark, YamlKind::Sequence, tag, anchor, "", false);
  }
  void OnSequenceEnd() override { leave(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    add(mark, YamlKind::Map, tag, anchor, "", false);
  }
  void OnMapEnd() override {
    if (!failed_) refuse_double_keys();
    leave();
  }

 private:
  using Record = YamlDocument::Record;
  struct Open {
    std::uint32_t parent;
    std::uint32_t last_child = 0;
    YAML::anchor_t anchor = 0;
    int depth = 0;  // of the deepest value in it
  };
  // What an anchor marks: these records, and how deep they go.
  struct Marked {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    int depth = 0;
  };

  void copy(const YAML::Mark& mark, const Marked& marked) {
    std::vector<Record>& records = document_.records_;
    const std::size_t size = marked.end - marked.begin;
    if (records.size() + size > limits_.nodes) {
      return refuse(mark, "more than " + std::to_string(limits_.nodes) + " values");
    }
    if (static_cast<int>(open_.size()) + marked.depth > limits_.depth) {
      return refuse(mark, "nested deeper than " + std::to_string(limits_.depth) + " levels");
    }
    if (records[marked.begin].kind != YamlKind::Scalar && is_at_key()) {
      return refuse(mark, "a key must be a word, not empty, a list or a map");
    }
    const auto first = static_cast<std::uint32_t>(records.size());
    link(first);
    records.reserve(records.size() + size);
    for (std::uint32_t i = marked.begin; i < marked.end; ++i) {
      Record record = records[i];
      if (record.next != 0) record.next += first - marked.begin;
      if (i == marked.begin) record.next = 0;
      records.push_back(record);
    }
    records[first].line = static_cast<std::uint32_t>(mark.line + 1);
    records[first].column = static_cast<std::uint32_t>(mark.column + 1);
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, marked.depth);
  }

  // Hangs the record that comes next below the one that is open.
  void link(std::uint32_t index) {
    if (open_.empty()) return;
    Open& parent = open_.back();
    if (parent.last_child != 0) document_.records_[parent.last_child].next = index;
    parent.last_child = index;
    ++document_.records_[parent.parent].text_size;
  }

  void refuse(std::uint32_t line, std::uint32_t column, std::string message) {
    if (failed_) return;
    failed_ = true;
    error_ = Error{.kind = ErrorKind::Invalid,
                   .message = std::move(message),
                   .line = static_cast<int>(line),
                   .column = static_cast<int>(column)};
    source_.stop();
  }
  void refuse(const YAML::Mark& mark, std::string message) {
    refuse(static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1),
           std::move(message));
  }

  void add(const YAML::Mark& mark, YamlKind kind, const std::string& tag, YAML::anchor_t anchor,
           std::string_view text, bool quoted) {
    if (failed_) return;
    if (!is_allowed(mark, kind, tag, anchor, text)) return;
    std::vector<Record>& records = document_.records_;
    const auto index = static_cast<std::uint32_t>(records.size());
    link(index);
    records.push_back({static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1),
                       static_cast<std::uint32_t>(document_.text_.size()), static_cast<std::uint32_t>(text.size()),
                       0, kind, quoted});
    document_.text_ += text;
    std::replace(document_.text_.end() - static_cast<std::ptrdiff_t>(text.size()), document_.text_.end(),
                 kQuestionMark, '?');
    if (kind == YamlKind::Map || kind == YamlKind::Sequence) {
      open_.push_back({.parent = index, .anchor = anchor});
      return;
    }
    if (anchor != 0) anchors_[anchor] = {index, index + 1, 1};
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, 1);
  }

  bool is_allowed(const YAML::Mark& mark, YamlKind kind, const std::string& tag, YAML::anchor_t anchor,
                  std::string_view text) {
    if (anchor != 0 && !limits_.aliases) {
      refuse(mark, "anchors (&name) are not taken: write the value out where it is needed");
    } else if ((!tag.empty() && tag != "?" && tag != "!") || byte_at(mark) == '!') {
      refuse(mark, "tags are not taken: " + shown(tag));
    } else if (document_.records_.size() >= limits_.nodes) {
      refuse(mark, "more than " + std::to_string(limits_.nodes) + " values");
    } else if (static_cast<int>(open_.size()) >= limits_.depth) {
      refuse(mark, "nested deeper than " + std::to_string(limits_.depth) + " levels");
    } else if (text.size() > limits_.string_bytes) {
      refuse(mark, "a value longer than " + std::to_string(limits_.string_bytes) + " bytes");
    } else if (kind != YamlKind::Scalar && is_at_key()) {
      refuse(mark, "a key must be a word, not empty, a list or a map");
    }
    return !failed_;
  }

  // A bare "!" is told apart from a quoted text only by what is written.
  char byte_at(const YAML::Mark& mark) const {
    const auto at = static_cast<std::size_t>(mark.pos);
    return at < bytes_.size() ? bytes_[at] : '\0';
  }

  bool is_at_key() const {
    if (open_.empty()) return false;
    const Record& parent = document_.records_[open_.back().parent];
    return parent.kind == YamlKind::Map && parent.text_size % 2 == 0;
  }

  void leave() {
    if (failed_) return;
    const Open closed = open_.back();
    open_.pop_back();
    const int depth = closed.depth + 1;
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, depth);
    if (closed.anchor == 0) return;
    anchors_[closed.anchor] = {closed.parent, static_cast<std::uint32_t>(document_.records_.size()), depth};
  }

  std::string_view text_of(const Record& record) const {
    return std::string_view(document_.text_).substr(record.text_begin, record.text_size);
  }

  void refuse_double_keys() {
    const std::vector<Record>& records = document_.records_;
    const std::uint32_t map = open_.back().parent;
    // Most maps are small, and a look at a few keys is cheaper than a set.
    const bool is_small = records[map].text_size <= 2 * kSmallMap;
    std::unordered_set<std::string_view> seen;
    std::uint32_t key = records[map].text_size == 0 ? 0 : map + 1;
    while (key != 0 && !failed_) {
      const std::string_view text = text_of(records[key]);
      if (is_small ? is_key_before(map + 1, key) : !seen.insert(text).second) {
        refuse(records[key].line, records[key].column, "the key " + shown(text) + " comes twice");
      }
      key = records[records[key].next].next;
    }
  }

  bool is_key_before(std::uint32_t first, std::uint32_t key) const {
    const std::vector<Record>& records = document_.records_;
    for (std::uint32_t other = first; other != key; other = records[records[other].next].next) {
      if (text_of(records[other]) == text_of(records[key])) return true;
    }
    return false;
  }

  static constexpr std::uint32_t kSmallMap = 12;

  std::string_view bytes_;  // as the parser counts them
  YamlSource& source_;
  const YamlLimits& limits_;
  YAML::Mark last_scalar_;
  YamlDocument document_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Marked> anchors_;
  int documents_ = 0;
  bool failed_ = false;
  Error error_;
};

namespace {

Error invalid(std::string message, int line, int column) {
  return Error{.kind = ErrorKind::Invalid, .message = std::move(message), .line = line, .column = column};
}

// Returns the line of `bytes` with this 1-based number, "" if there is none.
std::string_view line_of(std::string_view bytes, int number) {
  for (; number > 1; --number) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return {};
    bytes.remove_prefix(end + 1);
  }
  return bytes.substr(0, bytes.find('\n'));
}

Error from_exception(const YAML::Exception& exception, std::string_view bytes) {
  const int line = exception.mark.is_null() ? 1 : exception.mark.line + 1;
  const int column = exception.mark.is_null() ? 1 : exception.mark.column + 1;
  std::string message = "not YAML: " + exception.msg;
  const std::string_view text = line_of(bytes, line);
  const std::string_view indent = text.substr(0, text.find_first_not_of(" \t"));
  if (indent.find('\t') != std::string_view::npos) message += " (the line is indented with a tab: use spaces)";
  return invalid(std::move(message), line, column);
}

// What must not reach the parser: it takes the byte 4 for the end of the document, for one.
std::optional<Error> find_bytes_to_refuse(std::string_view bytes, const YamlLimits& limits) {
  if (bytes.size() > limits.bytes) {
    return invalid("larger than " + std::to_string(limits.bytes) + " bytes: " + std::to_string(bytes.size()), 1,
                   1);
  }
  if (const std::optional<BadByte> bad = find_bad_byte(bytes)) {
    return invalid(bad->is_control ? "a control character" : "not UTF-8 text", bad->line, bad->column);
  }
  return std::nullopt;
}

}  // namespace

Result<YamlDocument> YamlDocument::parse(std::string_view bytes, const std::string& file,
                                         const YamlLimits& limits) {
  const auto refused = [&](Error error) {
    error.file = file;
    return fail(std::move(error));
  };
  if (std::optional<Error> error = find_bytes_to_refuse(bytes, limits)) return refused(std::move(*error));
  // Skipped here, because the parser does not count a byte order mark in its positions.
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::string hidden = with_hidden_question_marks(bytes);
  bytes = hidden;
  YamlSource source(bytes);
  std::istream stream(&source);
  YamlTreeBuilder builder(bytes, source, limits);
  try {
    YAML::Parser parser(stream);
    while (!builder.has_failed() && parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& exception) {
    if (!builder.has_failed()) return refused(from_exception(exception, bytes));
  }
  builder.refuse_open_quote();
  if (builder.has_failed()) return refused(builder.take_error());
  return builder.take_document();
}

YamlKind YamlNode::kind() const { return document_->records_[index_].kind; }

std::string_view YamlNode::text() const {
  const YamlDocument::Record& record = document_->records_[index_];
  if (record.kind != YamlKind::Scalar) return {};
  return std::string_view(document_->text_).substr(record.text_begin, record.text_size);
}

bool YamlNode::is_quoted() const { return document_->records_[index_].quoted; }
int YamlNode::line() const { return static_cast<int>(document_->records_[index_].line); }
int YamlNode::column() const { return static_cast<int>(document_->records_[index_].column); }

std::vector<YamlNode> YamlNode::elements() const {
  std::vector<YamlNode> out;
  const YamlDocument::Record& record = document_->records_[index_];
  if (record.kind != YamlKind::Sequence || record.text_size == 0) return out;
  out.reserve(record.text_size);
  for (std::uint32_t child = index_ + 1; child != 0; child = document_->records_[child].next) {
    out.push_back(YamlNode(document_, child));
  }
  return out;
}

std::vector<YamlNode::Entry> YamlNode::entries() const {
  std::vector<Entry> out;
  const YamlDocument::Record& record = document_->records_[index_];
  if (record.kind != YamlKind::Map || record.text_size == 0) return out;
  out.reserve(record.text_size / 2);
  for (std::uint32_t key = index_ + 1; key != 0;) {
    const std::uint32_t value = document_->records_[key].next;
    out.push_back({YamlNode(document_, key), YamlNode(document_, value)});
    key = document_->records_[value].next;
  }
  return out;
}

}  // namespace reprise
