// The project's own sources, as the tests of its structure read them.

#pragma once

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/paths.h"

namespace ablate::source_tree {

inline const std::filesystem::path kRoot = project_root();

inline const std::vector<std::string> kFloors = {"harness", "objectives", "models", "reports",
                                                 "experiments"};

/// Every source below `folder` with one of these suffixes, relative to the root.
inline std::vector<std::filesystem::path> sources(const std::filesystem::path& folder,
                                                  const std::set<std::string>& suffixes = {
                                                      ".h", ".cpp"}) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / folder))
    if (entry.is_regular_file() && suffixes.contains(entry.path().extension().string()))
      found.push_back(std::filesystem::relative(entry.path(), kRoot));
  return found;
}

inline std::string read(const std::filesystem::path& file) {
  std::ifstream stream(kRoot / file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Include {
  std::filesystem::path file;  // relative to the root
  std::string target;          // as written
  bool system = false;
};

inline std::vector<Include> includes_of(const std::filesystem::path& folder) {
  static const std::regex include(R"re(^\s*#\s*include\s+(["<])([^">]+)[">])re");
  std::vector<Include> found;
  for (const auto& file : sources(folder)) {
    std::ifstream stream(kRoot / file);
    std::smatch match;
    for (std::string line; std::getline(stream, line);)
      if (std::regex_search(line, match, include))
        found.push_back({file, match[2].str(), match[1].str() == "<"});
  }
  return found;
}

}  // namespace ablate::source_tree
