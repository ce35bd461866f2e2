// Tensor files: written atomically, and verified completely before they are used.

#include "harness/store/journal/checkpoint.h"

#include <fmt/core.h>

#include <bit>
#include <cstring>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/json.h"
#include "harness/base/json/parse.h"
#include "harness/base/sha256.h"

namespace ablate::store {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little endian");

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeader = 100'000'000;  // as the format's own readers accept
constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 40;
const std::string kNoHash(64, '0');

[[noreturn]] void damaged_checkpoint(const std::filesystem::path& file, std::string_view what) {
  damaged("{}: {}; a file made by this program is expected: restore it from a copy, or remove it",
          file.string(), what);
}

std::uint64_t product(std::span<const std::int64_t> shape) {
  std::uint64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || static_cast<std::uint64_t>(size) > kMaxFile) return kMaxFile;
    count *= static_cast<std::uint64_t>(size);
    if (count > kMaxFile) return kMaxFile;
  }
  return count;
}

std::string header_of(std::span<const StoredTensor> tensors, const Metadata& metadata) {
  Json header;
  header["__metadata__"] = metadata;
  header["__metadata__"]["sha256"] = kNoHash;
  std::uint64_t end = 0;
  for (const StoredTensor& tensor : tensors) {
    if (header.contains(tensor.name)) reject("checkpoint: two tensors are named {}", tensor.name);
    if (product(tensor.shape) != tensor.values.size())
      reject("checkpoint: {} has {} values, its shape has another number", tensor.name,
             tensor.values.size());
    const std::uint64_t first = end;
    end += tensor.values.size_bytes();
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {first, end}}};
  }
  std::string text = canonical(header);
  text.append((8 - text.size() % 8) % 8, ' ');  // so that the tensors are aligned
  return text;
}

/// Where a tensor starts (0) or ends (1), in bytes. One below 0 is beyond the end of any file.
std::uint64_t offset_in(const Json& about, std::size_t which) {
  return static_cast<std::uint64_t>(integer_in(about.at("data_offsets").at(which)));
}

/// The header of a file. Checks its length; other damage shows in the hash.
std::string_view header_in(std::string_view bytes, const std::filesystem::path& file) {
  std::uint64_t length = 0;
  if (bytes.size() < kLengthBytes) damaged_checkpoint(file, "ends before its header");
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeader || length > bytes.size() - kLengthBytes)
    damaged_checkpoint(file, "has a header that reaches beyond its end");
  if (length % alignof(float) != 0) damaged_checkpoint(file, "has tensors that are not aligned");
  return bytes.substr(kLengthBytes, length);
}

/// The offset of the file's hash in the header, after its opening quote.
std::size_t hash_at(std::string_view header, const std::filesystem::path& file) {
  constexpr std::string_view kKey = R"("sha256":")";
  const std::size_t key = header.find(kKey);
  if (key == header.npos || key + kKey.size() + kNoHash.size() > header.size())
    damaged_checkpoint(file, "contains no hash");
  return key + kKey.size();
}

/// The hash of a file's bytes, with the digits of the hash itself replaced by zeros.
std::string hash_of(std::string_view bytes, std::size_t at) {
  Sha256 hash;
  hash.add(bytes.substr(0, at));
  hash.add(kNoHash);
  hash.add(bytes.substr(at + kNoHash.size()));
  return hash.hex();
}

}  // namespace

std::string write_checkpoint(const std::filesystem::path& file,
                             std::span<const StoredTensor> tensors, const Metadata& metadata) {
  const std::string header = header_of(tensors, metadata);
  std::string bytes(kLengthBytes, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, kLengthBytes);
  bytes += header;
  for (const StoredTensor& tensor : tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size_bytes());
  const std::size_t at = kLengthBytes + hash_at(header, file);
  std::string hash = hash_of(bytes, at);
  bytes.replace(at, hash.size(), hash);
  write_file(file, bytes);
  return hash;
}

Checkpoint Checkpoint::read(const std::filesystem::path& file) {
  Checkpoint checkpoint;
  checkpoint.file_ = file;
  checkpoint.bytes_ = read_file(file, kMaxFile);
  const std::string_view bytes = checkpoint.bytes_;
  const std::string_view text = header_in(bytes, file);
  const std::size_t at = kLengthBytes + hash_at(text, file);
  if (bytes.substr(at, kNoHash.size()) != hash_of(bytes, at))
    damaged_checkpoint(file, "does not match its checksum");
  try {
    const Json header = parse_json(text);
    checkpoint.metadata_ = header.at("__metadata__").get<Metadata>();
    if (!checkpoint.metadata_.contains("sha256")) damaged_checkpoint(file, "contains no hash");
    for (const auto& [name, about] : header.items()) {
      if (name == "__metadata__") continue;
      Place place{.first = offset_in(about, 0)};
      for (const Json& size : about.at("shape")) place.shape.push_back(integer_in(size));
      place.count = product(place.shape);
      const std::uint64_t end = offset_in(about, 1);
      const std::uint64_t room = bytes.size() - kLengthBytes - text.size();
      if (about.at("dtype") != "F32" || place.first > end || end > room ||
          place.first % alignof(float) != 0 || end - place.first != place.count * sizeof(float))
        damaged_checkpoint(file, fmt::format("places {} where it cannot be", name));
      place.first += kLengthBytes + text.size();
      checkpoint.places_.emplace(name, std::move(place));
    }
  } catch (const Json::exception& error) {
    damaged_checkpoint(file, fmt::format("has a header that cannot be read: {}", error.what()));
  }
  return checkpoint;
}

std::int64_t Checkpoint::values() const {
  std::int64_t count = 0;
  for (const auto& [name, place] : places_) count += static_cast<std::int64_t>(place.count);
  return count;
}

std::span<const float> Checkpoint::values(const std::string& name,
                                          std::span<const std::int64_t> shape) const {
  const auto found = places_.find(name);
  if (found == places_.end())
    damaged_checkpoint(file_, fmt::format("has no tensor named {}", name));
  const Place& place = found->second;
  const std::vector<std::int64_t> wanted(shape.begin(), shape.end());
  if (wanted != place.shape)
    damaged_checkpoint(file_, fmt::format("has {} in the shape {}, not {}", name,
                                          canonical(place.shape), canonical(wanted)));
  return {reinterpret_cast<const float*>(bytes_.data() + place.first), place.count};
}

}  // namespace ablate::store
