// Which arms are no better than what needs no training: their differences mean little.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// An arm's primary metric less its floor, in the metric's better direction, by seed: the accuracy
/// of the untrained model, the loss without context. Empty where the metric has no floor.
Estimate above_floor(const Analysis& analysis, const ArmResult& arm);

/// The names of the arms whose primary metric is not above its floor: the 95 % t-interval of what
/// it gains reaches 0. An arm with fewer than two values is not judged.
std::vector<std::string> arms_at_floor(const Analysis& analysis);

/// The sentence about them: "Nothing was learned that topic.accuracy shows: no arm's gain on its
/// floor, topic.untrained, has a 95 % interval above 0. Train longer than 8.06 k tokens of text,
/// ..." It says how many seeds would be enough where the values seen allow a forecast. Empty where
/// no arm is at its floor.
std::string floor_sentence(const Analysis& analysis);

}  // namespace ablate::reports
