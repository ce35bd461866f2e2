#include "harness/statistics/tasks/aggregates.h"

#include <algorithm>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/unpaired/effect_size.h"

namespace ablate::statistics {
namespace {

std::vector<double> all_of(const Scores& scores) {
  std::vector<double> all;
  for (const std::vector<double>& task : scores) all.insert(all.end(), task.begin(), task.end());
  return all;
}

}  // namespace

double interquartile_mean(const Scores& scores) {
  std::vector<double> all = all_of(scores);
  std::sort(all.begin(), all.end());
  const std::size_t left_out = all.size() / 4;
  return mean(std::span(all).subspan(left_out, all.size() - 2 * left_out));
}

std::vector<double> performance_profile(const Scores& scores, std::span<const double> thresholds) {
  std::vector<double> profile;
  for (const double threshold : thresholds) {
    std::vector<double> fractions;
    for (const std::vector<double>& task : scores) {
      const auto above = std::count_if(
          task.begin(), task.end(), [&](double score) { return difference(score, threshold) > 0; });
      fractions.push_back(static_cast<double>(above) / static_cast<double>(task.size()));
    }
    profile.push_back(mean(fractions));
  }
  return profile;
}

double probability_of_improvement(const Scores& x, const Scores& y) {
  std::vector<double> probabilities;
  for (std::size_t task = 0; task < x.size(); ++task)
    probabilities.push_back(probability_of_superiority(x[task], y[task]));
  return mean(probabilities);
}

}  // namespace ablate::statistics
