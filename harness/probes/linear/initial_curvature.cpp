// Sums products of features, and factors them. CMakeLists.txt sets the options with which the compiler
// vectorises the loops.

#include "harness/probes/linear/initial_curvature.h"

#include <algorithm>
#include <cmath>

#include "harness/base/clones.h"

namespace ablate::probes {
namespace {

// Rows whose products are added at once, so that a sum is loaded and stored once for all of them.
constexpr std::size_t kRowsAdded = 4;

/// Adds the products of features of four rows [4, size] to the lower triangle of sums [size, size].
ABLATE_CLONES void add_products(const double* __restrict rows, std::size_t size,
                                double* __restrict sums) {
  const double* __restrict first = rows;
  const double* __restrict second = rows + size;
  const double* __restrict third = rows + 2 * size;
  const double* __restrict fourth = rows + 3 * size;
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b <= a; ++b)
      sums[a * size + b] += (first[a] * first[b] + second[a] * second[b]) +
                            (third[a] * third[b] + fourth[a] * fourth[b]);
}

/// to [count] -= factor times from [count].
ABLATE_CLONES void subtract(double* __restrict to, double factor, const double* __restrict from,
                            std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] -= factor * from[i];
}

}  // namespace

FeatureProducts::FeatureProducts(const Observations& rows)
    : size(static_cast<std::size_t>(rows.width) + 1),
      dense(rows.count() >= rows.width),
      means(dense ? size * size : size) {
  const auto width = size - 1, count = static_cast<std::size_t>(rows.count());
  std::vector<double> some(kRowsAdded * size);  // with the 1 of the intercept, the last ones 0
  for (std::size_t i = 0; i < count; i += kRowsAdded) {
    std::fill(some.begin(), some.end(), 0.0);
    for (std::size_t row = 0; row < std::min(kRowsAdded, count - i); ++row) {
      std::copy_n(&rows.features[(i + row) * width], width, &some[row * size]);
      some[row * size + width] = 1;
    }
    if (dense) {
      add_products(some.data(), size, means.data());
    } else {
      for (std::size_t x = 0; x < some.size(); ++x) means[x % size] += some[x] * some[x];
    }
  }
  for (double& mean : means) mean /= static_cast<double>(count);
}

InitialCurvature::InitialCurvature(const FeatureProducts& products, std::int64_t classes,
                                   double penalty)
    : size_(products.size), dense_(products.dense), factor_(products.means) {
  const std::size_t step = dense_ ? size_ + 1 : 1;  // from one entry of the diagonal to the next
  for (double& entry : factor_) entry /= static_cast<double>(classes);
  for (std::size_t a = 0; a + 1 < size_; ++a) factor_[a * step] += penalty;
  double largest = 0;
  for (std::size_t a = 0; a < size_; ++a) largest = std::max(largest, factor_[a * step]);
  // Rows do not vary along a direction with a smaller pivot; without a penalty it would be 0.
  const double smallest = 1e-10 * largest;
  for (std::size_t a = 0; a < size_; ++a) {
    double* const line = &factor_[a * (dense_ ? size_ : 1)];
    if (dense_)
      for (std::size_t b = 0; b < a; ++b) {
        const double* const other = &factor_[b * size_];
        for (std::size_t k = 0; k < b; ++k) line[b] -= line[k] * other[k];
        line[b] *= other[b];
        line[a] -= line[b] * line[b];
      }
    factor_[a * step] = 1 / std::sqrt(std::max(factor_[a * step], smallest));
  }
}

std::vector<double> InitialCurvature::solve(std::span<const double> gradient) const {
  const std::size_t classes = gradient.size() / size_;
  std::vector<double> solved(gradient.begin(), gradient.end());
  const auto line = [&](std::size_t a) { return &solved[a * classes]; };
  const auto scale = [&](std::size_t a) {
    const double inverse = factor_[dense_ ? a * (size_ + 1) : a];
    for (std::size_t c = 0; c < classes; ++c) line(a)[c] *= inverse;
  };
  for (std::size_t a = 0; a < size_; ++a) {
    for (std::size_t b = 0; dense_ && b < a; ++b)
      subtract(line(a), factor_[a * size_ + b], line(b), classes);
    scale(a);
  }
  for (std::size_t a = size_; a-- > 0;) {
    scale(a);
    for (std::size_t b = 0; dense_ && b < a; ++b)
      subtract(line(b), factor_[a * size_ + b], line(a), classes);
  }
  return solved;
}

}  // namespace ablate::probes
