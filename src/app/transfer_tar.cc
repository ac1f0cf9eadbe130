#include "app/transfer_tar.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/digest.h"
#include "base/strings.h"

namespace reprise {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameMax = 100;
constexpr std::size_t kPrefixMax = 155;
constexpr std::size_t kPathMax = 1'000;
constexpr std::string_view kEndEntry = "end.sha256";
constexpr std::size_t kTailEntryBytes = 4 * kBlock;  // its header, its content, and two empty blocks

// Where the fields of a header begin.
constexpr std::size_t kModeAt = 100, kSizeAt = 124, kTimeAt = 136, kSumAt = 148, kTypeAt = 156, kMagicAt = 257,
                      kPrefixAt = 345;

void put(std::string& header, std::size_t at, std::string_view text) { header.replace(at, text.size(), text); }

// Digits of base 8 with leading zeros, and the zero byte that ends the field.
std::string octal(std::uint64_t value, std::size_t width) {
  std::string digits(width, '0');
  digits[width - 1] = '\0';
  for (std::size_t i = width - 1; i-- > 0 && value > 0; value /= 8) digits[i] = static_cast<char>('0' + value % 8);
  return digits;
}

std::optional<std::uint64_t> parse_octal(std::string_view field) {
  if (field.back() != '\0') return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : field.substr(0, field.size() - 1)) {
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

struct Head {
  std::string_view name;
  std::string_view prefix = {};
  std::uint64_t size = 0;
  unsigned mode = 0;
  Timestamp at;
  char type = '0';
};

std::string block_of(const Head& head) {
  std::string block(kBlock, '\0');
  put(block, 0, head.name);
  put(block, kModeAt, octal(head.mode & 0777u, 8));
  put(block, kModeAt + 8, octal(0, 8));
  put(block, kModeAt + 16, octal(0, 8));
  put(block, kSizeAt, octal(head.size, 12));
  put(block, kTimeAt, octal(static_cast<std::uint64_t>(std::max<std::int64_t>(0, head.at.ms / 1000)), 12));
  block[kTypeAt] = head.type;
  put(block, kMagicAt, std::string_view("ustar\00000", 8));
  put(block, kPrefixAt, head.prefix);
  put(block, kSumAt, "        ");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(block, kSumAt, octal(sum, 7));
  block[kSumAt + 7] = ' ';
  return block;
}

// Where a long path is cut into prefix and name; nothing if it cannot be.
std::optional<std::size_t> cut_of(std::string_view path) {
  for (std::size_t at = path.find('/'); at != std::string_view::npos; at = path.find('/', at + 1)) {
    if (at > kPrefixMax) break;
    if (path.size() - at - 1 <= kNameMax) return at;
  }
  return std::nullopt;
}

// The record of a pax header: its own length counts.
std::string pax_record(std::string_view path) {
  const std::string rest = " path=" + std::string(path) + "\n";
  std::size_t length = rest.size() + 1;
  while (std::to_string(length).size() + rest.size() != length) ++length;
  return std::to_string(length) + rest;
}

std::string padding_of(std::size_t size) { return std::string((kBlock - size % kBlock) % kBlock, '\0'); }

// Everything that comes before an entry's content.
std::string head_of(std::string_view path, std::uint64_t size, unsigned mode, Timestamp at) {
  Head head{.name = path, .size = size, .mode = mode, .at = at};
  if (path.size() <= kNameMax) return block_of(head);
  if (const std::optional<std::size_t> cut = cut_of(path)) {
    head.prefix = path.substr(0, *cut);
    head.name = path.substr(*cut + 1);
    return block_of(head);
  }
  const std::string record = pax_record(path);
  head.name = path.substr(0, kNameMax);
  return block_of({.name = "pax/path", .size = record.size(), .mode = mode, .at = at, .type = 'x'}) + record +
         padding_of(record.size()) + block_of(head);
}

std::string tail_of(std::string_view before, Timestamp at) {
  const std::string digest = to_hex(digest_of(before)) + "\n";
  return head_of(kEndEntry, digest.size(), 0600, at) + digest + padding_of(digest.size()) +
         std::string(2 * kBlock, '\0');
}

std::string_view field(std::string_view block, std::size_t at, std::size_t width) {
  const std::string_view whole = block.substr(at, width);
  return whole.substr(0, whole.find('\0'));
}

std::string_view kind_of_entry(char type) {
  switch (type) {
    case '1': return "a hard link";
    case '2': return "a symbolic link";
    case '3':
    case '4': return "a device";
    case '5': return "a folder";
    case '6': return "a pipe";
    default: return "no plain file";
  }
}

std::unexpected<Error> bad_archive(const std::string& why) { return fail(ErrorKind::Invalid, why); }

// Reads one entry after the other from the bytes before the tail.
class TarReader {
 public:
  TarReader(std::string_view body, Timestamp at) : body_(body), at_(at) {}
  bool is_at_end() const { return next_ == body_.size(); }

  Result<TarEntry> next() {
    const std::size_t begin = next_;
    std::string path;
    std::string_view block = TRY(take(kBlock));
    if (block[kTypeAt] == 'x') {
      path = TRY(pax_path(block));
      block = TRY(take(kBlock));
    } else {
      const std::string_view prefix = field(block, kPrefixAt, kPrefixMax);
      path = std::string(prefix) + (prefix.empty() ? "" : "/") + std::string(field(block, 0, kNameMax));
    }
    if (block[kTypeAt] != '0')
      return bad_archive("\"" + printable_line(path, 200) + "\" in it is " +
                         std::string(kind_of_entry(block[kTypeAt])));
    const std::optional<std::uint64_t> size = parse_octal(block.substr(kSizeAt, 12));
    const std::optional<std::uint64_t> mode = parse_octal(block.substr(kModeAt, 8));
    if (!size || !mode || *mode > 0777)
      return bad_archive("the header of \"" + printable_line(path, 200) + "\" in it cannot be read");
    if (!is_portable_path(path))
      return bad_archive("\"" + printable_line(path, 200) + "\" in it is no path inside a project");
    const auto permissions = static_cast<unsigned>(*mode);
    if (body_.substr(begin, next_ - begin) != head_of(path, *size, permissions, at_))
      return bad_archive("the header of \"" + printable_line(path, 200) +
                         "\" in it is not one that Reprise writes");
    const std::string_view bytes = TRY(take(*size));
    TRY(take(padding_of(bytes.size()).size()));
    return TarEntry{.path = std::move(path), .bytes = bytes, .mode = permissions};
  }

 private:
  Result<std::string_view> take(std::uint64_t size) {
    if (size > body_.size() - next_) return bad_archive("an entry in it is said to be longer than the file");
    const std::string_view taken = body_.substr(next_, static_cast<std::size_t>(size));
    next_ += taken.size();
    return taken;
  }

  Result<std::string> pax_path(std::string_view block) {
    const std::optional<std::uint64_t> size = parse_octal(block.substr(kSizeAt, 12));
    if (!size || *size > kPathMax + 20) return bad_archive("a name in it is too long");
    const std::string_view record = TRY(take(*size));
    TRY(take(padding_of(record.size()).size()));
    const std::size_t equals = record.find(" path=");
    if (equals == std::string_view::npos || !record.ends_with('\n'))
      return bad_archive("a name in it cannot be read");
    return std::string(record.substr(equals + 6, record.size() - equals - 7));
  }

  std::string_view body_;
  Timestamp at_;
  std::size_t next_ = 0;
};

}  // namespace

bool is_portable_path(std::string_view path) {
  if (path.empty() || path.size() > kPathMax) return false;
  const auto is_bad = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\'; };
  if (std::ranges::any_of(path, is_bad)) return false;
  return std::ranges::none_of(split(path, '/'), [](std::string_view part) {
    return part.empty() || part.size() > kFileNameBytesMax || part == "." || part == ".." ||
           to_lower(part) == ".git";
  });
}

void TarWriter::add(std::string_view path, std::string_view bytes, unsigned mode) {
  out_ += head_of(path, bytes.size(), mode, at_);
  out_ += bytes;
  out_ += padding_of(bytes.size());
}

std::string TarWriter::finish() { return sealed_tar(std::move(out_), at_); }

std::string sealed_tar(std::string entries, Timestamp at) {
  entries += tail_of(entries, at);
  return entries;
}

Result<std::vector<TarEntry>> read_tar(std::string_view file) {
  if (file.size() < kBlock || field(file, 0, kNameMax) != kManifestEntry || field(file, kMagicAt, 6) != "ustar")
    return bad_archive("it is not an exported run");
  const std::optional<std::uint64_t> seconds = parse_octal(file.substr(kTimeAt, 12));
  const Timestamp at{static_cast<std::int64_t>(seconds.value_or(0)) * 1000};
  const std::string_view body = file.substr(0, file.size() < kTailEntryBytes ? 0 : file.size() - kTailEntryBytes);
  if (body.empty() || file.substr(body.size()) != tail_of(body, at))
    return bad_archive("it is damaged: it was cut off, or changed since it was exported");
  std::vector<TarEntry> entries;
  std::set<std::string> taken;
  for (TarReader reader(body, at); !reader.is_at_end();) {
    entries.push_back(TRY(reader.next()));
    if (!taken.insert(entries.back().path).second)
      return bad_archive("\"" + printable_line(entries.back().path, 200) + "\" is in it twice");
  }
  for (const std::string& path : taken) {
    for (std::size_t at_slash = path.find('/'); at_slash != std::string::npos;
         at_slash = path.find('/', at_slash + 1)) {
      if (taken.contains(path.substr(0, at_slash)))
        return bad_archive("\"" + printable_line(path, 200) + "\" in it lies below a file");
    }
  }
  return entries;
}

}  // namespace reprise
