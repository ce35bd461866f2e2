#include "harness/probes/representation/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ablate::probes {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRanks = 10;  // that retrieval looks at

double inner(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> sum_of(Vectors vectors) {
  std::vector<double> sum(vectors.width, 0.0);
  for (std::size_t i = 0; i < vectors.count(); ++i)
    for (std::size_t d = 0; d < vectors.width; ++d) sum[d] += vectors[i][d];
  return sum;
}

/// |x - y|^2 of unit vectors, without what rounding leaves of it below 0.
double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/// Gain of a relevant vector at a rank, counted from 0.
double gain(std::size_t rank) { return 1 / std::log2(static_cast<double>(rank) + 2); }

/// The others in the order of their similarity to vector `asking`, the first kRanks of them.
std::vector<std::size_t> most_similar(Vectors units, std::size_t asking) {
  std::vector<std::size_t> others;
  std::vector<double> cosines(units.count());
  others.reserve(units.count());
  for (std::size_t i = 0; i < units.count(); ++i) {
    if (i == asking) continue;
    cosines[i] = inner(units[asking], units[i]);
    others.push_back(i);
  }
  const auto kept = others.begin() + std::min(std::ssize(others), std::ptrdiff_t{kRanks});
  std::partial_sort(others.begin(), kept, others.end(), [&](std::size_t a, std::size_t b) {
    return cosines[a] != cosines[b] ? cosines[a] > cosines[b] : a < b;
  });
  others.erase(kept, others.end());
  return others;
}

/// What the unbiased estimator needs of one list: the kernel of inner products, with zeros on its
/// diagonal, is never made.
struct Kernel {
  explicit Kernel(Vectors vectors) : own(vectors.count()), rows(vectors.count()) {
    const std::vector<double> sum = sum_of(vectors);
    for (std::size_t i = 0; i < vectors.count(); ++i) {
      own[i] = inner(vectors[i], vectors[i]);
      rows[i] = inner(vectors[i], sum) - own[i];
      total += rows[i];
    }
  }

  std::vector<double> own;   // what stood on the diagonal
  std::vector<double> rows;  // sums of the rows
  double total = 0;
};

/// Sum of the products of all entries of two kernels: |A^T B|^2 less the diagonals'.
double product(Vectors a, const Kernel& of_a, Vectors b, const Kernel& of_b) {
  std::vector<double> cross(a.width * b.width, 0.0);
  for (std::size_t i = 0; i < a.count(); ++i)
    for (std::size_t d = 0; d < a.width; ++d)
      for (std::size_t e = 0; e < b.width; ++e) cross[d * b.width + e] += a[i][d] * b[i][e];
  return inner(cross, cross) - inner(of_a.own, of_b.own);
}

/// The unbiased estimator of HSIC, times n (n - 3), which a ratio of three of them does not need.
double hsic(Vectors a, const Kernel& of_a, Vectors b, const Kernel& of_b) {
  const auto n = static_cast<double>(a.count());
  return product(a, of_a, b, of_b) + of_a.total * of_b.total / ((n - 1) * (n - 2)) -
         2 / (n - 2) * inner(of_a.rows, of_b.rows);
}

}  // namespace

std::vector<double> unit_vectors(Vectors vectors) {
  std::vector<double> units(vectors.values.begin(), vectors.values.end());
  for (std::size_t i = 0; i < vectors.count(); ++i) {
    const double length = std::sqrt(inner(vectors[i], vectors[i]));
    if (!(length > 0)) continue;
    for (std::size_t d = 0; d < vectors.width; ++d) units[i * vectors.width + d] /= length;
  }
  return units;
}

std::vector<double> centred(Vectors vectors) {
  std::vector<double> values(vectors.values.begin(), vectors.values.end());
  const std::vector<double> sum = sum_of(vectors);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] -= sum[i % vectors.width] / static_cast<double>(vectors.count());
  return values;
}

double anisotropy(Vectors vectors) {
  const auto n = static_cast<double>(vectors.count());
  if (n < 2) return kUndefined;
  const std::vector<double> values = unit_vectors(vectors);
  const Vectors units{values, vectors.width};
  const std::vector<double> sum = sum_of(units);
  double own = 0;  // of the pairs of a vector with itself
  for (std::size_t i = 0; i < units.count(); ++i) own += inner(units[i], units[i]);
  return (inner(sum, sum) - own) / (n * (n - 1));
}

double alignment(Vectors units, std::span<const std::int32_t> labels) {
  double sum = 0, pairs = 0;
  for (std::size_t i = 0; i < units.count(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (labels[i] == labels[j]) {
        sum += squared_distance(units[i], units[j]);
        ++pairs;
      }
  return pairs > 0 ? sum / pairs : kUndefined;
}

double uniformity(Vectors units) {
  double sum = 0, pairs = 0;
  for (std::size_t i = 0; i < units.count(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      sum += std::exp(-2 * squared_distance(units[i], units[j]));
      ++pairs;
    }
  return pairs > 0 ? std::log(sum / pairs) : kUndefined;
}

Retrieval retrieval(Vectors units, std::span<const std::int32_t> labels) {
  Retrieval sum;
  for (std::size_t i = 0; i < units.count(); ++i) {
    const auto relevant = std::ranges::count(labels, labels[i]) - 1;
    if (relevant == 0) continue;
    ++sum.questions;
    const std::vector<std::size_t> found = most_similar(units, i);
    std::size_t first = kRanks;
    double gained = 0, possible = 0;
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
      if (static_cast<std::ptrdiff_t>(rank) < relevant) possible += gain(rank);
      if (labels[found[rank]] != labels[i]) continue;
      gained += gain(rank);
      first = std::min(first, rank);
    }
    sum.recall_at_1 += first < 1;
    sum.recall_at_5 += first < 5;
    sum.recall_at_10 += first < 10;
    sum.ndcg_at_10 += gained / possible;
  }
  const auto questions = static_cast<double>(sum.questions);
  for (double* mean : {&sum.recall_at_1, &sum.recall_at_5, &sum.recall_at_10, &sum.ndcg_at_10})
    *mean = questions > 0 ? *mean / questions : kUndefined;
  return sum;
}

double linear_cka(Vectors a, Vectors b) {
  if (a.count() < 4) return kUndefined;
  // Centred first, which changes nothing but how much of the sums cancels.
  const std::vector<double> of_a = centred(a), of_b = centred(b);
  const Vectors x{of_a, a.width}, y{of_b, b.width};
  const Kernel kernel_x(x), kernel_y(y);
  const double xx = hsic(x, kernel_x, x, kernel_x), yy = hsic(y, kernel_y, y, kernel_y);
  if (!(xx > 0 && yy > 0)) return kUndefined;
  return hsic(x, kernel_x, y, kernel_y) / std::sqrt(xx * yy);
}

std::vector<double> centred_kernel(Vectors vectors) {
  const std::vector<double> values = centred(vectors);
  const Vectors all{values, vectors.width};
  const Kernel kernel(all);
  const auto n = static_cast<double>(all.count());
  std::vector<double> entries;
  entries.reserve(all.count() * (all.count() - 1) / 2);
  for (std::size_t i = 0; i < all.count(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      entries.push_back(inner(all[i], all[j]) - (kernel.rows[i] + kernel.rows[j]) / (n - 2) +
                        kernel.total / ((n - 1) * (n - 2)));
  return entries;
}

}  // namespace ablate::probes
