// The input of a fuzz target, as the functions under test want it.

#pragma once

#include <fmt/core.h>
#include <sys/mman.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/posix/descriptor.h"
#include "harness/base/sha256.h"

namespace ablate::fuzz {

inline std::string input_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// An input whose checksum `repair(std::string)` may have made right. A checksum stops nearly every
/// mutation, so half of the inputs, drawn by their content, are made to pass it and reach what is
/// behind.
template <class Repair>
std::string input_of(const std::uint8_t* data, std::size_t size, const Repair& repair) {
  std::string input = input_of(data, size);
  return sha256(input).back() % 2 == 0 ? repair(std::move(input)) : input;
}

/// Where targets put what they read, so that the compiler does not leave the reading out.
inline volatile double sink = 0;

/// A file in memory, which is gone with the program, however that ends.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    write_all(file_, bytes, "a file in memory");
  }

  std::filesystem::path path() const { return fmt::format("/proc/self/fd/{}", file_.get()); }

 private:
  Descriptor file_;
};

}  // namespace ablate::fuzz
