// Regularised multinomial logistic regression: the linear model of the classification probe.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ablate::probes {

/// Rows of features with a class each.
struct Observations {
  std::int64_t width = 0;
  std::vector<double> features;      // [count, width]
  std::vector<std::int32_t> labels;  // [count], in [0, classes)

  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

/// Moves and scales features to mean 0 and deviation 1 as measured on one set of rows, so that one
/// penalty suits every layer. A feature that does not vary becomes 0.
class Standardiser {
 public:
  explicit Standardiser(const Observations& fitted);
  void apply(Observations& rows) const;

 private:
  std::vector<double> mean_;
  std::vector<double> scale_;
};

struct LogisticModel {
  std::int64_t width = 0;
  std::int64_t classes = 0;
  std::vector<double> weights;  // [width + 1, classes], the intercepts last

  LogisticModel(std::int64_t features, std::int64_t labels)
      : width(features),
        classes(labels),
        weights(static_cast<std::size_t>(labels * (features + 1)), 0.0) {}

  /// log P(class | row), [classes].
  std::vector<double> log_probabilities(std::span<const double> row) const;
};

struct Fit {
  double accuracy = 0;  // fraction of rows named right; the first of equal classes is named
  double cost = 0;      // nats per row
};

/// How the model does on rows.
Fit score(const LogisticModel& model, const Observations& rows);

/// Moves `model` to the least penalised cost, from wherever it stands: the problem is convex, so
/// the start decides the time alone. Ends when no entry of the gradient is above `tolerance`.
/// Source: Nocedal 1980, Math. Comp. 35, the limited-memory BFGS method.
void minimise(LogisticModel& model, const Observations& rows, double penalty,
              double tolerance = 1e-5);

}  // namespace ablate::probes
