#include "harness/statistics/change_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

// The median of values that come one by one, and the sum of their distances to it.
class RunningMedian {
 public:
  void add(double value) {
    const bool low = low_.empty() || value <= low_.top();
    if (low) {
      low_.push(value), low_sum_ += value;
    } else {
      high_.push(value), high_sum_ += value;
    }
    if (low_.size() > high_.size() + 1) {
      const double moved = low_.top();
      low_.pop(), low_sum_ -= moved;
      high_.push(moved), high_sum_ += moved;
    } else if (high_.size() > low_.size()) {
      const double moved = high_.top();
      high_.pop(), high_sum_ -= moved;
      low_.push(moved), low_sum_ += moved;
    }
  }
  double cost() const {  // the lower half has one value more where their number is odd
    const double odd = low_.size() > high_.size() ? low_.top() : 0.0;
    return std::max(0.0, high_sum_ - (low_sum_ - odd));
  }

 private:
  std::priority_queue<double> low_;
  std::priority_queue<double, std::vector<double>, std::greater<>> high_;
  double low_sum_ = 0, high_sum_ = 0;
};

}  // namespace

Level level_of(std::span<const double> history, std::size_t first, std::size_t count) {
  const auto part = history.subspan(first, count);
  return {first, count, median({part.begin(), part.end()})};
}

std::vector<Level> levels_of(std::span<const double> history, double penalty) {
  const std::size_t n = history.size();
  std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> begin(n + 1, 0);  // of the last level of the best levels up to here
  least[0] = 0;
  for (std::size_t end = 1; end <= n; ++end) {
    RunningMedian level;
    for (std::size_t first = end; first-- > 0;) {
      level.add(history[first]);
      if (end - first < std::min(kShortestLevel, n)) continue;
      const double cost = least[first] + penalty + level.cost();
      if (cost < least[end]) least[end] = cost, begin[end] = first;
      if (level.cost() > least[end]) break;  // a longer level costs no less
    }
  }
  std::vector<Level> levels;
  for (std::size_t end = n; end > 0; end = begin[end]) {
    levels.push_back(level_of(history, begin[end], end - begin[end]));
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

double usual_penalty(std::span<const double> history) {
  if (history.size() < 2) return 0;
  std::vector<double> differences;
  for (std::size_t i = 1; i < history.size(); ++i)
    differences.push_back(std::abs(history[i] - history[i - 1]));
  // The median of |a - b| of normal values is .9539 deviations, the mean distance .7979.
  const double deviation = median(differences) / 0.9539 * 0.7979;
  return 4 * std::log(static_cast<double>(history.size())) * deviation;
}

}  // namespace ablate::statistics
