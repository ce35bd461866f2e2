#include "harness/statistics/tasks/scores.h"

#include "harness/statistics/one_sample/bootstrap.h"

namespace ablate::statistics {
namespace {

Scores redrawn(const Scores& scores, Rng rng) {
  Scores drawn = scores;
  for (std::size_t task = 0; task < scores.size(); ++task)
    for (double& score : drawn[task])
      score = scores[task][static_cast<std::size_t>(rng.below(std::ssize(scores[task])))];
  return drawn;
}

}  // namespace

Interval stratified_bootstrap(const Scores& scores,
                              const std::function<double(const Scores&)>& statistic, Rng rng,
                              double alpha) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < kDrawnResamples; ++i)
    values.push_back(statistic(redrawn(scores, rng.fork(i))));
  return percentile_interval(values, alpha);
}

}  // namespace ablate::statistics
