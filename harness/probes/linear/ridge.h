// Ridge regression: what a linear map of features says of vectors.

#pragma once

#include <ATen/core/Tensor.h>

#include <span>

namespace ablate::probes {

/// The linear maps, with intercept, from features to vectors that minimise the mean squared error plus a
/// penalty times the sum of squared weights. Features count in units of their standard deviation, so that
/// one penalty suits every layer; constant ones count nothing. All penalties share one decomposition.
/// Source: Hoerl and Kennard 1970, Technometrics 12, equation 2.1.
class Ridge {
 public:
  /// Fits float64 `features` [row, width] to float64 `targets` [row, size]. Throws std::runtime_error
  /// where features are not finite. Requires: as many rows of both, at least two.
  Ridge(const at::Tensor& features, const at::Tensor& targets);

  /// What the map with this penalty (above 0) says of the vectors of rows: [row, size].
  at::Tensor predicted(const at::Tensor& features, double penalty) const;

 private:
  at::Tensor standardised(const at::Tensor& features) const;

  at::Tensor mean_, scale_, target_mean_;
  at::Tensor basis_;      // eigenvectors of the features' correlations, in columns
  at::Tensor spectrum_;   // their eigenvalues
  at::Tensor projected_;  // basis^T features^T targets / rows
};

/// 1 - sum |target - predicted|^2 / sum |target - mean target|^2 over all rows and entries: at most 1, and
/// 0 of the mean. 0 where the targets do not vary.
double r_squared(const at::Tensor& predicted, const at::Tensor& targets);

/// Rows to fit to, to choose by, and to score.
struct RowSplits {
  at::Tensor training, development, test;  // float64 [row, width]
};

/// The map whose penalty says most of the development rows.
struct RidgeChoice {
  double penalty = 0;
  double development = 0;  // r_squared()
  double test = 0;         // r_squared()
  RowSplits predicted;     // of all rows
};

/// Fits to the training rows with each penalty of {1, .1, .01, 1e-3, 1e-4, 1e-5, 1e-6}. Throws as Ridge.
RidgeChoice choose_ridge(const RowSplits& features, const RowSplits& targets);

}  // namespace ablate::probes
