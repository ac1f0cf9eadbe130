// A command that the runner starts itself, such as a check of a product: it ends with all that it started.
//
// Its script may be a worker's. So it runs below a small process of ours that is marked as what a worker starts
// is, adopts what is forked away, and ends it when the command has ended: nothing of it can wait for a gate.

#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "os/process.h"

namespace reprise {

inline constexpr const char* kSuperviseOption = "--supervise";

/// As run_captured(), with our own binary `program` between us and the command; "": without it. What the command
/// leaves behind is killed for up to two seconds, as what a worker leaves behind.
Result<Captured> run_supervised(const std::filesystem::path& program, CaptureRequest request);

/// The process in between: `reprise` started as `--supervise TIMEOUT_MS WORD…`; 0: no timeout. Returns the exit
/// code.
int supervise_main(std::span<const std::string> words);

}  // namespace reprise
