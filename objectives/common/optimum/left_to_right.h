// Common parts of objectives that predict a text from left to right: the example, its optimum and
// its floor.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/chain.h"
#include "harness/contract/objective.h"

namespace ablate::objectives {

/// An example without inputs whose targets are all of the text. Begin tokens are unscored, because
/// nothing before them predicts them.
Example left_to_right(const Text& text);

/// The question in the format of left_to_right(): the model reads what is left of the target.
std::vector<Example> continuation(const Cloze& cloze);

/// The example with one more target, `stop`, the only one that is scored.
Example scored_stop(Example example, Token stop);

/// The question whether the document ends after the target; none where more follows.
std::vector<Example> continuation_stop(const Cloze& cloze);

/// The loss of the exact predictor on a left-to-right example, by filtering: the sum over scored
/// tokens t of -log sum_z P(z at t | tokens before t) P(token t | z). Unscored tokens still
/// condition later ones; what the example shows as a mask does not.
Loss left_to_right_optimum(const Chain& language, const Text& text, const Example& example);

/// What that predictor says of each scored token; in the form of ObjectiveSpec::forecasts.
void left_to_right_forecasts(const Chain& language, const Text& text, const Example& example,
                             const TakeForecast& take);

/// The loss of the best predictor without context, in the form of Objective::context_free; see
/// cost_without_context in objectives/common/optimum/hidden_optimum.h.
Loss left_to_right_floor(std::span<const double> unigram, const Text& text, const Example& example);

/// The exact predictor's distribution of upcoming tokens in one segment.
class Forecast {
 public:
  /// Filters `segment` of `text`. Requires: language and text outlive this object.
  Forecast(const Chain& language, const Text& text, const Segment& segment);

  /// P(token at t + further | tokens before t, the document does not end before it), with t counted
  /// within the segment. The chain takes `further` steps without observation. A token is scored
  /// only if its document reaches it, so the best predictor conditions on that.
  double probability(std::size_t t, std::size_t further, Token token) const;

 private:
  const Chain& language_;
  std::size_t size_ = 0;       // composite states
  std::vector<double> known_;  // P(state at t | tokens before t) [time, composite state]
};

}  // namespace ablate::objectives
