#include "harness/probes/reading_times/surprisal_gain.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linalg_lstsq.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/base/error.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kFolds = 10;

/// A column of the predictors, [word], with mean 0 and variance 1; 0 where it does not vary.
at::Tensor standardised(const at::Tensor& column) {
  const at::Tensor centred = column - column.mean();
  const double deviation = centred.square().mean().sqrt().item<double>();
  return deviation > 0 ? centred / deviation : centred;
}

template <class Of>
at::Tensor column_of(std::span<const ReadWord> words, const Of& of) {
  std::vector<double> values;
  values.reserve(words.size());
  for (const ReadWord& word : words) values.push_back(of(word));
  return at::tensor(values, at::kDouble);
}

/// What is known without a model: a constant, the three predictors and their products, [word, 7].
at::Tensor baseline_of(std::span<const ReadWord> words) {
  const at::Tensor length =
      standardised(column_of(words, [](const ReadWord& word) { return word.characters; }));
  const at::Tensor rarity =
      standardised(column_of(words, [](const ReadWord& word) { return word.rarity; }));
  const at::Tensor position =
      standardised(column_of(words, [](const ReadWord& word) { return word.position; }));
  return at::stack({at::ones_like(length), length, rarity, position, length * rarity,
                    length * position, rarity * position},
                   1);
}

/// A linear regression with normal errors.
struct Regression {
  at::Tensor weights;   // [predictor, 1]
  double variance = 1;  // of the errors
};

/// The least squares of smallest norm, so that predictors which say the same do no harm. `minimum`:
/// below which no variance of errors is believed.
Regression fitted(const at::Tensor& predictors, const at::Tensor& times, double minimum) {
  const at::Tensor weights = std::get<0>(
      at::linalg_lstsq(predictors, times.unsqueeze(1), /*rcond=*/1e-10, /*driver=*/"gelsd"));
  const at::Tensor errors = times - at::matmul(predictors, weights).squeeze(1);
  return {weights, std::max(minimum, errors.square().mean().item<double>())};
}

double explained(const at::Tensor& predictors, const at::Tensor& times) {
  const double all = (times - times.mean()).square().mean().item<double>();
  return 1 - fitted(predictors, times, 0).variance / all;
}

/// The log-density of each time under the regression on the others, [word].
at::Tensor held_out_densities(const at::Tensor& predictors, const at::Tensor& times) {
  const std::int64_t words = times.size(0);
  const double minimum = 1e-9 * times.var().item<double>();
  std::vector<at::Tensor> densities;
  densities.reserve(kFolds);
  for (std::int64_t fold = 0; fold < kFolds; ++fold) {
    const std::int64_t first = fold * words / kFolds, last = (fold + 1) * words / kFolds;
    const auto others = [&](const at::Tensor& all) {
      return at::cat({all.narrow(0, 0, first), all.narrow(0, last, words - last)});
    };
    const Regression known = fitted(others(predictors), others(times), minimum);
    const at::Tensor errors =
        times.narrow(0, first, last - first) -
        at::matmul(predictors.narrow(0, first, last - first), known.weights).squeeze(1);
    densities.push_back(-0.5 * (errors.square() / known.variance +
                                std::log(2 * std::numbers::pi * known.variance)));
  }
  return at::cat(densities);
}

}  // namespace

SurprisalGain surprisal_gain(std::span<const ReadWord> words) {
  if (words.size() < kFewestWords)
    reject("reading_times: {} words are too few for a regression; give at least {}", words.size(),
           kFewestWords);
  const at::Tensor times = column_of(words, [](const ReadWord& word) { return word.time; });
  if (!((times - times.mean()).abs().max().item<double>() > 0))
    reject("reading_times: all times are equal, so that nothing explains them");
  const at::Tensor baseline = baseline_of(words);
  const at::Tensor surprisal =
      standardised(column_of(words, [](const ReadWord& word) { return word.surprisal; }));
  const at::Tensor with = at::cat({baseline, surprisal.unsqueeze(1)}, 1);
  const at::Tensor gains =
      (held_out_densities(with, times) - held_out_densities(baseline, times)).contiguous();
  return {.r2 = explained(with, times),
          .baseline_r2 = explained(baseline, times),
          .by_word = {gains.data_ptr<double>(), gains.data_ptr<double>() + gains.numel()}};
}

}  // namespace ablate::probes
