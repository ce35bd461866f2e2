// What a trial's samplers draw at several temperatures, as its measurements store it.

#pragma once

#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::store {

/// Texts that were drawn at one temperature.
struct TemperaturePoint {
  double temperature = 0;
  double entropy = 0;  // of their tokens, nats
  double quality = 0;  // the metric of the curve
};

/// The quality of a sampler's texts by the entropy of their tokens.
struct TemperatureCurve {
  std::string metric;                    // such as "quality.judge_loss"
  std::string sampler;                   // empty: the objective's own, and the only one
  std::vector<TemperaturePoint> points;  // ascending in temperature; at least two
};

/// The curves in the details of a measurement: "temperatures" of the probe text_quality, "samplers" of
/// the probe generation, either null where the details have none. Points whose quality is no number
/// are left out, and curves with fewer than two. Throws DamagedFile for anything else.
std::vector<TemperatureCurve> temperature_curves_in(const Json& temperatures, const Json& samplers);

}  // namespace ablate::store
