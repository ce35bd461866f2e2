// Causal language modelling: predict every token from those before it.
//
// Begin tokens are never scored: every document has one, and nothing before it predicts it.
//
// Source: Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training",
// section 3.1.

#include "harness/contract/objective.h"
#include "objectives/common/optimum/left_to_right.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d\n"
    "inputs   (none)\n"
    "targets  a b c d\n";

std::vector<Example> transform(const Text& text, Rng) { return {left_to_right(text)}; }

Objective build(const Params&, const Context&) {
  return {.needs = {.attention = Attention::causal,
                    .alignment = Alignment::continuation,
                    .reads = false},
          .transform = transform,
          .optimum = left_to_right_optimum,
          .context_free = left_to_right_floor,
          .cloze = continuation,
          .cloze_stop = continuation_stop};
}

ClozeFormat cloze_format(const Params&) { return ClozeFormat::left; }

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
          .cloze_format = cloze_format,
          .text_likelihood = true};
}

}  // namespace ablate::objectives
