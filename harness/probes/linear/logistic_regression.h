// Regularised multinomial logistic regression: the linear model of the classification probe.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ablate::probes {

/// Rows of features, each with a class.
struct Observations {
  std::int64_t width = 0;
  std::vector<double> features;      // [count, width]
  std::vector<std::int32_t> labels;  // [count], in [0, classes)

  /// [count, classes]: how probable each class is of each row, summing to 1, where a model is to give
  /// these probabilities; its cost is then the cross-entropy. Empty: it is to name the labels.
  std::vector<double> probabilities = {};

  /// The number of rows.
  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

/// Shifts and scales features to mean 0 and standard deviation 1, as measured on one set of rows,
/// so that one penalty suits every layer. A constant feature becomes 0.
class Standardiser {
 public:
  /// Measures mean and standard deviation of each feature on `fitted`.
  explicit Standardiser(const Observations& fitted);

  /// Standardises rows in place. Requires: rows of the same width.
  void apply(Observations& rows) const;

 private:
  std::vector<double> mean_;
  std::vector<double> scale_;
};

/// A linear model of the logits of each class.
struct LogisticModel {
  std::int64_t width = 0;
  std::int64_t classes = 0;
  std::vector<double> weights;  // [width + 1, classes], the intercepts last

  /// A model with all weights 0, for rows of `features` features and `labels` classes.
  LogisticModel(std::int64_t features, std::int64_t labels)
      : width(features),
        classes(labels),
        weights(static_cast<std::size_t>(labels * (features + 1)), 0.0) {}

  /// log P(class | row), [classes].
  std::vector<double> log_probabilities(std::span<const double> row) const;
};

/// How well a model fits rows.
struct Fit {
  double accuracy = 0;  // fraction of rows classified correctly; the first of equal classes counts
  double cost = 0;      // nats per row
  std::vector<std::int32_t> named;  // the class of each row
  std::vector<double> costs;        // nats of each row
};

/// The accuracy and cost of the model on rows.
Fit score(const LogisticModel& model, const Observations& rows);

/// The mean products of two features each, with the 1 of the intercept as the last feature.
struct FeatureProducts {
  std::size_t size = 0;       // width + 1
  bool dense = false;         // or the squares alone, where there are fewer rows than features
  std::vector<double> means;  // [size, size], the lower triangle; or [size]

  explicit FeatureProducts(const Observations& rows);
};

/// Fits models to the same rows, with one penalty after the other. Requires: the rows outlive it.
class LogisticFit {
 public:
  /// Whether a fit may stop before the minimum. Asked for the model after each step.
  using Settled = std::function<bool(const LogisticModel&)>;

  explicit LogisticFit(const Observations& rows) : rows_(rows), products_(rows) {}

  /// Moves `model` to the minimum of the penalised cost. The problem is convex, so the starting point
  /// affects only the time. Stops when no entry of the gradient is above `tolerance`, when `settled`,
  /// when rounding prevents progress, or after 1000 steps. Throws std::runtime_error where the features
  /// are not finite. Source: Nocedal 1980, Math. Comp. 35, the limited-memory BFGS method, whose initial
  /// matrix is here the inverse of InitialCurvature, scaled by the last step.
  void minimise(LogisticModel& model, double penalty, double tolerance,
                const Settled& settled = {}) const;

 private:
  const Observations& rows_;
  FeatureProducts products_;
};

/// The same with one penalty.
void minimise(LogisticModel& model, const Observations& rows, double penalty,
              double tolerance = 1e-5);

}  // namespace ablate::probes
