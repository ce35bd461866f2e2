// Fuzzes checkpoints and final weights.

#include "harness/store/journal/checkpoint.h"

#include <cstring>
#include <numeric>

#include "harness/base/json/json.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"

namespace ablate::fuzz {
namespace {

/// The file with the hash of its bytes in place of the one that its header contains.
std::string repaired_checkpoint(std::string bytes) {
  constexpr std::string_view kKey = R"("sha256":")";
  const std::string none(64, '0');
  const std::size_t key = bytes.find(kKey), at = key + kKey.size();
  if (key == bytes.npos || at + none.size() > bytes.size()) return bytes;
  bytes.replace(at, none.size(), none);
  return bytes.replace(at, none.size(), sha256(bytes));
}

/// Reads every tensor that the header names, in the shape that it gives.
void read_all(const store::Checkpoint& checkpoint, std::string_view bytes) {
  checkpoint.sha256();
  checkpoint.values();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const Json header = Json::parse(bytes.substr(sizeof length, length));
  for (const auto& [name, about] : header.items()) {
    if (!checkpoint.has(name)) continue;
    const auto shape = about.at("shape").get<std::vector<std::int64_t>>();
    const std::span<const float> values = checkpoint.values(name, shape);
    sink = std::accumulate(values.begin(), values.end(), 0.0);
  }
}

}  // namespace
}  // namespace ablate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  const std::string bytes = fuzz::input_of(data, size, fuzz::repaired_checkpoint);
  fuzz::accept_or_refuse([&] {
    const fuzz::MemoryFile file(bytes);
    fuzz::read_all(store::Checkpoint::read(file.path()), bytes);
  });
  return 0;
}
