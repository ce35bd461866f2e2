// Selects arms and trials by the flags of the command line.

#include "harness/plan/prepare/part.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/base/names.h"
#include "harness/plan/prepare/identity.h"

namespace ablate::plan {
namespace {

std::vector<std::string_view> arm_names(const Experiment& experiment) {
  std::vector<std::string_view> names;
  for (const ResolvedArm& arm : experiment.arms) names.push_back(arm.name);
  return names;
}

/// The seeds of the experiment, then those of held trials that it does not have.
std::vector<std::int64_t> known_seeds(const Experiment& experiment, const TrialPlaces& held) {
  std::vector<std::int64_t> seeds = experiment.seeds;
  std::set<std::int64_t> more;
  for (const auto& [arm, seed] : held) more.insert(seed);
  for (const std::int64_t seed : experiment.seeds) more.erase(seed);
  seeds.insert(seeds.end(), more.begin(), more.end());
  if (!more.empty()) std::sort(seeds.begin(), seeds.end());
  return seeds;
}

void check_dropped(const Experiment& experiment, const Selection& selection, Faults& faults) {
  const std::vector<std::string_view> names = arm_names(experiment);
  const std::string& baseline = experiment.arms[experiment.baseline].name;
  for (const std::string& dropped : selection.dropped) {
    const Place place{.flag = "--drop " + dropped.substr(0, 200), .rank = Sources::kMaxFiles};
    const auto is = [&](std::string_view name) { return names_arm(dropped, name); };
    if (std::none_of(names.begin(), names.end(), is))
      faults.add(place, "no arm has this name", suggestion(dropped, names));
    if (!is(baseline)) continue;
    const auto left = std::find_if(names.begin(), names.end(),
                                   [&](std::string_view name) { return selection.has_arm(name); });
    faults.add(place, fmt::format("arm '{}' is the baseline", baseline),
               left == names.end() ? "no other arm is left"
                                   : fmt::format("name another one: --set 'baseline={}'", *left));
  }
}

void refuse_empty(const Experiment& experiment, const Overrides& overrides, Faults& faults) {
  std::string flags;
  for (const std::string& only : overrides.only) flags += " --only " + only;
  for (const std::string& drop : overrides.drop) flags += " --drop " + drop;
  faults.add({.flag = flags.substr(std::min<std::size_t>(1, flags.size()), 400),
              .rank = Sources::kMaxFiles},
             "no trial is selected",
             fmt::format("arms: {}; seeds: {}",
                         fmt::format("{}", fmt::join(arm_names(experiment), ", ")).substr(0, 2000),
                         Json(experiment.seeds).dump().substr(0, 200)));
}

}  // namespace

Part part_of(const Experiment& experiment, const Overrides& overrides, Faults& faults) {
  const Selection selection = parse_selection(overrides, faults);
  const std::set<std::int64_t> own(experiment.seeds.begin(), experiment.seeds.end());
  const std::vector<std::int64_t> seeds = known_seeds(experiment, overrides.held);
  check_dropped(experiment, selection, faults);
  Part part;
  std::set<std::int64_t> used;
  std::size_t selected = 0;  // of the experiment's trials
  for (std::size_t arm = 0; arm < experiment.arms.size(); ++arm) {
    const std::string& name = experiment.arms[arm].name;
    std::vector<std::int64_t> planned;
    for (const std::int64_t seed : seeds)
      if (overrides.held.contains({name, seed}) ||
          (own.contains(seed) && selection.has_arm(name) && selection.has_seed(seed)))
        planned.push_back(seed);
    if (planned.empty() && arm != experiment.baseline) continue;
    for (const std::int64_t seed : planned) {
      part.trials.emplace_back(part.arms.size(), seed);
      selected += own.contains(seed) ? 1 : 0;
    }
    used.insert(planned.begin(), planned.end());
    part.arms.push_back(arm);
  }
  for (const std::int64_t seed : seeds)
    if (used.contains(seed)) part.seeds.push_back(seed);
  part.complete = selected == experiment.arms.size() * own.size();
  if (part.trials.empty() && faults.empty()) refuse_empty(experiment, overrides, faults);
  return part;
}

Experiment restricted(const Experiment& experiment, const Part& part) {
  Experiment some = experiment;
  some.arms = restricted(experiment.arms, part);
  some.seeds = part.seeds;
  const auto baseline = std::find(part.arms.begin(), part.arms.end(), experiment.baseline);
  some.baseline = static_cast<std::size_t>(baseline - part.arms.begin());
  const auto is_baseline = [&](const auto& trial) { return trial.first == some.baseline; };
  if (std::none_of(part.trials.begin(), part.trials.end(), is_baseline))
    some.warnings.push_back(fmt::format(
        "no trial of the baseline '{}' is selected: nothing is compared until it is run in the "
        "same results folder; --set baseline=NAME takes another one",
        some.arms[some.baseline].name));
  return some;
}

Prepared restricted(const Prepared& prepared, const Part& part) {
  Prepared some = prepared;
  some.models = restricted(prepared.models, part);
  some.own = restricted(prepared.own, part);
  some.phases = restricted(prepared.phases, part);
  some.starts = restricted(prepared.starts, part);
  return some;
}

Json complete_json(const Experiment& experiment, const Prepared& prepared) {
  Json arms = Json::array();
  for (std::size_t i = 0; i < experiment.arms.size(); ++i)
    arms.push_back(
        {{"name", experiment.arms[i].name}, {"config", trial_config(experiment, prepared, i, 0)}});
  return {{"arms", std::move(arms)}, {"seeds", experiment.seeds}};
}

}  // namespace ablate::plan
