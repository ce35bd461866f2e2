// The quality of generated text by the entropy of its tokens, which temperature moves.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// What was drawn at a temperature, over seeds.
struct EntropyPoint {
  double temperature = 0;
  double entropy = 0;  // the mean over the seeds with a value, nats
  Estimate quality;    // by the arm's seeds
};

/// The curve of one arm and one of its samplers.
struct EntropyCurve {
  const MetricRow* metric = nullptr;
  const ArmResult* arm = nullptr;
  std::string sampler;               // empty where the arm has but one
  std::vector<EntropyPoint> points;  // ascending in temperature, at least two
};

/// The curves of all arms, by metric, arm and sampler, at the temperatures that every seed drew at.
/// The result points into the analysis.
std::vector<EntropyCurve> entropy_curves(const Analysis& analysis);

/// The curve of the metric and sampler that a trial stored; null where it has none or did not complete.
const store::TemperatureCurve* stored_curve(const store::TrialRecord& trial,
                                            const EntropyCurve& curve);

}  // namespace ablate::reports
