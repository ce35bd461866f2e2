// Helpers of the tests of data: reading files back, and messages of refusals.

#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/temporary_folder.h"

namespace ablate::data {

inline std::string bytes_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The message that `work` is refused with, of any kind; empty where it is not.
template <class Work>
std::string refusal_of(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace ablate::data
