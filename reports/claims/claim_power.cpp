#include "reports/claims/claim_power.h"

#include <fmt/core.h>

#include <vector>

#include "harness/base/number_text.h"
#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/paired/non_inferiority.h"
#include "harness/statistics/power.h"

namespace ablate::reports {
namespace {

constexpr double kPower = 0.8;
constexpr std::int64_t kLeastSeen = 3;  // values that say what their spread is

double deviation_of(const Estimate& seen) {
  std::vector<double> values;
  for (const auto& value : seen.values)
    if (value) values.push_back(*value);
  return statistics::deviation(values);
}

std::string seeds_text(const std::optional<std::int64_t>& seeds) {
  return seeds ? fmt::format("{} seeds", *seeds)
               : fmt::format("more than {} seeds", statistics::kMaxForecastSeeds);
}

/// The fewest seeds that show a difference of 0 to be within the margin, in standard deviations of the
/// paired difference: each of the two one-sided tests may fail in a tenth of the cases.
std::optional<std::int64_t> seeds_for_equality(double margin, double alpha, std::int64_t tests) {
  const double each = 1 - (1 - kPower) / 2, shared = alpha / static_cast<double>(tests);
  for (std::int64_t n = 2; n <= statistics::kMaxForecastSeeds; ++n)
    if (statistics::non_inferiority_power(n, shared, margin) >= each) return n;
  return std::nullopt;
}

}  // namespace

std::string power_note(const Claim& claim, const Evidence& evidence, double alpha,
                       std::int64_t tests) {
  if (evidence.seen.n < kLeastSeen) return "";
  const double deviation = deviation_of(evidence.seen);
  if (!(deviation > 0)) return "";
  if (claim.expected == Expectation::equal)
    return fmt::format("to show a difference of 0 to be within {} would take {} for a power of .8",
                       plain_number(claim.margin),
                       seeds_text(seeds_for_equality(claim.margin / deviation, alpha, tests)));
  if (!claim.effect) return "";
  const double effect = *claim.effect / deviation;
  const double power =
      statistics::sign_flip_power(evidence.seen.n, alpha / static_cast<double>(tests), effect);
  if (power >= kPower)
    return fmt::format(
        "an effect of the published size, {}, would have been found with a power of "
        "{:.2f}",
        plain_number(*claim.effect), power);
  return fmt::format("an effect of the published size, {}, would take {} for a power of .8",
                     plain_number(*claim.effect),
                     seeds_text(statistics::seeds_for_effect(effect, alpha, tests)));
}

}  // namespace ablate::reports
