#include "harness/statistics/e_divisive.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/base/rng.h"
#include "harness/base/shuffle.h"

namespace ablate::statistics {
namespace {

constexpr double kTie = 1e-9;  // relative: less between two statistics is rounding

// Sums of distances: within the first part, within the second, and between the two.
struct Distances {
  double first = 0, second = 0, between = 0;

  double statistic(std::size_t count_first, std::size_t count_second) const {
    const auto n = static_cast<double>(count_first), m = static_cast<double>(count_second);
    return 2 / (m + n) * (between - m / (n - 1) * first - n / (m - 1) * second);
  }
};

// The sum of the distances of one value to others.
double distances_to(double value, std::span<const double> others) {
  double sum = 0;
  for (const double other : others) sum += std::abs(value - other);
  return sum;
}

struct Split {
  std::size_t at = 0;  // the first value of the second part
  double statistic = 0;
};

// The split of a level whose parts are the most unlike; none where the level is too short.
std::optional<Split> best_split(std::span<const double> values) {
  if (values.size() < 2 * kShortestLevel) return std::nullopt;
  Distances sums;
  for (std::size_t i = 0; i < values.size(); ++i)
    sums.second += distances_to(values[i], values.subspan(i + 1));
  std::optional<Split> best;
  for (std::size_t split = 1; split + kShortestLevel <= values.size(); ++split) {
    const double moved = values[split - 1];  // from the second part to the first
    const double to_first = distances_to(moved, values.first(split - 1));
    const double to_second = distances_to(moved, values.subspan(split));
    sums.first += to_first;
    sums.second -= to_second;
    sums.between += to_second - to_first;
    if (split < kShortestLevel) continue;
    const double statistic = sums.statistic(split, values.size() - split);
    if (!best || statistic > best->statistic) best = {split, statistic};
  }
  return best;
}

class Search {
 public:
  Search(std::span<const double> history, const EDivisive& settings)
      : history_(history), settings_(settings), begins_({0, history.size()}) {}

  std::vector<Level> run() {
    while (const std::optional<Split> split = best(history_)) {
      if (p_of(*split) > settings_.level) break;
      begins_.insert(std::upper_bound(begins_.begin(), begins_.end(), split->at), split->at);
    }
    std::vector<Level> levels;
    levels.reserve(begins_.size() - 1);
    for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
      levels.push_back(level_of(history_, begins_[i], begins_[i + 1] - begins_[i]));
    }
    return levels;
  }

 private:
  // The best split of all levels, where these values stand for the history.
  std::optional<Split> best(std::span<const double> values) const {
    std::optional<Split> best;
    for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
      auto split = best_split(values.subspan(begins_[i], begins_[i + 1] - begins_[i]));
      if (!split || (best && split->statistic <= best->statistic)) continue;
      split->at += begins_[i];
      best = split;
    }
    return best;
  }

  double p_of(const Split& split) const {
    std::int64_t extreme = 1;  // the history itself
    for (std::int64_t number = 0; number < settings_.permutations; ++number) {
      std::vector<double> permuted(history_.begin(), history_.end());
      Rng rng(settings_.seed, Stream::probes, begins_.size(), static_cast<std::uint64_t>(number));
      for (std::size_t i = 0; i + 1 < begins_.size(); ++i)
        shuffle(std::span(permuted).subspan(begins_[i], begins_[i + 1] - begins_[i]), rng);
      const double statistic = best(permuted)->statistic;
      extreme += statistic >= split.statistic - kTie * std::abs(split.statistic);
    }
    return static_cast<double>(extreme) / static_cast<double>(settings_.permutations + 1);
  }

  std::span<const double> history_;
  EDivisive settings_;
  std::vector<std::size_t> begins_;  // of levels, and the end of the last
};

}  // namespace

double energy_statistic(std::span<const double> values, std::size_t split) {
  const auto first = values.first(split), second = values.subspan(split);
  Distances sums;
  for (std::size_t i = 0; i < first.size(); ++i) {
    sums.first += distances_to(first[i], first.subspan(i + 1));
    sums.between += distances_to(first[i], second);
  }
  for (std::size_t j = 0; j < second.size(); ++j)
    sums.second += distances_to(second[j], second.subspan(j + 1));
  return sums.statistic(first.size(), second.size());
}

std::vector<Level> e_divisive(std::span<const double> history, const EDivisive& settings) {
  if (history.empty()) return {};
  return Search(history, settings).run();
}

}  // namespace ablate::statistics
