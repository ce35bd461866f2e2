#include "harness/probes/held_out/minimiser.h"

#include <algorithm>
#include <cmath>

namespace ablate::probes {
namespace {

// The table of log q by log(q / phi(q)). Below its first entry phi is 1 to 1e-12. Beyond its last one q counts as that
// entry's, whose distance from 1 is below 1e-8 up to g = 3 and 2e-3 at g = 10: predictions are made to add up to 1.
constexpr double kFirst = -40, kLast = 60, kPerUnit = 400;
constexpr int kHalvings = 60;

/// log(q / phi(q)), given log q.
double log_ratio_of(double log_q, double g) {
  const double q = std::exp(log_q), miss = -std::expm1(log_q);
  const double phi = std::pow(miss, g) - g * q * std::pow(miss, g - 1) * log_q;
  return log_q - std::log(phi);
}

/// Finds where an increasing function reaches `value`.
template <class Function>
double solved(const Function& function, double low, double high, double value) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (function(middle) < value ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

Minimiser::Minimiser(const TrainingLoss& loss, std::int64_t vocabulary)
    : loss_(loss), vocabulary_(static_cast<double>(vocabulary)) {
  if (loss.focal == 0) return;
  constexpr double kCertain = -1e-15;  // log q
  for (int i = 0; i <= static_cast<int>((kLast - kFirst) * kPerUnit); ++i)
    table_.push_back(solved([&](double log_q) { return log_ratio_of(log_q, loss.focal); },
                            2 * kFirst, kCertain, kFirst + i / kPerUnit));
}

double Minimiser::log_prediction(double log_ratio) const {
  if (log_ratio <= kFirst) return log_ratio;
  const double place = (std::min(log_ratio, kLast) - kFirst) * kPerUnit;
  const auto at = std::min(static_cast<std::size_t>(place), table_.size() - 2);
  const double part = place - static_cast<double>(at);
  return (1 - part) * table_[at] + part * table_[at + 1];
}

double Minimiser::cost(std::span<const double> distribution, std::size_t target) const {
  if (loss_.label_smoothing > 0)
    return -std::log((1 - loss_.label_smoothing) * distribution[target] +
                     loss_.label_smoothing / vocabulary_);
  if (loss_.focal == 0) return -std::log(distribution[target]);
  std::vector<double> logs;
  for (const double probability : distribution)
    if (probability > 0) logs.push_back(std::log(probability));
  const auto sum_at = [&](double log_factor) {
    double sum = 0;
    for (const double log : logs) sum += std::exp(log_prediction(log_factor + log));
    return sum;
  };
  // At the lower end the sum is below 1; at the upper one, the likeliest token has nearly all of it alone.
  const double log_factor = solved(sum_at, -kLast / 2, kLast, 1);
  return -(log_prediction(log_factor + std::log(distribution[target])) -
           std::log(sum_at(log_factor)));
}

}  // namespace ablate::probes
