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

}  // namespace

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

/// Of the k-th smallest, the minimum of m / j * p_(j) over j >= k.
std::vector<double> benjamini_hochberg(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending(p);
  std::vector<double> adjusted(p.size());
  double smallest = 1;
  for (std::size_t k = p.size(); k-- > 0;) {
    const double factor = static_cast<double>(p.size()) / static_cast<double>(k + 1);
    smallest = std::min(smallest, factor * p[order[k]]);
    adjusted[order[k]] = smallest;
  }
  return adjusted;
}

std::vector<double> adjust(std::span<const double> p, Correction correction) {
  if (correction == Correction::holm) return holm(p);
  return {p.begin(), p.end()};
}

}  // namespace ablate::statistics
