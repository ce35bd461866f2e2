#include "harness/statistics/sequential/sequential_power.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <iterator>
#include <span>

#include "harness/base/rng.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/sequential/sequential_sign_flip.h"

namespace ablate::statistics {
namespace {

constexpr int kSequentialSimulations = 1000;
constexpr std::uint64_t kSequentialKey = 0x5E9Au;

/// Whether p after the looks so far is below the level. It lies between the smallest p of a look and
/// the smallest p_l / w_l, which decide most often and take less time.
bool is_found(const DifferencesByLook& differences, std::span<const double> weights,
              const std::vector<double>& p, double level) {
  if (sequential_p(p, weights) < level) return true;
  if (*std::min_element(p.begin(), p.end()) >= level) return false;
  return sequential_sign_flip_p(differences, weights) < level;
}

}  // namespace

SequentialOutcome sequential_outcome(const Looks& looks, double level, double effect) {
  const boost::math::normal_distribution<double> normal;
  const std::vector<double> weights = look_weights(looks);
  double found = 0;
  double seeds = 0;
  for (int run = 0; run < kSequentialSimulations; ++run) {
    Rng rng = Rng(kSequentialKey).fork(static_cast<std::uint64_t>(run));
    DifferencesByLook differences;
    std::vector<double> seen, p;
    for (const std::int64_t look : looks) {
      std::vector<double>& group = differences.emplace_back();
      while (std::ssize(seen) < look) {
        group.push_back(effect + boost::math::quantile(normal, rng.uniform() + 0x1.0p-54));
        seen.push_back(group.back());
      }
      p.push_back(sign_flip_p(seen));
      if (is_found(differences, weights, p, level)) {
        ++found;
        break;
      }
    }
    seeds += static_cast<double>(seen.size());
  }
  return {found / kSequentialSimulations, seeds / kSequentialSimulations};
}

}  // namespace ablate::statistics
