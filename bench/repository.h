// The repository of 10,000 files that snapshots and lanes are measured in, and how time is taken there.

#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "os/process.h"

namespace reprise_bench {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

inline bool git(const fs::path& folder, std::vector<std::string> arguments) {
  std::vector<std::string> argv = {"git", "-c", "user.name=A", "-c", "user.email=a@b"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  const reprise::Result<reprise::Captured> captured =
      reprise::run_captured({.argv = argv, .directory = folder.string(), .input = {}, .timeout = {}});
  return captured && captured->exit_code == 0;
}

inline bool make_repository(const fs::path& folder) {
  fs::create_directories(folder);
  for (int i = 0; i < 10'000; ++i) {
    const fs::path file = folder / ("folder" + std::to_string(i / 100)) / ("file" + std::to_string(i) + ".txt");
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "file " << i << "\n";
  }
  const bool made =
      git(folder, {"init", "-q"}) && git(folder, {"add", "-A"}) && git(folder, {"commit", "-qm", "x"});
  std::this_thread::sleep_for(std::chrono::seconds(1));  // files as young as the index are read again by git
  return made && git(folder, {"status"});
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace reprise_bench
