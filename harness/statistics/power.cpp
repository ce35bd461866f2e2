// What an experiment can and cannot show, computed before it is run.

#include "harness/statistics/power.h"

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

#include "harness/base/rng.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/paired/t_power.h"

namespace ablate::statistics {
namespace {

constexpr std::int64_t kMaxSimulated = 16;
constexpr int kSimulations = 4096;  // standard error of a power of .8: .006
constexpr std::uint64_t kSimulationKey = 0x90E2u;
constexpr double kWantedPower = 0.8;

using Normal = boost::math::normal_distribution<double>;

/// Where only differences that all have one sign reach significance: P(all > 0) + P(all < 0).
double power_of_unanimity(std::int64_t n, double effect) {
  const auto count = static_cast<double>(n);
  const Normal normal;
  return std::pow(boost::math::cdf(normal, effect), count) +
         std::pow(boost::math::cdf(normal, -effect), count);
}

/// Common random numbers over effects: the same noise each time, so that power rises with the
/// effect.
double simulated_power(std::int64_t n, double alpha, double effect) {
  const Normal normal;
  std::vector<double> differences(static_cast<std::size_t>(n));
  int found = 0;
  for (int run = 0; run < kSimulations; ++run) {
    Rng rng = Rng(kSimulationKey).fork(static_cast<std::uint64_t>(run));
    for (double& difference : differences) {
      difference = effect + boost::math::quantile(normal, (rng.uniform() + 0x1.0p-54));
    }
    if (sign_flip_p(differences) < alpha) ++found;
  }
  return static_cast<double>(found) / kSimulations;
}

}  // namespace

double sign_flip_power(std::int64_t n, double alpha, double effect) {
  if (minimum_sign_flip_p(n) >= alpha) return 0;
  if (2 * minimum_sign_flip_p(n) >= alpha) return power_of_unanimity(n, effect);
  return n <= kMaxSimulated ? simulated_power(n, alpha, effect) : paired_t_power(n, alpha, effect);
}

std::optional<double> minimum_detectable_effect(std::int64_t n, double alpha,
                                                std::int64_t comparisons) {
  const double level = alpha / static_cast<double>(comparisons < 1 ? 1 : comparisons);
  if (minimum_sign_flip_p(n) >= level) return std::nullopt;
  double low = 0;
  double high = 1;
  while (sign_flip_power(n, level, high) < kWantedPower) high *= 2;
  while (high - low > 1e-3) {
    const double middle = (low + high) / 2;
    (sign_flip_power(n, level, middle) < kWantedPower ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::optional<std::int64_t> seeds_for_effect(double effect, double alpha,
                                             std::int64_t comparisons) {
  const double level = alpha / static_cast<double>(comparisons < 1 ? 1 : comparisons);
  for (std::int64_t n = fewest_for_sign_flip(level); n <= kMaxForecastSeeds; ++n)
    if (sign_flip_power(n, level, effect) >= kWantedPower) return n;
  return std::nullopt;
}

}  // namespace ablate::statistics
