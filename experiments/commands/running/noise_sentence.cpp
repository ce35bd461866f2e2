#include "experiments/commands/running/noise_sentence.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "harness/statistics/power.h"
#include "harness/store/index/records.h"
#include "reports/analysis/comparisons/noise.h"

namespace ablate::commands {
namespace {

Json without_seed(Json config) {
  config.erase("seed");
  return config;
}

using Settings = std::map<std::string, Json>;  // of every arm that has trials, without seeds

/// Removes the spreads of arms whose trials have other settings than the plan's.
void keep_planned(const plan::Plan& plan, const store::StoredPlan& stored,
                  std::vector<reports::SeedSpread>& spreads) {
  Settings wanted, measured;
  for (const plan::Trial& trial : plan.trials)
    if (!wanted.contains(trial.arm)) wanted[trial.arm] = trial.config.without_seed();
  for (const store::StoredTrial& trial : stored.trials)
    if (!measured.contains(trial.arm)) measured[trial.arm] = without_seed(*trial.config);
  std::erase_if(spreads, [&](const reports::SeedSpread& spread) {
    const auto plans = wanted.find(spread.arm), has = measured.find(spread.arm);
    return plans == wanted.end() || has == measured.end() || plans->second != has->second;
  });
}

/// The widest spread of a difference from the baseline; none where no arm's is known.
std::optional<reports::SeedSpread> widest(const plan::Plan& plan,
                                          const std::vector<reports::SeedSpread>& spreads) {
  const auto baseline = std::find_if(plan.arms.begin(), plan.arms.end(),
                                     [](const plan::Plan::Arm& arm) { return arm.baseline; });
  std::optional<reports::SeedSpread> largest;
  for (const plan::Plan::Arm& arm : plan.arms) {
    if (arm.baseline || baseline == plan.arms.end()) continue;
    const auto spread =
        reports::spread_of_difference(spreads, arm.name, baseline->name, plan.analysis.primary);
    if (spread && (!largest || spread->deviation > largest->deviation)) largest = spread;
  }
  return largest;
}

/// What the seeds find of the smallest effect of interest: "The smallest effect of interest, 0.02, is
/// found with power .43; power .8 takes 15 seeds." Empty where none is declared.
std::string power_for_smallest(const plan::Plan& plan, double deviation, std::int64_t seeds,
                               double alpha, std::int64_t comparisons) {
  const std::optional<double> effect = plan.analysis.smallest_effect;
  if (!effect || deviation <= 0 || *effect <= 0) return "";
  const double size = *effect / deviation;
  const double power =
      statistics::sign_flip_power(seeds, alpha / static_cast<double>(comparisons), size);
  const auto needed = statistics::seeds_for_effect(size, alpha, comparisons);
  return fmt::format(
      " They find the smallest effect of interest, {}, with power {}; power 0.8 takes {}.",
      significant(*effect, 3), significant(power, 2),
      needed ? fmt::format("{} seeds", *needed)
             : fmt::format("more than {} seeds", statistics::kMaxForecastSeeds));
}

/// What common random numbers save: " Shared seeds make its variance 3.1 times smaller than that of
/// independent trials." Empty where that was not measured.
std::string saved_by_pairing(const reports::SeedSpread& spread) {
  if (!spread.paired || !spread.variance_ratio || *spread.variance_ratio <= 0) return "";
  const double ratio = *spread.variance_ratio;
  return fmt::format(" Shared seeds make its variance {} times {} than that of independent trials.",
                     significant(ratio < 1 ? 1 / ratio : ratio, 2),
                     ratio < 1 ? "larger" : "smaller");
}

/// What the spread of a difference in the primary metric says; empty where the trials have other
/// settings than the plan's, or too few values.
std::optional<std::string> measured_sentence(const plan::Plan& plan, const std::string& results) {
  const store::Records records = store::load_records(results);
  const reports::Analysis analysis = reports::analyse(records);
  std::vector<reports::SeedSpread> spreads = reports::spreads_of(analysis);
  keep_planned(plan, analysis.plan, spreads);
  const auto spread = widest(plan, spreads);
  if (!spread) return std::nullopt;
  const std::string& primary = plan.analysis.primary;
  const std::string& unit = analysis.metric(primary)->unit;
  const auto in_unit = [&](double value) {
    return significant(value, 3) + (unit.empty() ? "" : " " + unit);
  };
  std::string text = fmt::format(
      " Measured over {} seeds, the standard deviation of {} in {} is {} (95 % interval {} to {})",
      spread->n,
      spread->paired ? fmt::format("the paired difference of '{}'", spread->arm)
                     : std::string("the difference of two independent trials"),
      primary, in_unit(spread->deviation), significant(spread->interval.low, 3),
      significant(spread->interval.high, 3));
  if (plan.looks) return text + '.' + saved_by_pairing(*spread);
  const bool holm = plan.analysis.correction == statistics::Correction::holm;
  const auto seeds = static_cast<std::int64_t>(plan.resolved.at("seeds").size());
  const double alpha = plan.analysis.alpha;
  const std::int64_t comparisons = holm ? std::max<std::int64_t>(plan.comparisons, 1) : 1;
  const auto effect = statistics::minimum_detectable_effect(seeds, alpha, comparisons);
  const std::string found = effect ? fmt::format(": {} seeds find {} or more.", seeds,
                                                 in_unit(*effect * spread->deviation))
                                   : ".";
  return text + found + saved_by_pairing(*spread) +
         power_for_smallest(plan, spread->deviation, seeds, alpha, comparisons);
}

}  // namespace

std::string noise_folder(const plan::Plan& plan) { return "noise/" + plan.name; }

std::string noise_sentence(const plan::Plan& plan, const std::string& results) {
  if (auto sentence = measured_sentence(plan, results)) return *std::move(sentence);
  const std::string& primary = plan.analysis.primary;
  reject(
      "--noise {}: no two of its completed trials have the settings of this experiment's arms and "
      "a value of {}; measure some: ablate noise FILE --results ...",
      results, primary.empty() ? "a primary metric" : primary);
}

std::string stored_noise_sentence(const plan::Plan& plan) {
  const std::string folder = noise_folder(plan);
  if (!std::filesystem::exists(folder)) return "";
  try {
    if (const auto sentence = measured_sentence(plan, folder))
      return fmt::format("{} (From {}, as `ablate noise` left it; --noise none leaves it out.)",
                         *sentence, folder);
  } catch (const std::exception& error) {
    return fmt::format(" {} cannot be read: {}.", folder, error.what());
  }
  return fmt::format(
      " The noise in {} was measured with other settings, so it is not used; measure it again: "
      "ablate noise.",
      folder);
}

}  // namespace ablate::commands
