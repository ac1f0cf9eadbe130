// Head, ring and marker.

#include "guard/output_file.h"

#include <algorithm>

#include "os/io.h"

namespace reprise {
namespace {

constexpr std::int64_t kBytesDefault = 64LL << 20;
constexpr std::int64_t kHeadShare = 4;     // one part in this many is kept from the start
constexpr std::int64_t kMarkerBytes = 64;  // room for the marker
constexpr std::size_t kCopyPiece = 1u << 20;

}  // namespace

std::int64_t OutputFile::head_max() const { return (bytes_max_ > 0 ? bytes_max_ : kBytesDefault) / kHeadShare; }

std::int64_t OutputFile::ring_max() const {
  const std::int64_t all = bytes_max_ > 0 ? bytes_max_ : kBytesDefault;
  return std::max<std::int64_t>(0, all - head_max() - kMarkerBytes);
}

void OutputFile::take(std::string_view bytes, const std::vector<std::string>& secrets) {
  if (bytes.empty()) return;
  printed_ += static_cast<std::int64_t>(bytes.size());
  if (path_.empty() || has_failed_) return;
  if (!masker_) masker_ = std::make_unique<Masker>(secrets);
  masked_.clear();
  masker_->feed(bytes, masked_);
  keep(masked_);
}

void OutputFile::keep(std::string_view bytes) {
  if (bytes.empty() || has_failed_) return;
  // A full disk must not block the worker: what cannot be kept is lost, and printed() still counts it.
  if (!store(bytes)) has_failed_ = true;
}

Result<void> OutputFile::store(std::string_view bytes) {
  if (!head_.is_open()) head_ = TRY(create_empty(path_));
  const std::size_t room = static_cast<std::size_t>(head_max() - head_bytes_);
  const std::string_view first = bytes.substr(0, room);
  TRY_VOID(write_all(head_.get(), first, path_));
  head_bytes_ += static_cast<std::int64_t>(first.size());
  bytes.remove_prefix(first.size());
  return bytes.empty() ? Result<void>() : store_in_ring(bytes);
}

Result<void> OutputFile::store_in_ring(std::string_view bytes) {
  const std::int64_t max = ring_max();
  if (max == 0) {
    ring_bytes_ += static_cast<std::int64_t>(bytes.size());
    return {};
  }
  if (!ring_.is_open()) ring_ = TRY(create_nameless(path_));
  while (!bytes.empty()) {
    const std::int64_t place = ring_bytes_ % max;
    const std::string_view piece = bytes.substr(0, static_cast<std::size_t>(max - place));
    TRY_VOID(write_at(ring_.get(), place, piece, path_));
    ring_bytes_ += static_cast<std::int64_t>(piece.size());
    bytes.remove_prefix(piece.size());
  }
  return {};
}

Result<void> OutputFile::append_ring() {
  const std::int64_t max = ring_max();
  const std::int64_t left_out = std::max<std::int64_t>(0, ring_bytes_ - max);
  if (left_out > 0) {
    const std::string marker = "\n… " + std::to_string(left_out) + " bytes left out …\n";
    TRY_VOID(write_all(head_.get(), marker, path_));
  }
  for (std::int64_t at = left_out; at < ring_bytes_ && max > 0;) {
    const std::int64_t place = at % max;
    const std::int64_t wanted = std::min({ring_bytes_ - at, max - place, static_cast<std::int64_t>(kCopyPiece)});
    const std::string piece = TRY(read_at(ring_.get(), place, static_cast<std::size_t>(wanted), path_));
    if (piece.empty()) return fail(ErrorKind::Io, path_ + ": its last part is not there any more");
    TRY_VOID(write_all(head_.get(), piece, path_));
    at += static_cast<std::int64_t>(piece.size());
  }
  return {};
}

void OutputFile::finish() {
  if (!masker_) return;
  masked_.clear();
  masker_->finish(masked_);
  keep(masked_);
  if (ring_bytes_ > 0 && head_.is_open()) static_cast<void>(append_ring());
  head_.reset();
  ring_.reset();
  masker_.reset();
}

}  // namespace reprise
