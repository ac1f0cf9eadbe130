#include "model/json_fields.h"

#include "model/limits.h"

namespace reprise {
std::optional<boost::json::value> parse_stored(std::string_view text, boost::json::storage_ptr memory) {
  boost::system::error_code error;
  boost::json::parse_options options;
  options.max_depth = kDocumentDepthMax;
  boost::json::value value = boost::json::parse(text, error, std::move(memory), options);
  if (error || !value.is_object()) return std::nullopt;
  return value;
}

}  // namespace reprise
