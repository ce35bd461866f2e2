// Right-to-left language modelling: predict every token from those after it.
//
// The end token is read and never scored, as the begin token is from left to right; the begin token is
// scored: it says where the document begins. So both directions of a whole document have the same
// optimum, and a difference in excess is one of learnability alone.
//
// Source: Papadopoulos et al. 2024, "Arrows of Time for Large Language Models", arXiv:2401.17505, section 2.

#include <algorithm>
#include <cmath>

#include "harness/contract/objective.h"
#include "objectives/common/optimum/hidden_optimum.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     BEGIN a b c END\n"
    "inputs   (none)\n"
    "targets  END c b a BEGIN     read in this order; END is not scored\n";

std::vector<Example> transform(const Text& text, Rng) {
  Example example;
  example.targets.assign(text.tokens.rbegin(), text.tokens.rend());
  example.weights.assign(text.tokens.size(), 1.0f);
  for (std::size_t i = 0; i < example.targets.size(); ++i) {
    const bool alone =
        i == 0 || example.targets[i - 1] == begin_token;  // nothing of its document was read
    if (example.targets[i] == end_token || (alone && example.targets[i] == begin_token))
      example.weights[i] = 0;
  }
  return {std::move(example)};
}

/// The exact predictor's loss, by smoothing from the end: P(token at t | tokens after t) is the ratio of what is
/// read from t on to what is read after it, each started at any token of the corpus.
Loss right_to_left_optimum(const Chain& language, const Text& text, const Example& example) {
  Loss loss;
  const auto weight_of = [&](std::size_t position) {
    return static_cast<double>(example.weights[text.tokens.size() - 1 - position]);
  };
  for (const Segment& segment : segments(text.tokens)) {
    const FromTheRight read = from_the_right(
        language, static_cast<std::int64_t>(segment.count),
        emission_likelihood(language, text.tokens.subspan(segment.first, segment.count)));
    for (std::size_t t = 0; t < segment.count; ++t) {
      const double weight = weight_of(segment.first + t);
      if (!(weight > 0)) continue;
      const double after = t + 1 < segment.count ? read.log_evidence[t + 1] : 0;
      loss += {weight * (after - read.log_evidence[t]), weight};
    }
    if (!segment.starts_document) continue;
    const double weight = weight_of(segment.first - 1);
    if (weight > 0) loss += {weight * (read.log_evidence[0] - read.log_start), weight};
  }
  return loss;
}

/// That of tokens without context. A begin token is as frequent as an end token.
Loss right_to_left_floor(std::span<const double> unigram, const Text&, const Example& example) {
  Example counted = example;
  std::ranges::replace(counted.targets, begin_token, end_token);
  return cost_without_context(unigram, counted);
}

Objective build(const Params&, const Context&) {
  return {.needs = {.attention = Attention::causal,
                    .alignment = Alignment::continuation,
                    .unit = Unit::document,
                    .reversed = true,
                    .reads = false},
          .transform = transform,
          .optimum = right_to_left_optimum,
          .context_free = right_to_left_floor};
}

OptimumKind optimum_kind(const Params&) { return OptimumKind::exact; }

}  // namespace

ObjectiveSpec right_to_left_lm_objective() {
  return {.name = "right_to_left_lm",
          .summary = "predict every token from those after it",
          .picture = kPicture,
          .source = "Papadopoulos et al. 2024, section 2",
          .differs = "it has no tokens of its own: what is read first is the end token\n",
          .params = {},
          .build = build,
          .optimum_kind = optimum_kind,
          .text_likelihood = [](const Params&) { return true; },
          .reversed = true};
}

}  // namespace ablate::objectives
