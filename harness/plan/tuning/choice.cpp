#include "harness/plan/tuning/choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/plan/read/read_tuning.h"
#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::plan {
namespace {

/// The values as losses: lower is better. Requires: no trial diverged.
std::vector<double> losses_of(const TriedRate& tried, Better better) {
  std::vector<double> losses;
  for (const std::optional<double>& value : tried.values)
    losses.push_back(better == Better::higher ? -*value : *value);
  return losses;
}

/// Whether losses are worse than those of the best by at most one standard error of the difference.
bool ties(const std::vector<double>& losses, const std::vector<double>& best) {
  const std::vector<double> worse = statistics::differences(losses, best);
  const double mean = statistics::mean(worse);
  if (worse.size() < 2) return mean <= 0;
  return mean <= statistics::deviation(worse) / std::sqrt(static_cast<double>(worse.size()));
}

/// A rate as a person would write it: without the digits that rounding leaves behind.
double with_six_digits(double rate) {
  return std::strtod(fmt::format("{:.6g}", rate).c_str(), nullptr);
}

}  // namespace

bool TriedRate::diverged() const {
  return std::any_of(values.begin(), values.end(), [](const auto& value) { return !value; });
}

std::optional<RateChoice> choose_rate(std::vector<TriedRate> tried, Better better) {
  std::sort(tried.begin(), tried.end(),
            [](const TriedRate& a, const TriedRate& b) { return a.rate < b.rate; });
  std::optional<RateChoice> choice;
  std::vector<double> best;  // losses
  for (const TriedRate& each : tried) {
    if (each.diverged()) continue;
    std::vector<double> losses = losses_of(each, better);
    if (choice && statistics::difference(statistics::mean(losses), statistics::mean(best)) >= 0)
      continue;
    choice = RateChoice{.best = each.rate};
    best = std::move(losses);
  }
  if (!choice) return choice;
  const auto chosen = std::find_if(tried.begin(), tried.end(), [&](const TriedRate& each) {
    return !each.diverged() && ties(losses_of(each, better), best);
  });
  choice->rate = chosen->rate;
  choice->edges = {choice->rate == tried.front().rate, choice->best == tried.back().rate};
  return choice;
}

Edges edges_of(const std::vector<std::optional<RateChoice>>& choices) {
  Edges edges;
  for (const std::optional<RateChoice>& choice : choices) {
    edges.low = edges.low || !choice || choice->edges.low;
    edges.high = edges.high || (choice && choice->edges.high);
  }
  return edges;
}

std::vector<double> extended(std::vector<double> rates, Edges edges, std::int64_t count) {
  const Param& row = learning_rate_row();
  const std::size_t given = rates.size();
  const double low = rates[0] / rates[1], high = rates[given - 1] / rates[given - 2];
  for (std::int64_t i = 0; edges.low && i < count; ++i)
    if (const double next = with_six_digits(rates.front() * low); next >= row.minimum)
      rates.insert(rates.begin(), next);
  for (std::int64_t i = 0; edges.high && i < count; ++i)
    if (const double next = with_six_digits(rates.back() * high); next <= row.maximum)
      rates.push_back(next);
  return rates;
}

}  // namespace ablate::plan
