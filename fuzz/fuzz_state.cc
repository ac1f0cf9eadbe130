// Stored copies of a run's state: any bytes are a state or Corrupt, and a state is written and read back.

#include "fuzz.h"
#include "model/run_state.h"

using namespace reprise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<RunState> state = decode_state(as_text(data, size));
  if (!state) {
    check(state.error().kind == ErrorKind::Corrupt);
    return 0;
  }
  const Result<RunState> back = decode_state(encode_state(*state));
  check(back.has_value() && back->last == state->last && back->steps.size() == state->steps.size());
  return 0;
}
