#include "reports/analysis/comparisons/layer_similarity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ablate::reports {
namespace {

using Kernel = std::vector<double>;

/// The kernels of a trial's layers, scaled to length 1; none of a trial that was not completed.
std::vector<Kernel> unit_kernels(const store::TrialRecord& trial) {
  if (trial.outcome != "completed") return {};
  std::vector<Kernel> units = trial.kernels;
  for (Kernel& kernel : units) {
    const double length =
        std::sqrt(std::inner_product(kernel.begin(), kernel.end(), kernel.begin(), 0.0));
    for (double& entry : kernel) entry /= length;
  }
  return units;
}

/// The layers of an arm, by trial.
struct ArmLayers {
  const ArmResult* arm = nullptr;
  std::vector<std::vector<Kernel>> by_trial;
  std::size_t layers = 0;  // that any trial has

  explicit ArmLayers(const ArmResult& of) : arm(&of) {
    for (const store::TrialRecord* trial : of.trials) {
      by_trial.push_back(unit_kernels(*trial));
      layers = std::max(layers, by_trial.back().size());
    }
  }

  /// The kernel of a layer with that seed; null where there is none.
  const Kernel* at(std::int64_t seed, std::size_t layer) const {
    const auto found = std::ranges::find_if(
        arm->trials, [&](const store::TrialRecord* trial) { return trial->seed == seed; });
    if (found == arm->trials.end()) return nullptr;
    const auto& kernels = by_trial[static_cast<std::size_t>(found - arm->trials.begin())];
    return layer < kernels.size() && !kernels[layer].empty() ? &kernels[layer] : nullptr;
  }
};

std::optional<double> cka(const Kernel* a, const Kernel* b) {
  if (a == nullptr || b == nullptr || a->size() != b->size()) return std::nullopt;
  const double product = std::inner_product(a->begin(), a->end(), b->begin(), 0.0);
  return std::isfinite(product) ? std::optional(product) : std::nullopt;
}

LayerSimilarity similarity(const ArmLayers& first, std::size_t first_layer, const ArmLayers& second,
                           std::size_t second_layer) {
  std::vector<std::optional<double>> values;
  for (const store::TrialRecord* trial : first.arm->trials)
    values.push_back(cka(first.at(trial->seed, first_layer), second.at(trial->seed, second_layer)));
  return {.first = first.arm,
          .second = second.arm,
          .first_layer = first_layer,
          .second_layer = second_layer,
          .last_layers = first.arm != second.arm && first_layer + 1 == first.layers &&
                         second_layer + 1 == second.layers,
          .over_seeds = estimate(std::move(values))};
}

}  // namespace

std::vector<LayerSimilarity> layer_similarities(const Analysis& analysis) {
  std::vector<ArmLayers> arms;
  for (const ArmResult& arm : analysis.arms) arms.emplace_back(arm);
  std::vector<LayerSimilarity> all;
  for (std::size_t a = 0; a < arms.size(); ++a)
    for (std::size_t b = a; b < arms.size(); ++b) {
      if (arms[a].arm->material != arms[b].arm->material) continue;
      for (std::size_t i = 0; i < arms[a].layers; ++i)
        for (std::size_t j = a == b ? i + 1 : 0; j < arms[b].layers; ++j)
          if (LayerSimilarity one = similarity(arms[a], i, arms[b], j); one.over_seeds.n > 0)
            all.push_back(std::move(one));
    }
  return all;
}

}  // namespace ablate::reports
