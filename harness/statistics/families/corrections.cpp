#include "harness/statistics/families/corrections.h"

#include <algorithm>
#include <numeric>

namespace ablate::statistics {
namespace {

/// The indices of the values, the smallest value first.
std::vector<std::size_t> ascending(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

/// The step-up adjustment: of the k-th smallest, the minimum of scale * m / j * p_(j) over j >= k.
std::vector<double> step_up(std::span<const double> p, double scale) {
  const std::vector<std::size_t> order = ascending(p);
  std::vector<double> adjusted(p.size());
  double smallest = 1;
  for (std::size_t k = p.size(); k-- > 0;) {
    const double factor = scale * static_cast<double>(p.size()) / static_cast<double>(k + 1);
    smallest = std::min(smallest, factor * p[order[k]]);
    adjusted[order[k]] = smallest;
  }
  return adjusted;
}

}  // namespace

std::vector<double> bonferroni(std::span<const double> p) {
  std::vector<double> adjusted;
  for (const double value : p)
    adjusted.push_back(std::min(1.0, static_cast<double>(p.size()) * value));
  return adjusted;
}

std::vector<double> holm(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending(p);
  std::vector<double> adjusted(p.size());
  double largest = 0;  // a step may not be easier than the one before
  for (std::size_t step = 0; step < order.size(); ++step) {
    const double raised = static_cast<double>(p.size() - step) * p[order[step]];
    largest = std::max(largest, std::min(1.0, raised));
    adjusted[order[step]] = largest;
  }
  return adjusted;
}

std::vector<double> hommel(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending(p);
  const std::size_t m = p.size();
  std::vector<double> raised(p.begin(), p.end());
  for (std::size_t size = m; size > 1; --size) {
    // Simes' p of the `size` largest values, and of any of them with the smallest of the others.
    const std::size_t first = m - size;
    double simes = 1;
    for (std::size_t j = 1; j < size; ++j)
      simes = std::min(
          simes, static_cast<double>(size) * p[order[first + j]] / static_cast<double>(j + 1));
    const double of_largest = std::min(simes, static_cast<double>(size) * p[order[first]]);
    for (std::size_t k = 0; k < m; ++k) {
      const double own = static_cast<double>(size) * p[order[k]];
      const double candidate = k < first ? std::min(simes, own) : of_largest;
      raised[order[k]] = std::max(raised[order[k]], candidate);
    }
  }
  return raised;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) { return step_up(p, 1); }

std::vector<double> benjamini_yekutieli(std::span<const double> p) {
  double harmonic = 0;
  for (std::size_t k = 1; k <= p.size(); ++k) harmonic += 1 / static_cast<double>(k);
  return step_up(p, harmonic);
}

std::vector<double> adjust(std::span<const double> p, Correction correction) {
  if (correction == Correction::holm) return holm(p);
  return {p.begin(), p.end()};
}

}  // namespace ablate::statistics
