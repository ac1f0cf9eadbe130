// What a reader did not understand, as the tests compare it.

#pragma once

#include <string>
#include <vector>

#include "model/playbook.h"

namespace reprise {

inline std::vector<std::string> reasons(const std::vector<Oddity>& oddities) {
  std::vector<std::string> out;
  for (const Oddity& each : oddities) out.push_back(std::to_string(each.line) + " " + each.text + ": " + each.why);
  return out;
}

}  // namespace reprise
