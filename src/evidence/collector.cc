#include "evidence/collector.h"

#include "base/digest.h"
#include "evidence/artifact_checks.h"
#include "model/limits.h"
#include "model/seen_mode.h"
#include "os/file_system.h"

namespace reprise {
namespace {

constexpr std::size_t kChunkBytes = 1u << 20;

Result<Digest> digest_of_file(FileReader& files, const std::filesystem::path& path, std::int64_t size) {
  if (size <= static_cast<std::int64_t>(kChunkBytes)) return digest_of(TRY(files.read(path, kChunkBytes * 2)));
  Hasher hasher;
  for (std::int64_t offset = 0;;) {
    const std::string part = TRY(files.read_part(path, offset, kChunkBytes));
    if (part.empty()) return hasher.finish();
    hasher.add(part);
    offset += static_cast<std::int64_t>(part.size());
  }
}

// Signatures of earlier versions end before the mode.
bool is_same_signature(std::string_view known, std::string_view now) {
  if (mode_in(known).empty() && !mode_in(now).empty()) now = now.substr(0, now.rfind(':'));
  return known == now;
}

}  // namespace

Result<Digest> Collector::digest_of_tree(const std::filesystem::path& path, Visit visit) {
  if (visit.depth > kDocumentDepthMax) {
    return fail(ErrorKind::Invalid,
                path.string() + ": nested more than " + std::to_string(kDocumentDepthMax) + " folders deep");
  }
  Hasher hasher;
  for (const std::string& name : TRY(files_.list(path))) {
    const std::optional<FileInfo> info = TRY(files_.stat(path / name));
    hasher.add(name);
    hasher.add(std::string_view("\0", 1));
    // A link to nowhere, a pipe and a folder that is already covered count by their names.
    if (!info || (info->type != FileType::Regular && info->type != FileType::Directory)) continue;
    const bool is_folder = info->type == FileType::Directory;
    if (is_folder && !visit.folders.insert(info->signature).second) continue;
    if (!is_folder && mode_in(info->signature) == "x") visit.executables.push_back(path / name);
    const Digest inner =
        is_folder ? TRY(digest_of_tree(path / name, {visit.folders, visit.executables, visit.depth + 1}))
                  : TRY(digest_of_file(files_, path / name, info->size));
    hasher.add(std::string_view(reinterpret_cast<const char*>(inner.bytes.data()), inner.bytes.size()));
  }
  return hasher.finish();
}

Result<SeenFile> Collector::look(const std::string& path, const SeenFile* known) {
  Result<SeenFile> seen = read(path, known);
  if (seen || ends_work(seen.error().kind)) return seen;
  return SeenFile{.path = path, .digest = "unreadable", .signature = ""};
}

Result<SeenFile> Collector::read(const std::string& path, const SeenFile* known) {
  SeenFile seen{.path = path, .digest = "", .signature = ""};
  const std::filesystem::path full = root_ / path;
  const std::optional<FileInfo> info = TRY(files_.stat(full));
  if (!info) return seen;
  if (info->type == FileType::Directory) {
    std::set<std::string> folders = {info->signature};
    std::vector<std::filesystem::path> executables;
    seen.digest = to_text(TRY(digest_of_tree(full, {folders, executables})));
    std::string names;
    for (const std::filesystem::path& each : executables) names += each.lexically_relative(full).string() + '\0';
    seen.signature = "folder:" + (names.empty() ? "-" : "x" + to_hex(shortened(digest_of(names))));
    return seen;
  }
  if (info->type != FileType::Regular) {
    seen.digest = "not-a-file";
    return seen;
  }
  seen.signature = info->signature;
  if (known != nullptr && !known->digest.empty() && is_same_signature(known->signature, seen.signature)) {
    seen.digest = known->digest;
  } else {
    seen.digest = to_text(TRY(digest_of_file(files_, full, info->size)));
  }
  return seen;
}

Result<std::string> Collector::product_fault(const std::string& path, const CompleteCheck& complete) {
  Result<std::string> fault = find_fault(path, complete);
  if (fault || ends_work(fault.error().kind)) return fault;
  return fault.error().message;
}

Result<std::string> Collector::find_fault(const std::string& path, const CompleteCheck& complete) {
  const std::filesystem::path full = root_ / path;
  const std::optional<FileInfo> info = TRY(files_.stat(full));
  if (!info) return path + " is not there";
  if (info->type == FileType::Directory) {
    return TRY(files_.list(full)).empty() ? path + " is empty" : std::string();
  }
  if (info->size == 0) return path + " is empty";
  if (!complete.is_declared()) return std::string();
  Result<std::string> content = files_.read(full, kDocumentBytesMax);
  if (!content) return path + ": " + content.error().message;
  const CheckAnswer answer = check_complete(complete, *content);
  return answer.passed ? std::string() : path + ": " + answer.why;
}

}  // namespace reprise
