// Every key of the files that people write for us, in one table: the reader refuses what is not in it,
// and the JSON Schema is made from it, so that the two cannot differ.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace reprise {

/// A map with a fixed set of keys.
enum class Level : std::uint8_t {
  Workflow,
  Limits,
  Policy,
  Input,
  Stage,
  Product,
  Complete,
  Gate,
  Each,
  Repeat,
  Until,
  Lane,
  Config,
  Workers,
  Worker,
  LanesConfig,
  Notify,
};

/// What the value of a key looks like.
enum class Shape : std::uint8_t {
  Text,       // a scalar that is not empty
  Value,      // any scalar, "" too
  Name,       // a name of a workflow or stage
  ValueName,  // an identifier
  Whole,      // a whole number from min to max
  Amount,     // a number that is not negative
  Flag,       // true or false
  Always,     // true: for a check that cannot be switched off
  Time,       // 90s, 20m, 6h, 2d, 500ms or a number of seconds
  Texts,      // one text, or a list of them
  Argv,       // a list of texts that is not empty
  Command,    // a shell line, or an argv
  ResumeRule,
  PublishRule,
  Object,      // a map of the inner level
  Stages,      // a map from names to stages
  Roles,       // a map from role names to the inner level
  Inputs,      // a map from value names to a default, an Input or nothing
  Values,      // a map from value names to scalars
  When,        // a map from names to conditions
  Products,    // one text, or a list of texts and Products
  GateOrText,  // a text, or a Gate
  Items,       // "{name}", or a list of texts that is not empty
};

// What a stage is, as bits: which keys mean something depends on it.
inline constexpr std::uint8_t kRunStage = 1;
inline constexpr std::uint8_t kRoleStage = 2;
inline constexpr std::uint8_t kGateStage = 4;
inline constexpr std::uint8_t kBlockStage = 8;
inline constexpr std::uint8_t kUsesStage = 16;
inline constexpr std::uint8_t kWork = kRunStage | kRoleStage;
inline constexpr std::uint8_t kNoGate = kWork | kBlockStage | kUsesStage;
inline constexpr std::uint8_t kAnyStage = kNoGate | kGateStage;

struct KeySpec {
  Level level;
  std::string_view name;
  Shape shape;
  std::string_view description;
  Level inner = Level::Workflow;  // for Object, Roles
  std::int64_t min = 0;           // for Whole
  std::int64_t max = 0;
  std::uint8_t stages = kAnyStage;  // for keys of a stage
  bool required = false;

  // The table reads best with only what differs from the usual.
  constexpr KeySpec of(Level level_within) const {
    KeySpec key = *this;
    key.inner = level_within;
    return key;
  }
  constexpr KeySpec from_to(std::int64_t least, std::int64_t most) const {
    KeySpec key = *this;
    key.min = least;
    key.max = most;
    return key;
  }
  constexpr KeySpec only_in(std::uint8_t kinds) const {
    KeySpec key = *this;
    key.stages = kinds;
    return key;
  }
  constexpr KeySpec must_be_there() const {
    KeySpec key = *this;
    key.required = true;
    return key;
  }
};

/// Returns the whole table, level by level.
std::span<const KeySpec> all_keys();
/// Returns the keys of `level`, in the order of the table.
std::span<const KeySpec> keys_of(Level level);
/// Returns the key of `level` with this name; null if there is none.
const KeySpec* find_key(Level level, std::string_view name);

// Words of a fixed set, for the reader's messages and for the schema.
inline constexpr std::array<std::string_view, 3> kResumeWords = {"restart", "continue", "report"};
inline constexpr std::array<std::string_view, 3> kPublishWords = {"push", "merge", "pr"};

/// The pattern of a name of a workflow or stage, for the schema; the reader asks is_run_name().
inline constexpr std::string_view kNamePattern = "^(?!\\.{1,2}$)[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$";
inline constexpr std::string_view kIdentifierPattern = "^[A-Za-z_][A-Za-z0-9_]{0,63}$";
inline constexpr std::string_view kTimePattern = "^[0-9]{1,9}(ms|s|m|h|d)?$";
inline constexpr std::string_view kItemsPattern = "^\\{[A-Za-z_][A-Za-z0-9_]{0,63}\\}$";

}  // namespace reprise
