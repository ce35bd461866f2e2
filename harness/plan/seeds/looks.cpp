#include "harness/plan/seeds/looks.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/sequential/sequential_power.h"

namespace ablate::plan {
namespace {

constexpr std::int64_t kDefaultCap = 3;  // times the first look
constexpr std::int64_t kMaxSequentialSeeds = 200;

/// The level at Holm's first step, where every arm must do with its part of alpha.
double first_level(const Plan& plan) {
  const double alpha = plan.analysis.alpha;
  return plan.analysis.correction == statistics::Correction::none
             ? alpha
             : alpha / static_cast<double>(std::max<std::int64_t>(1, plan.comparisons));
}

std::vector<std::int64_t> own_seeds(const Plan& plan) {
  return plan.resolved.at("seeds").get<std::vector<std::int64_t>>();
}

/// "2 comparisons at alpha 0.05 under Holm"
std::string setting_text(const Plan& plan) {
  const bool holm =
      plan.comparisons > 1 && plan.analysis.correction == statistics::Correction::holm;
  return fmt::format("{} comparison{} at alpha {:g}{}", plan.comparisons,
                     plan.comparisons == 1 ? "" : "s", plan.analysis.alpha,
                     holm ? " under Holm" : "");
}

}  // namespace

statistics::Looks planned_looks(const Plan& plan, const LookLimits& limits) {
  if (plan.comparisons == 0)
    reject(
        "--until-decided: the experiment compares no arm with its baseline, so there is nothing to "
        "decide; run it without this flag");
  const double level = first_level(plan);
  const auto own = static_cast<std::int64_t>(own_seeds(plan).size());
  if (!limits.cap) {
    const std::int64_t first =
        std::max(own, statistics::fewest_for_sign_flip(level / static_cast<double>(kDefaultCap)));
    return planned_looks(plan, {kDefaultCap * first, limits.group});
  }
  if (*limits.cap > kMaxSequentialSeeds)
    reject("--cap {}: is more seeds than an experiment may have; accepted: up to {}", *limits.cap,
           kMaxSequentialSeeds);
  if (*limits.cap < own)
    reject(
        "--cap {}: is below the first look, which has the {} seeds of the experiment; accepted: "
        "{} or more, or fewer \"seeds\" in the file",
        *limits.cap, own, own);
  const auto fewest = statistics::fewest_for_first_look(*limits.cap, level);
  if (!fewest)
    reject(
        "--cap {}: with {}, no look at up to {} seeds can find a difference, however large; "
        "accepted: {} or more",
        *limits.cap, setting_text(plan), *limits.cap, statistics::fewest_for_sign_flip(level));
  const std::int64_t first = std::max(own, *fewest);
  return statistics::looks_between(first, limits.group.value_or((first + 1) / 2), *limits.cap);
}

std::vector<std::int64_t> seeds_of_look(const Plan& plan, std::int64_t count) {
  std::vector<std::int64_t> seeds = own_seeds(plan);
  if (static_cast<std::int64_t>(seeds.size()) > count)
    reject("seeds: the experiment has {}, and its first look has {}; give it that many or fewer",
           seeds.size(), count);
  std::int64_t last = *std::max_element(seeds.begin(), seeds.end());
  while (static_cast<std::int64_t>(seeds.size()) < count) seeds.push_back(++last);
  return seeds;
}

void set_looks(Plan& plan, const statistics::Looks& looks, std::size_t begun) {
  plan.looks = {looks, statistics::look_weights(looks), begun};
  std::erase(plan.warnings, plan.power);
  plan.power = looks_sentence(plan, looks);
}

std::string looks_sentence(const Plan& plan, const statistics::Looks& looks) {
  constexpr double kEffects[] = {1, 1.5, 2};
  std::vector<std::string> outcomes;
  for (const double effect : kEffects) {
    const statistics::SequentialOutcome outcome =
        statistics::sequential_outcome(looks, first_level(plan), effect);
    outcomes.push_back(fmt::format("{:g}: found with power {:.2f}, after {:.1f} seeds on average",
                                   effect, outcome.found, outcome.seeds));
  }
  return fmt::format(
      "Decided after {} seeds at the latest, with looks after {}: over all looks together, alpha "
      "holds for {}. Differences in standard deviations of the paired difference: {}.",
      looks.back(), fmt::join(looks, ", "), setting_text(plan), fmt::join(outcomes, "; "));
}

}  // namespace ablate::plan
