// The result file of an attempt: secrets are masked in it where it lies.
//
// The guard does this when the worker has ended, before anyone is told (G4): only the guard is sure to have the
// environment that the worker was started with. The runner does it again before it reads the file, with what it
// knows: a guard that was killed, or is of an older version, has not done it.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/mask.h"
#include "base/result.h"

namespace reprise {

class FileSystem;

/// A result file, without secrets.
struct ResultFile {
  std::optional<std::string> text;  // nothing: there is none, or it cannot be read
  std::string fault;                // why it cannot be read
};

/// Masks the secrets in the file `path` and returns what is in it then. Of a file of more than `bytes_max` bytes,
/// which cannot be read, only the beginning is kept.
Result<ResultFile> mask_result_file(FileSystem& files, const std::filesystem::path& path, std::size_t bytes_max,
                                    const Masker& masker);

/// Returns `bytes` without secrets: those of a JSON document in its strings, keys and numbers, so that it stays a
/// document; anything else as text. Without a secret in it, `bytes` as they are.
std::string mask_json(std::string_view bytes, const Masker& masker);

}  // namespace reprise
