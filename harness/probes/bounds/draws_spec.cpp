#include "harness/probes/bounds/draws_spec.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ablate::probes {

double mean_draw(const std::vector<double>& document) {
  return std::accumulate(document.begin(), document.end(), 0.0) /
         static_cast<double>(document.size());
}

double nats_a_token(const DrawnCosts& drawn, double tokens) {
  double total = 0;
  for (const std::vector<double>& document : drawn) total += mean_draw(document);
  return total / tokens;
}

double spread_of(const DrawnCosts& drawn, double tokens) {
  double variance = 0;
  for (const std::vector<double>& document : drawn) {
    const double mean = mean_draw(document);
    double squares = 0;
    for (const double value : document) squares += (value - mean) * (value - mean);
    variance += squares / static_cast<double>(document.size() - 1);
  }
  const auto documents = static_cast<double>(drawn.size());
  return std::sqrt(variance / documents) / (tokens / documents);
}

double of_mixture(const DrawnCosts& drawn, double tokens) {
  double total = 0;
  for (const std::vector<double>& document : drawn) {
    const double least = *std::min_element(document.begin(), document.end());
    double sum = 0;
    for (const double cost : document) sum += std::exp(least - cost);
    total += least - std::log(sum / static_cast<double>(document.size()));
  }
  return total / tokens;
}

}  // namespace ablate::probes
