// Linear probes of features that vary together, as hidden states do, at the shapes of the quick start:
// tokens of twelve states, and documents of four topics. No network is run.
//
//   fit/tokens, fit/documents, fit/online_code

#include <benchmark/benchmark.h>

#include <cmath>

#include "harness/base/rng.h"
#include "harness/probes/linear/linear_probe.h"
#include "harness/probes/linear/online_code.h"

namespace ablate::bench {
namespace {

constexpr std::int64_t kFeatures = 64, kShared = 16;

/// A split of one layer.
struct Split {
  probes::LayerFeatures features;
  std::vector<std::int32_t> labels;
};

/// Rows whose features mix a few shared ones, of falling size, one of which each class moves; with noise
/// of a hundredth. `signal`: by how many deviations the class moves it.
Split drawn(std::int64_t rows, std::int32_t classes, double signal, std::uint64_t seed) {
  Split split{.features = {.pooling = "token", .width = kFeatures}};
  for (std::int64_t i = 0; i < rows; ++i) {
    Rng rng = Rng(seed).fork(static_cast<std::uint64_t>(i));
    const auto label = static_cast<std::int32_t>(rng.below(classes));
    split.labels.push_back(label);
    double shared[kShared];
    for (std::int64_t k = 0; k < kShared; ++k)
      shared[k] = (rng.normal() + (k % classes == label ? signal : 0)) / static_cast<double>(k + 1);
    for (std::int64_t d = 0; d < kFeatures; ++d) {
      double feature = 0.01 * rng.normal();
      for (std::int64_t k = 0; k < kShared; ++k)
        feature += std::sin(static_cast<double>((d + 1) * (k + 1))) * shared[k];
      split.features.values.push_back(feature);
    }
  }
  return split;
}

void run_fit(benchmark::State& state, std::int64_t training, std::int64_t development,
             std::int64_t test, std::int32_t classes, double signal,
             std::span<const double> penalties) {
  const Split fitted = drawn(training, classes, signal, 1),
              chosen = drawn(development, classes, signal, 2),
              tested = drawn(test, classes, signal, 3);
  const probes::SplitLabels labels{fitted.labels, chosen.labels, tested.labels, classes};
  double accuracy = 0;
  for (auto _ : state) {
    probes::LayerChoice choice(penalties);
    choice.consider({fitted.features, chosen.features, tested.features}, labels);
    accuracy = choice.best().accuracy;
  }
  state.counters["accuracy"] = accuracy;
}

void fit_tokens(benchmark::State& state) {
  static constexpr double kPenalties[] = {0.01, 0.001};
  run_fit(state, 3000, 1000, 8000, 12, 4, kPenalties);
}

void fit_documents(benchmark::State& state) {
  static constexpr double kPenalties[] = {1, 0.1, 0.01, 0.001, 1e-4};
  run_fit(state, 400, 200, 400, 4, 0.5, kPenalties);
}

void code_documents(benchmark::State& state) {
  constexpr double kPenalties[] = {1, 0.1, 0.01};
  const Split split = drawn(400, 4, 0.5, 1);
  const probes::Observations rows{kFeatures, split.features.values, split.labels};
  for (auto _ : state)
    benchmark::DoNotOptimize(probes::online_compression(rows, 4, kPenalties, Rng(1)));
}

BENCHMARK(fit_tokens)->Name("fit/tokens")->Unit(benchmark::kMillisecond);
BENCHMARK(fit_documents)->Name("fit/documents")->Unit(benchmark::kMillisecond);
BENCHMARK(code_documents)->Name("fit/online_code")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ablate::bench
