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

// Returns `value` with every secret replaced; `masked` says whether there was one.
json::value without_secrets(const json::value& value, const Masker& masker, bool& masked) {
  if (const json::object* object = value.if_object()) {
    json::object out;
    for (const auto& [key, inner] : *object) {
      const std::string name = masker.mask(key);
      masked = masked || name != key;
      out.insert_or_assign(name, without_secrets(inner, masker, masked));
    }
    return out;
  }
  if (const json::array* list = value.if_array()) {
    json::array out;
    for (const json::value& inner : *list) out.push_back(without_secrets(inner, masker, masked));
    return out;
  }
  const std::string text = value.is_string() ? std::string(value.get_string()) : json::serialize(value);
  const std::string shown = masker.mask(text);
  if (shown == text) return value;
  masked = true;
  return json::string(shown);
}

}  // namespace

std::string mask_json(std::string_view bytes, const Masker& masker) {
  boost::system::error_code error;
  const json::value value = parse_document(bytes, error);
  if (error) return masker.mask(bytes);
  bool masked = false;
  const json::value out = without_secrets(value, masker, masked);
  return masked ? json::serialize(out) : std::string(bytes);
}

Result<ResultFile> mask_result_file(FileSystem& files, const std::filesystem::path& path, std::size_t bytes_max,
                                    const Masker& masker) {
  const Result<std::string> bytes = files.read(path, bytes_max);
  if (!bytes && bytes.error().kind == ErrorKind::NotFound) return ResultFile{};
  if (!bytes) return ResultFile{.text = std::nullopt, .fault = bytes.error().message};
  if (known_bad(KnownBad::RawResult)) return ResultFile{.text = *bytes, .fault = ""};
  std::string masked = mask_json(*bytes, masker);
  if (masked != *bytes) TRY_VOID(files.replace(path, masked));
  return ResultFile{.text = std::move(masked), .fault = ""};
}

}  // namespace reprise
