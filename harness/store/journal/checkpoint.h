// Tensor files: checkpoints and final weights in the safetensors format, each with a hash of its
// contents.
//
// Layout: the header's length (8 bytes, little endian), the header (JSON: name, type, shape and
// offsets of each tensor), the tensors in row-major order. The header's metadata contains "sha256",
// the hash of the file's bytes with the digits of the hash itself replaced by zeros, so that a copy
// of the file can be verified anywhere. Source: the safetensors format,
// github.com/huggingface/safetensors.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ablate::store {

using Metadata = std::map<std::string, std::string>;

/// A float32 tensor to store. `values` has as many entries as the product of the shape.
struct StoredTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<const float> values;
};

/// Writes the complete file or nothing, and returns the hash that it contains. Throws
/// std::runtime_error where the file cannot be written, std::invalid_argument where two tensors
/// have the same name or a shape does not match the number of values.
std::string write_checkpoint(const std::filesystem::path& file,
                             std::span<const StoredTensor> tensors, const Metadata& metadata);

/// A tensor file in memory.
class Checkpoint {
 public:
  /// Reads and verifies the file. Throws DamagedFile where any byte was changed or the file was not
  /// written by write_checkpoint(), std::runtime_error where it cannot be read.
  static Checkpoint read(const std::filesystem::path& file);

  /// The hash that the file contains.
  const std::string& sha256() const { return metadata_.at("sha256"); }

  /// The metadata given to write_checkpoint(), with "sha256" added.
  const Metadata& metadata() const { return metadata_; }

  /// Whether there is a tensor of this name.
  bool has(const std::string& name) const { return places_.count(name) != 0; }

  /// The number of values of all tensors together.
  std::int64_t values() const;

  /// The values of a tensor, valid as long as the checkpoint. Throws DamagedFile, naming the file
  /// and what it has, where there is no tensor of that name and shape.
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
