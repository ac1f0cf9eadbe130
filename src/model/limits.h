// Every maximum in one place, with the relations between them checked.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace reprise {

/// How much of a task's text a worker gets as a value; all of it is in its brief.
inline constexpr std::size_t kTaskValueBytesMax = 32u << 10;

// What people write for us and what workers hand in (P13).
inline constexpr std::size_t kShownBytesMax = 1u << 20;  // of a file that a gate shows: larger ones are not kept
inline constexpr std::size_t kDocumentBytesMax = 8u << 20;
inline constexpr int kDocumentDepthMax = 64;
inline constexpr std::size_t kDocumentNodesMax = 400'000;
inline constexpr std::size_t kStringBytesMax = 1u << 20;

// Workflows.
inline constexpr int kStagesMax = 50'000;
inline constexpr int kStageDepthMax = 12;
inline constexpr int kIterationsMax = 1'000;
inline constexpr int kRetriesMax = 100;
inline constexpr int kParallelMax = 1'024;
inline constexpr int kParallelDefault = 4;
inline constexpr int kIterationsDefault = 10;
inline constexpr int kStalledDefault = 3;
inline constexpr std::size_t kRunIdBytesMax = 64;

// Attempts (contract section 4).
inline constexpr Duration kRetryDelayFirst{1'000};
inline constexpr Duration kRetryDelayMax{60'000};
inline constexpr Duration kLaterDelayFirst{30'000};
inline constexpr Duration kLaterDelayMax{900'000};
inline constexpr Duration kPatienceDefault{6LL * 3'600'000};
inline constexpr Duration kStopGrace{10'000};
inline constexpr int kSameErrorMax = 3;
inline constexpr std::int64_t kOutputBytesDefault = 64LL << 20;
inline constexpr std::size_t kOutputHeadShare = 4;  // one part in this many is kept from the start
inline constexpr std::size_t kResultBytesMax = 4u << 20;
inline constexpr std::size_t kFailureLinesMax = 5;
inline constexpr std::size_t kFailureLineBytesMax = 2'000;
inline constexpr std::size_t kMessageBytesMax = 4'000;

// The journal.
inline constexpr int kEventsPerReadMax = 4'096;
inline constexpr int kCheckpointFrames = 1'000;

static_assert(kStringBytesMax <= kDocumentBytesMax);
static_assert(kResultBytesMax <= kDocumentBytesMax);
static_assert(kRetryDelayFirst <= kRetryDelayMax);
static_assert(kLaterDelayFirst <= kLaterDelayMax && kLaterDelayMax <= kPatienceDefault);
static_assert(kParallelDefault <= kParallelMax);
static_assert(kIterationsDefault <= kIterationsMax);

}  // namespace reprise
