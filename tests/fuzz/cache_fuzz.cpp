// Fuzzes the JSON in the cache: how long trials took, how many lanes a device holds, and values that take
// long to compute. Whatever it says, it is not refused: it is made again.

#include "harness/base/files.h"
#include "harness/base/json/kept_json.h"
#include "harness/base/json/parse.h"
#include "harness/plan/price/time/speed.h"
#include "harness/run/job/lane_cache.h"
#include "tests/fuzz/input.h"
#include "tests/temporary_folder.h"

namespace ablate::fuzz {
namespace {

const Json kIdentity = {{"of", "a fuzz target"}};

/// A kept value with the identity and the checksum that make readers believe it.
std::string repaired_value(std::string input) {
  Json record = parse_or_discard(input);
  if (!record.is_object() || !record.contains("value")) return input;
  record["identity"] = kIdentity;
  record["sum"] = sha256(record.at("value").dump(-1, ' ', false, Json::error_handler_t::replace));
  return canonical(record);
}

}  // namespace
}  // namespace ablate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  static const TemporaryFolder cache;
  const std::filesystem::path file =
      cache.write("cache.json", fuzz::input_of(data, size, fuzz::repaired_value));
  fuzz::sink = plan::Speeds::read(file).empty() ? 0 : 1;
  plan::Speeds::read(file).write(cache / "again.json");
  fuzz::sink = run::find_lanes(file, "cpu").has_value() ? 0 : 1;
  run::keep_lanes(file, "cpu", {.lanes = 2});
  cache.write("cache.json", fuzz::input_of(data, size, fuzz::repaired_value));
  fuzz::sink = kept_json(file, fuzz::kIdentity).is_null() ? 0 : 1;
  return 0;
}
