#include "harness/run/sequential/held_looks.h"

#include <fmt/ranges.h>

#include <set>

#include "harness/base/error.h"
#include "harness/plan/trial/stored_looks.h"
#include "harness/store/folder/folder.h"

namespace ablate::run {
namespace {

std::set<std::int64_t> seeds_in(const Json& plan) {
  std::set<std::int64_t> seeds;
  for (const Json& trial : plan.at("trials")) seeds.insert(integer_in(trial.at("seed")));
  return seeds;
}

}  // namespace

std::optional<HeldLooks> held_looks(const std::filesystem::path& results) {
  if (!std::filesystem::exists(results / "plan.json")) return std::nullopt;
  const Json plan = store::read_plan(results);
  const Json sequential = plan.value("sequential", Json());
  if (sequential.is_null()) return std::nullopt;
  HeldLooks held{.looks = plan::looks_in(sequential),
                 .begun = sequential.value("look", std::size_t{0})};
  if (held.begun < 1 || held.begun > held.looks.size())
    damaged("{}: the stored plan is damaged: {} of {} looks have begun", results.string(),
            held.begun, held.looks.size());
  return held;
}

void check_looks(const std::filesystem::path& results, const Json& held, const Json& wanted) {
  const Json before = held.value("sequential", Json()), after = wanted.value("sequential", Json());
  if (before.is_null() && after.is_null()) return;
  if (before.is_null()) {
    const std::set<std::int64_t> planned = seeds_in(wanted);
    for (const std::int64_t seed : seeds_in(held))
      if (!planned.contains(seed))
        reject(
            "{}: holds trials of seed {}, which the first look of --until-decided does not have: "
            "what "
            "was seen before cannot be planned; choose another --results folder",
            results.string(), seed);
    return;
  }
  const statistics::Looks looks = plan::looks_in(before);
  if (after.is_null())
    reject(
        "{}: is run until it is decided, with looks after {} seeds, and a test that forgot them "
        "would "
        "find too much; go on with --until-decided, or choose another --results folder",
        results.string(), fmt::join(looks, ", "));
  if (plan::looks_in(after) != looks)
    reject(
        "{}: its looks are planned after {} seeds, not after {}, and no look may be changed once "
        "one "
        "has begun; go on without --cap and --group, or choose another --results folder",
        results.string(), fmt::join(looks, ", "), fmt::join(plan::looks_in(after), ", "));
}

}  // namespace ablate::run
