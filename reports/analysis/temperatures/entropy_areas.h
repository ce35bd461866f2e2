// How much better one arm's generated text is than the baseline's at equal entropy, over all entropies
// that both reach.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/temperatures/entropy_curves.h"

namespace ablate::reports {

/// The area between the curves of an arm and of the baseline, each drawn by seed as straight lines
/// between its temperatures, over the range of entropy that both have. Positive where the arm's values
/// are the higher ones. Paired by seed: values are by the arm's seeds, and there is none for a seed
/// without the other curve, without a common range, or whose entropy does not rise with every
/// temperature.
struct EntropyArea {
  const MetricRow* metric = nullptr;
  const ArmResult* arm = nullptr;
  const ArmResult* baseline = nullptr;
  std::string sampler, baseline_sampler;  // empty where there is but one
  double from = 0, to = 0;                // of the range, nats: means over the seeds
  Estimate area;                          // nats times the metric's unit
  Estimate mean_difference;               // the area over the width of the range: the metric's unit
};

/// The areas of all curves of arms that may be compared with the baseline: with its curve of the same
/// sampler, or else with its first. Areas without values are left out. The result points into what the
/// curves point into.
std::vector<EntropyArea> entropy_areas(const std::vector<EntropyCurve>& curves);

}  // namespace ablate::reports
