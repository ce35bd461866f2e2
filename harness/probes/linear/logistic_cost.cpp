// The cost of a linear model and its gradient, where fitting spends its time. CMakeLists.txt sets
// the options with which the compiler vectorises the loops.

#include <algorithm>
#include <cmath>

#include "harness/base/clones.h"
#include "harness/probes/linear/logistic_cost.h"
#include "harness/probes/linear/logistic_regression.h"

namespace ablate::probes {
namespace {

// Classes are padded to a multiple of four, with columns that no row belongs to. Four rows are read
// together: each has sums of its own, in the order of one row alone, and a weight is loaded once for
// all of them.
constexpr std::int64_t kFour = 4;

/// Four doubles at any address, in a register where the instruction set has such: loops over them are
/// not reliably kept in registers.
using Four [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;

/// logs [4, fours] = rows [4, width] times weights [width + 1, fours], the intercepts last.
ABLATE_CLONES void products(const double* __restrict rows, std::int64_t width,
                            const double* __restrict weights, std::int64_t fours,
                            double* __restrict logs) {
  for (std::int64_t c = 0; c < fours; c += kFour) {
    Four even[kFour] = {}, odd[kFour] = {};  // two sums of each row, for parallelism
    const double* weight = weights + c;
    std::int64_t d = 0;
    for (; d + 2 <= width; d += 2, weight += 2 * fours)
      for (std::int64_t row = 0; row < kFour; ++row) {
        even[row] += rows[row * width + d] * *reinterpret_cast<const Four*>(weight);
        odd[row] += rows[row * width + d + 1] * *reinterpret_cast<const Four*>(weight + fours);
      }
    for (; d < width; ++d, weight += fours)
      for (std::int64_t row = 0; row < kFour; ++row)
        even[row] += rows[row * width + d] * *reinterpret_cast<const Four*>(weight);
    for (std::int64_t row = 0; row < kFour; ++row)
      *reinterpret_cast<Four*>(logs + row * fours + c) =
          even[row] + odd[row] + *reinterpret_cast<const Four*>(weight);
  }
}

/// Adds rows [4, width] times errors [4, fours] to derivatives [width + 1, fours], row by row.
ABLATE_CLONES void add_derivatives(const double* __restrict rows, std::int64_t width,
                                   const double* __restrict errors, std::int64_t fours,
                                   double* __restrict derivatives) {
  for (std::int64_t d = 0; d < width; ++d)
    for (std::int64_t c = 0; c < fours; c += kFour) {
      double sum[kFour];
      for (std::int64_t i = 0; i < kFour; ++i) sum[i] = derivatives[d * fours + c + i];
      for (std::int64_t row = 0; row < kFour; ++row)
        for (std::int64_t i = 0; i < kFour; ++i)
          sum[i] += errors[row * fours + c + i] * rows[row * width + d];
      for (std::int64_t i = 0; i < kFour; ++i) derivatives[d * fours + c + i] = sum[i];
    }
  for (std::int64_t row = 0; row < kFour; ++row)
    for (std::int64_t c = 0; c < fours; ++c)
      derivatives[width * fours + c] += errors[row * fours + c];
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

/// The sums over rows, whose weights and classes are padded.
class PaddedSums {
 public:
  PaddedSums(const LogisticModel& model, std::int64_t width)
      : width_(width),
        classes_(static_cast<std::size_t>(model.classes)),
        fours_((model.classes + kFour - 1) / kFour * kFour),
        weights_(static_cast<std::size_t>((width + 1) * fours_)),
        derivatives_(weights_.size()),
        errors_(static_cast<std::size_t>(kFour * fours_)) {
    for (std::size_t line = 0; line * classes_ < model.weights.size(); ++line)
      std::copy_n(&model.weights[line * classes_], classes_, &weights_[line * padded()]);
  }

  /// Adds the cost and the gradient of the first `count` of four rows, each of this weight.
  void add(const double* rows, const std::int32_t* labels, std::size_t count, double weight,
           double& cost) {
    products(rows, width_, weights_.data(), fours_, errors_.data());
    for (std::size_t row = 0; row < kFour; ++row) {
      const std::span<double> errors = std::span(errors_).subspan(row * padded(), padded());
      if (row < count) {
        const auto label = static_cast<std::size_t>(labels[row]);
        cost += softmax(errors.first(classes_), label) * weight;
        for (std::size_t c = 0; c < classes_; ++c) errors[c] *= weight;
        errors[label] -= weight;
      }
      const std::size_t own = row < count ? classes_ : 0;
      std::fill(errors.begin() + static_cast<std::ptrdiff_t>(own), errors.end(), 0.0);
    }
    add_derivatives(rows, width_, errors_.data(), fours_, derivatives_.data());
  }

  double derivative(std::size_t line, std::size_t c) const {
    return derivatives_[line * padded() + c];
  }

 private:
  std::size_t padded() const { return static_cast<std::size_t>(fours_); }

  std::int64_t width_;
  std::size_t classes_;
  std::int64_t fours_;
  std::vector<double> weights_, derivatives_;  // [width + 1, fours]
  std::vector<double> errors_;                 // [4, fours]
};

}  // namespace

double penalised_cost(const LogisticModel& model, const Observations& rows, double penalty,
                      std::span<double> gradient) {
  const auto classes = static_cast<std::size_t>(model.classes);
  const auto width = static_cast<std::size_t>(rows.width);
  const auto count = static_cast<std::size_t>(rows.count());
  PaddedSums sums(model, rows.width);
  const double weight = 1 / static_cast<double>(count);
  double cost = 0;
  std::size_t i = 0;
  for (; i + kFour <= count; i += kFour)
    sums.add(&rows.features[i * width], &rows.labels[i], kFour, weight, cost);
  if (i < count) {
    std::vector<double> last(kFour * width);
    std::copy_n(&rows.features[i * width], (count - i) * width, last.begin());
    sums.add(last.data(), &rows.labels[i], count - i, weight, cost);
  }
  for (std::size_t line = 0; line <= width; ++line)
    for (std::size_t c = 0; c < classes; ++c) {
      const double own = model.weights[line * classes + c];
      const double own_penalty = line < width ? penalty : 0;  // intercepts have none
      cost += 0.5 * own_penalty * own * own;
      gradient[line * classes + c] += sums.derivative(line, c) + own_penalty * own;
    }
  return cost;
}

}  // namespace ablate::probes
