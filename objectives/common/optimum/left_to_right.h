// What objectives share that predict a text from left to right: the example, its optimum, its
// floor.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/chain.h"
#include "harness/contract/example.h"
#include "harness/contract/loss.h"

namespace ablate::objectives {

/// All of the text as targets, begin tokens unscored: nothing announces them.
Example left_to_right(const Text& text);

/// The loss of the exact predictor of a language on such an example: filtering,
/// -log sum_z P(z at t | tokens before t) P(token t | z), where token t is scored. A token that is
/// not still conditions those after it.
Loss left_to_right_optimum(const Chain& language, const Text& text, const Example& example);

/// The loss of the best predictor without context, as `context_free` of an objective: see
/// cost_without_context in objectives/hidden_optimum.h.
Loss left_to_right_floor(std::span<const double> unigram, const Text& text, const Example& example);

/// What the exact predictor knows of the tokens of one segment before it has read them.
class Forecast {
 public:
  /// Requires: language and text outlive this.
  Forecast(const Chain& language, const Text& text, const Segment& segment);

  /// P(token stands at t + further | tokens before t, the document does not end before it), t in
  /// the segment: the chain moves on `further` times unseen. Such a token is scored only where its
  /// document goes on so far, so the best predictor counts on that.
  double probability(std::size_t t, std::size_t further, Token token) const;

 private:
  const Chain& language_;
  std::size_t size_ = 0;       // composite states
  std::vector<double> known_;  // P(state at t | tokens before t), [time, composite state]
};

}  // namespace ablate::objectives
