// Stored events: what reads is written again and reads the same. The input is a kind, a newline and JSON.

#include "fuzz.h"
#include "model/event_codec.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = as_text(data, size);
  const std::size_t newline = input.find('\n');
  if (newline == std::string_view::npos) return 0;
  const Result<Event> event = decode(input.substr(0, newline), kEventVersion, input.substr(newline + 1));
  if (!event) return 0;
  const std::string json = encode(*event);
  const Result<Event> back = decode(kind_of(*event), kEventVersion, json);
  check(back.has_value() && encode(*back) == json);
  return 0;
}
