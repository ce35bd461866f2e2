#include "harness/plan/read/read_seeds.h"

#include <fmt/core.h>

#include <numeric>
#include <set>
#include <string>

#include "harness/plan/file/sections.h"

namespace ablate::plan {
namespace {

bool is_whole(const Json& value, double minimum, double maximum) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  return number >= minimum && number <= maximum &&
         number == static_cast<double>(static_cast<std::int64_t>(number));
}

}  // namespace

std::vector<std::int64_t> read_seeds(const Sources& sources, Faults& faults) {
  const Json given = sources.merged().value("seeds", Json(kDefaultSeeds));
  const auto refuse = [&](const std::string& pointer, std::string message, std::string hint = "") {
    faults.add(sources.value_at(pointer), std::move(message), std::move(hint));
  };
  if (is_whole(given, 1, kMaxSeeds)) {
    std::vector<std::int64_t> seeds(given.get<std::size_t>());
    std::iota(seeds.begin(), seeds.end(), 1);
    return seeds;
  }
  if (!given.is_array() || given.empty() || given.size() > kMaxSeeds) {
    refuse(
        "/seeds", fmt::format("{} are not seeds", canonical(given).substr(0, 60)),
        fmt::format("give how many (1 to {}, which means 1 ... n), or a list of them", kMaxSeeds));
    return {1};
  }
  std::vector<std::int64_t> seeds;
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < given.size() && !faults.full(); ++i) {
    if (!is_whole(given[i], 0, kLargestSeed))
      refuse(fmt::format("/seeds/{}", i),
             fmt::format("{} is not a seed", canonical(given[i]).substr(0, 60)),
             "a seed is a whole number from 0 to 2^53");
    else if (!seen.insert(given[i].get<std::int64_t>()).second)
      refuse(fmt::format("/seeds/{}", i),
             fmt::format("seed {} is given twice", given[i].get<std::int64_t>()));
    else
      seeds.push_back(given[i].get<std::int64_t>());
  }
  return seeds.empty() ? std::vector<std::int64_t>{1} : seeds;
}

}  // namespace ablate::plan
