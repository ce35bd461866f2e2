// The cost of a linear model and its gradient, where fitting spends its time. CMakeLists.txt sets
// the options with which the compiler vectorises the loops.

#include <algorithm>
#include <cmath>

#include "harness/base/clones.h"
#include "harness/probes/linear/logistic_cost.h"
#include "harness/probes/linear/logistic_regression.h"

namespace ablate::probes {
namespace {

// Classes are padded to a multiple of four, with columns that no row belongs to.
constexpr std::int64_t kFour = 4;

/// logs [fours] = row [width] times weights [width + 1, fours], the intercepts last.
ABLATE_CLONES void products(const double* __restrict row, std::int64_t width,
                            const double* __restrict weights, std::int64_t fours,
                            double* __restrict logs) {
  for (std::int64_t c = 0; c < fours; c += kFour) {
    double even[kFour] = {}, odd[kFour] = {};  // two independent sums, for parallelism
    std::int64_t d = 0;
    for (; d + 2 <= width; d += 2)
      for (std::int64_t i = 0; i < kFour; ++i) {
        even[i] += row[d] * weights[d * fours + c + i];
        odd[i] += row[d + 1] * weights[(d + 1) * fours + c + i];
      }
    for (; d < width; ++d)
      for (std::int64_t i = 0; i < kFour; ++i) even[i] += row[d] * weights[d * fours + c + i];
    for (std::int64_t i = 0; i < kFour; ++i)
      logs[c + i] = even[i] + odd[i] + weights[width * fours + c + i];
  }
}

/// Adds row [width] times errors [fours] to derivatives [width + 1, fours].
ABLATE_CLONES void add_derivatives(const double* __restrict row, std::int64_t width,
                                   const double* __restrict errors, std::int64_t fours,
                                   double* __restrict derivatives) {
  for (std::int64_t d = 0; d < width; ++d)
    for (std::int64_t c = 0; c < fours; c += kFour)
      for (std::int64_t i = 0; i < kFour; ++i)
        derivatives[d * fours + c + i] += errors[c + i] * row[d];
  for (std::int64_t c = 0; c < fours; ++c) derivatives[width * fours + c] += errors[c];
}

/// Turns logits into probabilities, in place; returns the cost of `label` in nats.
double softmax(std::span<double> logs, std::size_t label) {
  const double maximum = *std::max_element(logs.begin(), logs.end());
  const double given = logs[label] - maximum;
  double sum = 0;
  for (double& log : logs) sum += log = std::exp(log - maximum);
  for (double& probability : logs) probability /= sum;
  return std::log(sum) - given;
}

}  // namespace

double penalised_cost(const LogisticModel& model, const Observations& rows, double penalty,
                      std::span<double> gradient) {
  const auto classes = static_cast<std::size_t>(model.classes);
  const std::int64_t width = rows.width, fours = (model.classes + kFour - 1) / kFour * kFour;
  const auto wide = static_cast<std::size_t>(fours), lines = static_cast<std::size_t>(width) + 1;
  std::vector<double> weights(lines * wide), derivatives(lines * wide), errors(wide);
  for (std::size_t line = 0; line < lines; ++line)
    std::copy_n(&model.weights[line * classes], classes, &weights[line * wide]);
  const double row_weight = 1 / static_cast<double>(rows.count());
  double cost = 0;
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    const double* row = rows.features.data() + i * width;
    const auto label = static_cast<std::size_t>(rows.labels[static_cast<std::size_t>(i)]);
    products(row, width, weights.data(), fours, errors.data());
    cost += softmax(std::span(errors).first(classes), label) * row_weight;
    for (std::size_t c = 0; c < classes; ++c) errors[c] *= row_weight;
    errors[label] -= row_weight;
    std::fill(errors.begin() + static_cast<std::ptrdiff_t>(classes), errors.end(), 0.0);
    add_derivatives(row, width, errors.data(), fours, derivatives.data());
  }
  for (std::size_t line = 0; line < lines; ++line)
    for (std::size_t c = 0; c < classes; ++c) {
      const double weight = model.weights[line * classes + c];
      const double own_penalty = line + 1 < lines ? penalty : 0;  // intercepts have none
      cost += 0.5 * own_penalty * weight * weight;
      gradient[line * classes + c] += derivatives[line * wide + c] + own_penalty * weight;
    }
  return cost;
}

}  // namespace ablate::probes
