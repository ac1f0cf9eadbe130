// How edits of a run's state file are found and what the file is to show, with and without writing it.
//
// A session works with the projector, which owns the file. A preview works with PeekedStateFile, which finds the
// same edit and changes nothing.

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "executor/native_state.h"

namespace reprise {

/// An edit that somebody made, relative to what the file said before.
struct StateFileEdit {
  std::string before;
  std::string now;
  std::string before_digest;
  std::string now_digest;
};

class StateFile {
 public:
  virtual ~StateFile() = default;
  /// Finds an edit; each is returned once. Returns nothing if there are no more, or while the file is being
  /// written.
  virtual Result<std::optional<StateFileEdit>> find_edit(const RunState& state) = 0;
  /// Accepts an edit that was recorded: what comes next builds upon it, unless it was refused as a whole.
  virtual Result<void> take(const StateFileEdit& edit, bool is_readable) = 0;
  /// Stores an edit of which something was refused, and returns where people can open it; "" if it is not stored.
  virtual Result<std::string> keep(const StateFileEdit& edit, const RunState& state) = 0;
  /// Returns the content that the file is to have for `state`; find_edit() has been called before.
  virtual Result<std::string> shown(const RunState& state) const = 0;
};

/// Returns a text that is stored under its digest.
using StoredText = std::function<Result<std::string>(std::string_view digest)>;

class PeekedStateFile : public StateFile {
 public:
  /// All must outlive it.
  PeekedStateFile(const NativeState& native, StoredText text, std::filesystem::path project)
      : native_(native), text_(std::move(text)), project_(std::move(project)) {}

  Result<std::optional<StateFileEdit>> find_edit(const RunState& state) override;
  Result<void> take(const StateFileEdit& edit, bool is_readable) override;
  Result<std::string> keep(const StateFileEdit&, const RunState&) override { return std::string(); }
  Result<std::string> shown(const RunState& state) const override { return native_.show(base_, state); }

 private:
  const NativeState& native_;
  StoredText text_;
  std::filesystem::path project_;
  std::string base_;
  bool has_looked_ = false;
};

}  // namespace reprise
