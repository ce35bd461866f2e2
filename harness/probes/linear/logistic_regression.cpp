// Multinomial logistic regression by limited-memory BFGS with a backtracking line search, in
// double.

#include "harness/probes/linear/logistic_regression.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "harness/base/error.h"
#include "harness/probes/linear/initial_curvature.h"
#include "harness/probes/linear/logistic_cost.h"

namespace ablate::probes {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add_scaled(Vector& to, double factor, const Vector& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

double largest(const Vector& v) {
  double maximum = 0;
  for (const double x : v) maximum = std::max(maximum, std::abs(x));
  return maximum;
}

std::span<const double> row_of(const Observations& rows, std::int64_t i) {
  const auto width = static_cast<std::size_t>(rows.width);
  return std::span(rows.features).subspan(static_cast<std::size_t>(i) * width, width);
}

/// The initial curvature and the last few steps, as an estimate of the curvature.
class Curvature {
 public:
  explicit Curvature(InitialCurvature initial) : initial_(std::move(initial)) {}

  void remember(Vector step, Vector change) {
    const double product = dot(step, change);
    if (product <= 1e-12 * dot(change, change)) return;  // rounding error: carries no information
    scale_ = product / dot(change, initial_.solve(change));
    if (pairs_.size() == kMemory) pairs_.pop_front();
    pairs_.push_back({std::move(step), std::move(change), 1 / product});
  }

  /// The quasi-Newton direction of descent for a gradient: the two-loop recursion.
  Vector direction(const Vector& gradient) const {
    Vector result = gradient;
    std::vector<double> coefficients(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      coefficients[i] = pairs_[i].inverse * dot(pairs_[i].step, result);
      add_scaled(result, -coefficients[i], pairs_[i].change);
    }
    result = initial_.solve(result);
    for (double& x : result) x *= -scale_;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      add_scaled(result, -coefficients[i] - pairs_[i].inverse * dot(pairs_[i].change, result),
                 pairs_[i].step);
    return result;
  }

 private:
  static constexpr std::size_t kMemory = 10;
  struct Pair {
    Vector step, change;
    double inverse;  // 1 / (step . change)
  };
  InitialCurvature initial_;
  double scale_ = 1;  // of its inverse, as the last step found it
  std::deque<Pair> pairs_;
};

}  // namespace

Standardiser::Standardiser(const Observations& fitted)
    : mean_(static_cast<std::size_t>(fitted.width)), scale_(mean_.size()) {
  const auto count = static_cast<double>(fitted.count());
  for (std::int64_t i = 0; i < fitted.count(); ++i)
    for (std::size_t d = 0; d < mean_.size(); ++d) mean_[d] += row_of(fitted, i)[d] / count;
  Vector variance(mean_.size());
  for (std::int64_t i = 0; i < fitted.count(); ++i)
    for (std::size_t d = 0; d < mean_.size(); ++d) {
      const double off = row_of(fitted, i)[d] - mean_[d];
      variance[d] += off * off / count;
    }
  for (std::size_t d = 0; d < mean_.size(); ++d) {
    const double deviation = std::sqrt(variance[d]);
    const bool varies = deviation > 1e-10 * std::max(1e-20, std::abs(mean_[d]));
    scale_[d] = varies ? 1 / deviation : 0;
  }
}

void Standardiser::apply(Observations& rows) const {
  for (auto row = rows.features.begin(); row != rows.features.end(); row += rows.width)
    for (std::size_t d = 0; d < mean_.size(); ++d) {
      double& feature = row[static_cast<std::ptrdiff_t>(d)];
      feature = (feature - mean_[d]) * scale_[d];
    }
}

std::vector<double> LogisticModel::log_probabilities(std::span<const double> row) const {
  const double* weight = weights.data() + row.size() * static_cast<std::size_t>(classes);
  Vector logs(weight, weight + classes);  // the intercepts
  weight = weights.data();
  for (const double x : row)
    for (double& log : logs) log += *weight++ * x;
  const double maximum = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - maximum);
  const double normaliser = maximum + std::log(sum);
  for (double& log : logs) log -= normaliser;
  return logs;
}

void LogisticFit::minimise(LogisticModel& model, double penalty, double tolerance,
                           const Settled& settled) const {
  constexpr int kMaxSteps = 1000, kMaxHalvings = 40;
  Curvature curvature({products_, model.classes, penalty});
  Vector gradient(model.weights.size());
  double cost = penalised_cost(model, rows_, penalty, gradient);
  if (!std::isfinite(cost)) fail("classification: features are not finite; the model has diverged");
  for (int step = 0; step < kMaxSteps && largest(gradient) > tolerance; ++step) {
    const Vector direction = curvature.direction(gradient);
    const double derivative = dot(direction, gradient);
    LogisticModel next = model;
    Vector next_gradient(gradient.size());
    double next_cost = cost, size = 1;
    for (int halving = 0;; ++halving, size /= 2) {
      if (halving == kMaxHalvings) return;  // rounding prevents a further decrease
      next.weights = model.weights;
      add_scaled(next.weights, size, direction);
      std::fill(next_gradient.begin(), next_gradient.end(), 0.0);
      next_cost = penalised_cost(next, rows_, penalty, next_gradient);
      if (next_cost <= cost + 1e-4 * size * derivative) break;  // Armijo
    }
    Vector moved = next.weights, change = next_gradient;
    add_scaled(moved, -1, model.weights);
    add_scaled(change, -1, gradient);
    curvature.remember(std::move(moved), std::move(change));
    model = std::move(next);
    gradient = std::move(next_gradient);
    cost = next_cost;
    if (settled && settled(model)) return;
  }
}

void minimise(LogisticModel& model, const Observations& rows, double penalty, double tolerance) {
  LogisticFit(rows).minimise(model, penalty, tolerance);
}

}  // namespace ablate::probes
