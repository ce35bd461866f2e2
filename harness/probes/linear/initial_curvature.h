// The curvature from which the fit of a linear model starts. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/probes/linear/logistic_regression.h"

namespace ablate::probes {

/// The second derivative of the penalised cost where all classes are equally probable, X'X / (rows *
/// classes) + penalty, the same for every class. X: the features and the 1 of the intercept, which has
/// no penalty. It is exact for weights of 0, and in the directions of features that vary together it
/// stays of the right order elsewhere, which is what makes fits to correlated features slow without it.
/// Where there are fewer rows than features, only its diagonal counts: factoring would take longer than
/// it saves. Source: Böhning 1992, Ann. Inst. Statist. Math. 44, section 2 (a bound of the same form).
class InitialCurvature {
 public:
  /// Requires: `products` are those of the rows that the model is fitted to.
  InitialCurvature(const FeatureProducts& products, std::int64_t classes, double penalty);

  /// Its inverse times a gradient, [width + 1, classes].
  std::vector<double> solve(std::span<const double> gradient) const;

 private:
  std::size_t size_;            // width + 1
  bool dense_;                  // or diagonal
  std::vector<double> factor_;  // lower triangle of Cholesky, [size, size]; inverse on the diagonal
};

}  // namespace ablate::probes
