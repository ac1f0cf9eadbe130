// The file of an exported run: any entries, sealed as ours are, are read or refused; what is read can be written,
// and its paths lead nowhere else. What is not sealed is always refused.

#include <algorithm>

#include "app/transfer_manifest.h"
#include "app/transfer_tar.h"
#include "fuzz.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(as_text(data, size));
  static_cast<void>(parse_manifest(bytes));
  check(!read_tar(bytes) || bytes.size() > 1024);

  TarWriter writer(Timestamp{1'000});
  writer.add(kManifestEntry, bytes.substr(0, 600));
  std::string whole = writer.finish();
  const Result<std::vector<TarEntry>> written = read_tar(whole);
  check(written && written->size() == 1 && written->front().bytes == bytes.substr(0, 600));

  const std::string head = whole.substr(0, 512 + (std::min<std::size_t>(size, 600) + 511) / 512 * 512);
  const std::string sealed = sealed_tar(head + bytes, Timestamp{1'000});
  if (const Result<std::vector<TarEntry>> entries = read_tar(sealed)) {
    TarWriter again(Timestamp{1'000});
    for (const TarEntry& entry : *entries) {
      check(is_portable_path(entry.path));
      again.add(entry.path, entry.bytes, entry.mode);
    }
    check(again.finish() == sealed);
  }
  if (!whole.empty()) whole[size % whole.size()] ^= 1;
  check(!read_tar(whole));
  return 0;
}
