// The cost of a linear model, its gradient and its score, where fitting spends its time. CMakeLists.txt sets
// the options with which the compiler vectorises the loops.

#include <algorithm>
#include <bit>
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

/// exp(x) of x <= 0 to a few units in the last place, that of -708 at least; the same on every processor.
/// Unlike the C library's, it is vectorised in a loop.
inline double exp_of_negative(double x) {
  constexpr double kLog2 = 0.693147180369123816490, kRest = 1.90821492927058770002e-10;  // ln 2
  constexpr double kShift = 0x1.8p52;  // adding it rounds to an integer, in the low bits
  const double bounded = x < -708 ? -708 : x;
  const double shifted = bounded * 1.44269504088896340736 + kShift;
  const double twos = shifted - kShift;
  const double r = (bounded - twos * kLog2) - twos * kRest;  // in [-ln 2 / 2, ln 2 / 2]
  double sum = 1.0 / 6227020800;
  for (const double factorial : {479001600.0, 39916800.0, 3628800.0, 362880.0, 40320.0, 5040.0,
                                 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0})
    sum = sum * r + 1 / factorial;
  const auto exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) + exponent);
}

/// Turns `count` logits, padding included, into exp(logit - maximum).
ABLATE_CLONES void exponentials(double* __restrict logs, double maximum, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) logs[i] = exp_of_negative(logs[i] - maximum);
}

/// What a row is to be given: one class, or probabilities of all.
class Wanted {
 public:
  Wanted(const Observations& rows, std::size_t row, std::size_t classes)
      : label_(static_cast<std::size_t>(rows.labels[row])),
        all_(rows.probabilities.empty() ? nullptr : &rows.probabilities[row * classes]) {}

  /// Its mean over the classes that are wanted.
  double mean(std::span<const double> logs) const {
    if (all_ == nullptr) return logs[label_];
    double sum = 0;
    for (std::size_t c = 0; c < logs.size(); ++c) sum += all_[c] * logs[c];
    return sum;
  }

  /// errors -= weight times what is wanted.
  void subtract(double weight, std::span<double> errors) const {
    if (all_ == nullptr) {
      errors[label_] -= weight;
      return;
    }
    for (std::size_t c = 0; c < errors.size(); ++c) errors[c] -= weight * all_[c];
  }

 private:
  std::size_t label_;
  const double* all_;
};

/// Turns logits into probabilities, in place; returns the cost of what is wanted in nats. `padded`:
/// entries from the first logit on that may be overwritten.
double softmax(std::span<double> logs, const Wanted& wanted, std::size_t padded) {
  const double maximum = *std::max_element(logs.begin(), logs.end());
  const double given = wanted.mean(logs) - maximum;
  exponentials(logs.data(), maximum, static_cast<std::int64_t>(padded));
  double sum = 0;
  for (const double exponential : logs) sum += exponential;
  for (double& probability : logs) probability /= sum;
  return std::log(sum) - given;
}

/// A model whose classes are padded.
class PaddedModel {
 public:
  PaddedModel(const LogisticModel& model, std::int64_t width)
      : width_(width),
        classes_(static_cast<std::size_t>(model.classes)),
        fours_((model.classes + kFour - 1) / kFour * kFour),
        weights_(static_cast<std::size_t>((width + 1) * fours_)) {
    for (std::size_t line = 0; line * classes_ < model.weights.size(); ++line)
      std::copy_n(&model.weights[line * classes_], classes_, &weights_[line * padded()]);
  }

  /// Calls each(i, four, count, logits) for every four rows from row i on: their features [4, width], of
  /// which the first `count` are rows and the others 0, and their logits [4, padded].
  template <typename Each>
  void for_fours(const Observations& rows, const Each& each) const {
    const auto width = static_cast<std::size_t>(width_);
    const auto count = static_cast<std::size_t>(rows.count());
    std::vector<double> logs(kFour * padded()), last(kFour * width);
    for (std::size_t i = 0; i < count; i += kFour) {
      const std::size_t some = std::min<std::size_t>(kFour, count - i);
      if (some < kFour) std::copy_n(&rows.features[i * width], some * width, last.begin());
      const double* const four = some < kFour ? last.data() : &rows.features[i * width];
      products(four, width_, weights_.data(), fours_, logs.data());
      each(i, four, some, std::span(logs));
    }
  }

  std::size_t padded() const { return static_cast<std::size_t>(fours_); }

 private:
  std::int64_t width_;
  std::size_t classes_;
  std::int64_t fours_;
  std::vector<double> weights_;  // [width + 1, fours]
};

}  // namespace

double penalised_cost(const LogisticModel& model, const Observations& rows, double penalty,
                      std::span<double> gradient) {
  const auto classes = static_cast<std::size_t>(model.classes);
  const auto width = static_cast<std::size_t>(rows.width);
  const PaddedModel weights(model, rows.width);
  const std::size_t padded = weights.padded();
  std::vector<double> derivatives((width + 1) * padded);
  const double weight = 1 / static_cast<double>(rows.count());
  double cost = 0;
  weights.for_fours(
      rows, [&](std::size_t i, const double* four, std::size_t count, std::span<double> errors) {
        for (std::size_t row = 0; row < kFour; ++row) {
          const std::span<double> own = errors.subspan(row * padded, padded);
          const std::size_t scored = row < count ? classes : 0;
          if (scored > 0) {
            const Wanted wanted(rows, i + row, classes);
            cost += softmax(own.first(classes), wanted, padded) * weight;
            for (std::size_t c = 0; c < classes; ++c) own[c] *= weight;
            wanted.subtract(weight, own.first(classes));
          }
          std::fill(own.begin() + static_cast<std::ptrdiff_t>(scored), own.end(), 0.0);
        }
        add_derivatives(four, rows.width, errors.data(), static_cast<std::int64_t>(padded),
                        derivatives.data());
      });
  for (std::size_t line = 0; line <= width; ++line)
    for (std::size_t c = 0; c < classes; ++c) {
      const double own = model.weights[line * classes + c];
      const double own_penalty = line < width ? penalty : 0;  // intercepts have none
      cost += 0.5 * own_penalty * own * own;
      gradient[line * classes + c] += derivatives[line * padded + c] + own_penalty * own;
    }
  return cost;
}

Fit score(const LogisticModel& model, const Observations& rows) {
  Fit fit;
  const auto classes = static_cast<std::ptrdiff_t>(model.classes);
  const PaddedModel weights(model, rows.width);
  const std::size_t padded = weights.padded();
  weights.for_fours(rows, [&](std::size_t i, const double*, std::size_t count,
                              std::span<double> logs) {
    for (std::size_t row = 0; row < count; ++row) {
      const Wanted wanted(rows, i + row, static_cast<std::size_t>(classes));
      const std::span<double> own = logs.subspan(row * padded, padded);
      const auto named = std::max_element(own.begin(), own.begin() + classes) - own.begin();
      fit.named.push_back(static_cast<std::int32_t>(named));
      if (named == rows.labels[i + row]) ++fit.accuracy;
      fit.costs.push_back(softmax(own.first(static_cast<std::size_t>(classes)), wanted, padded));
      fit.cost += fit.costs.back();
    }
  });
  fit.accuracy /= static_cast<double>(rows.count());
  fit.cost /= static_cast<double>(rows.count());
  return fit;
}

}  // namespace ablate::probes
