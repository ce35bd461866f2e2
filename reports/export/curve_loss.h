// The losses of a training curve, as exports write them.

#pragma once

#include <cmath>
#include <optional>

#include "harness/store/index/records.h"

namespace ablate::reports {

/// The loss of a point of the trial's curve, in nats per target; none where nothing was scored since
/// the point before it. A loss that was not a number ends a trial: only the last point of one that
/// diverged can have it.
inline std::optional<double> curve_loss(const store::TrialRecord& trial,
                                        const store::CurvePoint& point) {
  const bool fatal = trial.outcome == "diverged" && point.step == trial.curve.back().step;
  return std::isnan(point.loss) && !fatal ? std::nullopt : std::optional(point.loss);
}

}  // namespace ablate::reports
