// Tensor files: checkpoints and final weights in the safetensors format, each with a hash of
// itself.
//
// Layout: the header's length (8 bytes, little endian), the header (JSON: name, type, shape and
// place of each tensor), the tensors row-major. The header's metadata holds "sha256", the hash of
// all other bytes of the file (its own digits read as zeros), so that a file verifies wherever it
// is copied. Source: the safetensors format, github.com/huggingface/safetensors.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ablate::store {

using Metadata = std::map<std::string, std::string>;

/// A float32 tensor to be stored: `values` has as many entries as the shape's product.
struct StoredTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<const float> values;
};

/// Writes the complete file or nothing, and returns the hash that the file contains of itself.
/// Throws std::runtime_error where the disk does not take it, std::invalid_argument for two tensors
/// of one name or a shape that does not match its number of values.
std::string write_checkpoint(const std::filesystem::path& file,
                             std::span<const StoredTensor> tensors, const Metadata& metadata);

/// A tensor file in memory.
class Checkpoint {
 public:
  /// Reads and verifies the file. Throws DamagedFile where any byte differs from what was written,
  /// or write_checkpoint() did not make the file; std::runtime_error where it cannot be read at
  /// all.
  static Checkpoint read(const std::filesystem::path& file);

  /// The hash that the file contains of itself.
  const std::string& sha256() const { return metadata_.at("sha256"); }

  /// What write_checkpoint() was given, with "sha256" added.
  const Metadata& metadata() const { return metadata_; }

  /// Whether there is a tensor of this name.
  bool has(const std::string& name) const { return places_.count(name) != 0; }

  /// The number of values of all tensors together.
  std::int64_t values() const;

  /// The values of a tensor; valid while this lives. Throws DamagedFile where there is none of that
  /// name and shape, saying which file and what it has.
  std::span<const float> values(const std::string& name, std::span<const std::int64_t> shape) const;

 private:
  struct Place {
    std::vector<std::int64_t> shape;
    std::uint64_t first = 0;  // bytes from the start of the file
    std::uint64_t count = 0;  // of values
  };

  std::filesystem::path file_;
  std::string bytes_;
  Metadata metadata_;
  std::map<std::string, Place> places_;
};

}  // namespace ablate::store
