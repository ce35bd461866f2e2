#include "harness/plan/price/time/rank_gain.h"

#include <algorithm>

#include "harness/plan/price/banks.h"

namespace ablate::plan {
namespace {

/// The time of one exchange: before the first byte, and of a parameter's gradient. Measured by two processes on
/// two cores through the loopback device, EPYC with AVX-512: 1.7 ms at 100 parameters, 3.3 ms at a million.
constexpr double kSecondsToBegin = 1.7e-3, kSecondsOfParameter = 1.7e-9;

/// Of an all-reduce in a ring each process sends and receives this many times its data.
double times_data(std::size_t ranks) {
  return 2 * (static_cast<double>(ranks) - 1) / static_cast<double>(ranks);
}

}  // namespace

std::optional<RankGain> gain_by_ranks(const std::vector<RankedTrial>& trials, std::size_t workers,
                                      std::size_t most) {
  if (trials.empty()) return std::nullopt;
  RankGain gain{.ranks = std::min(workers / trials.size(), most)};
  if (gain.ranks < 2) return std::nullopt;
  const auto ranks = static_cast<double>(gain.ranks);
  std::vector<double> pieces;
  for (const RankedTrial& trial : trials) {
    const auto steps = static_cast<double>(trial.steps);
    const double step = trial.time.training / steps;
    const double exchange =
        kSecondsToBegin * (ranks - 1) +
        kSecondsOfParameter * times_data(gain.ranks) * static_cast<double>(trial.parameters);
    if (pieces.empty() || step < gain.step_seconds) {
      gain.step_seconds = step;
      gain.exchange_seconds = exchange;
    }
    pieces.push_back(trial.time.measuring + steps * (step / ranks + exchange));
  }
  gain.seconds = makespan(pieces, workers / gain.ranks);
  return gain;
}

}  // namespace ablate::plan
