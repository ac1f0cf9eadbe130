// OutputFile: keeps what one stream of a worker prints, masked and capped (G4).
//
// The first quarter of the allowance goes straight into the file, where it can be followed. What comes
// after goes into a ring in a nameless file, so that memory stays bounded whatever is printed; at the
// end the ring is appended, after a line that says how much is missing between the two.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mask.h"
#include "base/result.h"
#include "os/file_system.h"

namespace reprise {

class OutputFile {
 public:
  /// Nothing is created before there is something to keep. `bytes_max` bounds the file, marker included.
  OutputFile(std::string path, std::int64_t bytes_max) : path_(std::move(path)), bytes_max_(bytes_max) {}

  /// Keeps `bytes`, with `secrets` masked. A disk that cannot take them does not stop the draining.
  void take(std::string_view bytes, const std::vector<std::string>& secrets);
  /// Brings the file into its final form; nothing may be taken afterwards.
  void finish();
  /// How much was printed, kept or not.
  std::int64_t printed() const { return printed_; }

 private:
  void keep(std::string_view bytes);
  Result<void> store(std::string_view bytes);
  Result<void> store_in_ring(std::string_view bytes);
  Result<void> append_ring();
  std::int64_t head_max() const;
  std::int64_t ring_max() const;

  std::string path_;
  std::int64_t bytes_max_ = 0;
  std::int64_t printed_ = 0;
  std::unique_ptr<Masker> masker_;  // made with the first byte: most steps print nothing
  std::string masked_;              // reused from chunk to chunk
  Fd head_;
  Fd ring_;
  std::int64_t head_bytes_ = 0;
  std::int64_t ring_bytes_ = 0;  // that went through the ring, not that are in it
  bool has_failed_ = false;
};

}  // namespace reprise
