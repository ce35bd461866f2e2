// The training curves of arms over seeds, for those who draw them.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The seeds' training losses at one step.
struct CurveBand {
  std::int64_t step = 0;
  double tokens = 0;  // of text read
  double mean = 0;    // nats per target
  double low = 0;
  double high = 0;
  bool spike = false;  // whether a step since the previous point was one, in any seed
};

/// An arm's curve over seeds, thinned to at most 200 points, the last, and those of spikes, of which
/// more than 200 are not marked: they could not be distinguished in a drawing.
std::vector<CurveBand> curve_bands(const ArmResult& arm);

/// The indices of the arms whose training losses share an axis: those of one objective at one
/// setting.
std::vector<std::vector<std::size_t>> curve_panels(const Analysis& analysis);

/// A reference line for the loss, measured on held-out text.
struct CurveLevel {
  std::string_view label;
  double loss = 0;
  bool floor = false;  // of what sees no context; otherwise the optimum
};

/// The floor and the optimum of an arm, where they were measured; the same for all of a panel.
std::vector<CurveLevel> curve_levels(const ArmResult& arm);

}  // namespace ablate::reports
