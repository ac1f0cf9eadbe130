// The fields of what both events and the stored copy of a run hold.

#pragma once

#include "model/event.h"

namespace reprise {

template <typename F>
void fields(F& f, FindingOverruled& e) {
  f("code", e.code);
  f("seen", e.seen);
  f("by", e.by);
  f("because", e.because);
}

}  // namespace reprise
