// What runner and guard say to each other: one JSON object per line, each beginning with the version.
//
//   runner to guard   hello {token}   start {token, specs}   stop {attempt}   look_up {attempt}
//                     sight {attempt}   poke
//   guard to runner   hello   ended {records}   sighting {attempt, what, record}   poke
//                     refused {message}   trouble {attempt, message}
//
// Fields and operations that are not known are passed over, so that either side may be the newer one
// (G6). A hello without a token comes from somebody who only looks. Bytes that are not UTF-8 are kept:
// arguments and paths need not be text.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "guard/workers.h"

namespace reprise {

struct GuardRequest {
  enum class What { Hello, Start, Stop, LookUp, Sight, Poke, Unknown };
  What what = What::Unknown;
  std::optional<std::int64_t> token = {};  // hello, start
  std::vector<WorkerSpec> specs = {};      // start
  std::string attempt = {};                // stop, look_up, sight
};

struct GuardReply {
  enum class What { Hello, Ended, Sighting, Poke, Refused, Trouble, Unknown };
  What what = What::Unknown;
  std::vector<ExitRecord> ended = {};  // ended
  std::string attempt = {};            // sighting; trouble about one attempt
  AttemptSighting sighting = {};       // sighting
  std::string message = {};            // refused, trouble
};

std::string encode_start(std::int64_t token, const std::vector<WorkerSpec>& specs);
std::string encode(const GuardRequest& request);
std::string encode(const GuardReply& reply);
std::string encode(const ExitRecord& record);
/// What is not a request, or not one this version knows, comes back as Unknown.
GuardRequest decode_request(std::string_view line);
GuardReply decode_reply(std::string_view line);
/// Nothing if `line` is not a record.
std::optional<ExitRecord> decode_record(std::string_view line);
/// Returns `text` as it looks inside an encoded message, with quotes.
std::string encode_text(std::string_view text);

}  // namespace reprise
