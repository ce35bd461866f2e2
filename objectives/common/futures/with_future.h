// Causal language modelling with a second head, which says what stands ahead of a state, order aside.

#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "objectives/common/futures/futures.h"
#include "objectives/common/optimum/future_tables.h"

namespace ablate::objectives {

/// What a member of this family decides.
struct FutureTarget {
  std::string_view of;  // of the head; see models/specs/heads/future_window_spec.cpp
  std::size_t first =
      0;  // tokens that the window leaves out: 1, where it begins after the next token
  std::size_t window = 0;  // tokens; with_future() reads it from the parameters

  /// What a place must predict, given the tokens of its window; at least one. Places without any are not scored.
  std::function<std::vector<Share>(std::span<const Token> window)> shares;

  /// The table of a window of this many tokens, and what the labels of a place cost under its fractions, nats.
  /// Empty where the optimum is not known.
  std::function<FutureTable(const Chain& language, std::size_t window)> table = {};
  std::function<double(std::span<const std::size_t> tokens, std::span<const double> weights,
                       std::span<const double> fractions)>
      cost = {};
};

/// The transform of an objective that draws nothing.
using MakeExamples = std::function<std::vector<Example>(const Text& text)>;

/// Causal language modelling whose needs may have further heads: the first one's optimum, floor and formats.
Objective causal_with_heads(Needs needs, MakeExamples make);

/// The rest of the row of such an objective.
ObjectiveSpec causal_with_heads(ObjectiveSpec spec);

/// The head that predicts it.
HeadNeed head_of(std::string_view of, const Params& params);

/// The objective: the first head is that of causal language modelling, and comparisons show its loss.
Objective with_future(FutureTarget target, const Params& params, const Context& context);

/// The parameters that all members have. `window`: what it counts.
std::vector<Param> future_params(std::int64_t window, std::string_view what, double coefficient);

}  // namespace ablate::objectives
