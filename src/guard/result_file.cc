#include "guard/result_file.h"

#include <boost/json.hpp>

#include "os/file_system.h"
#include "os/known_bad.h"

namespace reprise {
namespace {

namespace json = boost::json;

constexpr std::size_t kDepthMax = 64;

json::value parse_document(std::string_view bytes, boost::system::error_code& error) {
  json::parse_options options;
  options.max_depth = kDepthMax;
  return json::parse(bytes, error, {}, options);
}

// Masks the tokens of a document one by one, as they are written: a parsed document has lost the first of two
// equal keys and the digits of a long number.
class TokenMasker {
 public:
  TokenMasker(std::string_view bytes, const Masker& masker) : bytes_(bytes), masker_(masker) {}

  std::string mask() {
    for (std::size_t at = 0; at < bytes_.size();) {
      const std::size_t end = end_of_token(at);
      const std::string_view token = bytes_.substr(at, end - at);
      if (token.size() >= kSecretBytesMin) {
        add(token);
      } else {
        out_ += token;
      }
      at = end;
    }
    return std::move(out_);
  }

 private:
  static bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '-' || c == '+' || c == '.';
  }

  // Returns where the string, number or word at `at` ends, or the single byte that is none of these.
  std::size_t end_of_token(std::size_t at) const {
    std::size_t end = at + 1;
    if (bytes_[at] == '"') {
      while (bytes_[end] != '"') end += bytes_[end] == '\\' ? 2 : 1;
      return end + 1;
    }
    while (is_plain(bytes_[at]) && end < bytes_.size() && is_plain(bytes_[end])) ++end;
    return end;
  }

  void add(std::string_view token) {
    std::string text(token);
    if (token.front() == '"') text = json::parse(token).get_string();
    const std::string shown = masker_.mask_shown(text);
    out_ += shown == text ? std::string(token) : json::serialize(json::string(shown));
  }

  std::string_view bytes_;
  const Masker& masker_;
  std::string out_;
};

}  // namespace

std::string mask_json(std::string_view bytes, const Masker& masker) {
  std::string masked = masker.mask(bytes);
  const bool has_escapes = bytes.find('\\') != std::string_view::npos;
  if (masked == bytes && !has_escapes) return masked;
  boost::system::error_code error;
  parse_document(bytes, error);
  if (error) return masked;
  // Once more as a text, for a secret that is a document itself.
  return masker.mask(TokenMasker(bytes, masker).mask());
}

namespace {

// Masks the beginning of a file that is too long to be a result, and cuts the rest off.
Result<void> shorten(FileSystem& files, const std::filesystem::path& path, std::size_t bytes_max,
                     const Masker& masker) {
  const std::string start = TRY(files.read_part(path, 0, bytes_max));
  const std::string note = "\n[" + std::to_string(bytes_max) + " bytes are kept of a longer file]\n";
  std::string kept = masker.mask(start);
  kept.resize(bytes_max, ' ');  // it must not pass for a result when it is read again
  return files.replace(path, kept + note);
}

}  // namespace

Result<ResultFile> mask_result_file(FileSystem& files, const std::filesystem::path& path, std::size_t bytes_max,
                                    const Masker& masker) {
  const Result<std::string> bytes = files.read(path, bytes_max);
  const Result<std::optional<FileInfo>> info = files.stat(path);
  if (!bytes && info && *info && (*info)->size > static_cast<std::int64_t>(bytes_max))
    TRY_VOID(shorten(files, path, bytes_max, masker));
  if (!bytes && bytes.error().kind == ErrorKind::NotFound) return ResultFile{};
  if (!bytes) return ResultFile{.text = std::nullopt, .fault = bytes.error().message};
  if (known_bad(KnownBad::RawResult)) return ResultFile{.text = *bytes, .fault = ""};
  std::string masked = mask_json(*bytes, masker);
  if (masked != *bytes) TRY_VOID(files.replace(path, masked));
  return ResultFile{.text = std::move(masked), .fault = ""};
}

}  // namespace reprise
