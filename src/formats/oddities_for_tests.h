// What a reader did not understand, as the tests compare it: lists of texts.

#pragma once

#include <string>
#include <vector>

#include "model/playbook.h"

namespace reprise {

using Strings = std::vector<std::string>;

inline Strings reasons(const std::vector<Oddity>& oddities) {
  Strings out;
  for (const Oddity& each : oddities) out.push_back(std::to_string(each.line) + " " + each.text + ": " + each.why);
  return out;
}

}  // namespace reprise
