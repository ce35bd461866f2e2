#include "harness/run/sequential/held_looks.h"

#include <fmt/ranges.h>

#include <set>

#include "harness/base/error.h"
#include "harness/store/folder/folder.h"

namespace ablate::run {
std::optional<store::PlannedLooks> held_looks(const std::filesystem::path& results) {
  if (!std::filesystem::exists(results / "plan.json")) return std::nullopt;
  const Json document = store::read_plan(results);
  std::optional<store::PlannedLooks> held = store::stored_plan(document).looks;
  if (held && (held->begun < 1 || held->begun > held->seeds.size()))
    damaged("{}: the stored plan is damaged: {} of {} looks have begun", results.string(),
            held->begun, held->seeds.size());
  return held;
}

void check_looks(const std::filesystem::path& results, const store::StoredPlan& held,
                 const store::StoredPlan& wanted) {
  if (!held.looks && !wanted.looks) return;
  if (!held.looks) {
    const std::set<std::int64_t> planned = wanted.seeds_with_trials();
    for (const std::int64_t seed : held.seeds_with_trials())
      if (!planned.contains(seed))
        reject(
            "{}: holds trials of seed {}, which the first look of --until-decided does not have: "
            "looks cannot be planned after results were seen; choose another --results folder",
            results.string(), seed);
    return;
  }
  const statistics::Looks& looks = held.looks->seeds;
  if (!wanted.looks)
    reject(
        "{}: is run until it is decided, with looks after {} seeds, and a test that ignored them "
        "would find too much; continue with --until-decided, or choose another --results folder",
        results.string(), fmt::join(looks, ", "));
  if (wanted.looks->seeds != looks)
    reject(
        "{}: its looks are planned after {} seeds, not after {}, and no look may be changed once "
        "one has begun; continue without --cap and --group, or choose another --results folder",
        results.string(), fmt::join(looks, ", "), fmt::join(wanted.looks->seeds, ", "));
}

}  // namespace ablate::run
