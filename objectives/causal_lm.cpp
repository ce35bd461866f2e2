// Causal language modelling: predict every token from those before it.
//
// Begin tokens are never scored: nothing announces them, and every document has one.
//
// Source: Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training",
// section 3.1.

#include <cmath>
#include <numeric>

#include "harness/contract/objective.h"

namespace ablate {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d\n"
    "inputs   (none)\n"
    "targets  a b c d\n";

std::vector<Example> transform(const Text& text, Rng) {
  Example example;
  example.targets.assign(text.tokens.begin(), text.tokens.end());
  example.weights.assign(text.tokens.size(), 1.0f);
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (text.tokens[i] == begin_token) example.weights[i] = 0;
  return {std::move(example)};
}

/// Filtering: -log sum_z P(z at t | tokens before t) P(token t | z), where token t is scored. A
/// token that is not still conditions those after it.
Loss optimum(const Chain& language, const Text& text, const Example& example) {
  const auto size = static_cast<std::size_t>(language.composite_states());
  Loss loss;
  for (const Segment& segment : segments(text.tokens)) {
    const Evidence evidence = shown(language, text.tokens.subspan(segment.first, segment.count));
    const std::vector<double> law = predicted(language, static_cast<std::int64_t>(segment.count),
                                              evidence, segment.starts_document);
    for (std::size_t t = 0; t < segment.count; ++t) {
      const double weight = example.weights[segment.first + t];
      if (!(weight > 0)) continue;
      const double* here = law.data() + t * size;
      const double probability =
          std::inner_product(here, here + size, evidence.data() + t * size, 0.0);
      loss += {-weight * std::log(probability), weight};
    }
  }
  return loss;
}

/// Every target by its share of the corpus. A special id other than the end token has no share
/// there and is left out.
Loss context_free(std::span<const double> unigram, const Text&, const Example& example) {
  Loss loss;
  for (std::size_t i = 0; i < example.targets.size(); ++i) {
    const double weight = example.weights[i];
    const Token target = example.targets[i];
    const auto index =
        target == end_token ? unigram.size() - 1 : static_cast<std::size_t>(target - special_count);
    if (!(weight > 0) || index >= unigram.size()) continue;
    loss += {-weight * std::log(unigram[index]), weight};
  }
  return loss;
}

Objective build(const Params&, const Context&) {
  return {.needs = {.attention = Attention::causal,
                    .alignment = Alignment::continuation,
                    .reads = false},
          .transform = transform,
          .optimum = optimum,
          .context_free = context_free};
}

OptimumKind optimum_kind(const Params&) { return OptimumKind::exact; }

}  // namespace

ObjectiveSpec causal_lm_objective() {
  return {.name = "causal_lm",
          .summary = "predict every token from those before it",
          .picture = kPicture,
          .source = "Radford et al. 2018, section 3.1",
          .params = {},
          .build = build,
          .optimum_kind = optimum_kind,
          .generation = Generation::ancestral,
          .text_likelihood = true};
}

}  // namespace ablate
