// Prefix language modelling: read a prefix in both directions, predict the rest left to right.
//
// Nothing is scored inside the prefix, where every token is seen by all. A text of two tokens or
// more has at least one on either side; one of a single token is read and nothing is predicted.
// The prefix starts with the text, begin token included: it may be no more than that, and then the
// model reads what a causal one does.
//
// The length of a prefix tells something about the length of its text, and so of where the document
// may end; how much depends on how texts were cut, which an objective does not know. Filtering
// alone, as for causal LM, is no bound: a predictor that knows the cuts of isolated documents beats
// it by .01 to .10 nats a target on the default language. The optimum stated is that of one who is
// told both, .04 to .17 nats below that predictor: a bound that a leak breaks, not a goal.
//
// Source: Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified
// Text-to-Text Transformer", arXiv:1910.10683, section 3.2.1; Liu et al. 2018, arXiv:1801.10198.

#include "objectives/common/optimum/hidden_optimum.h"
#include "objectives/common/optimum/prefix.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a b c\n"
    "targets        d e f\n";

constexpr std::string_view kDiffers =
    "the expected target fraction may be other than one half, which is all that the reference code "
    "accepts";

PrefixDistribution law_of(const Params& params) {
  const std::string& name = params.text("proportion");
  if (name == "fixed")
    return {.kind = PrefixDistribution::Kind::fixed, .fraction = params.number("prefix_fraction")};
  if (name == "beta")
    return {
        .kind = PrefixDistribution::Kind::beta, .a = params.number("a"), .b = params.number("b")};
  return {.kind = PrefixDistribution::Kind::uniform, .fraction = params.number("target_fraction")};
}

Objective build(const Params& params, const Context&) {
  const PrefixDistribution distribution = law_of(params);
  return {
      .needs = {.attention = Attention::bidirectional, .alignment = Alignment::continuation},
      .transform = [distribution](const Text& text, Rng rng) -> std::vector<Example> {
        const auto prefix = prefix_length(distribution, std::ssize(text.tokens), rng);
        return {split_at(text.tokens, prefix)};
      },
      .optimum =
          [](const Chain& language, const Text& text, const Example& example) {
            return prefix_optimum(language, text.tokens, example);
          },
      .context_free = [](std::span<const double> unigram, const Text&,
                         const Example& example) { return cost_without_context(unigram, example); },
      .intended = {{"prediction", target_fraction(distribution), 0.05}}};
}

OptimumKind optimum_kind(const Params&) { return OptimumKind::lower; }

}  // namespace

ObjectiveSpec prefix_lm_objective() {
  return {
      .name = "prefix_lm",
      .summary = "read a prefix in both directions, predict the rest left to right",
      .picture = kPicture,
      .source = "Raffel et al. 2020, arXiv:1910.10683, section 3.2.1",
      .differs = kDiffers,
      .params = {choice("proportion", "uniform", {"fixed", "uniform", "beta"},
                        "law of the prefix' share of the text; fixed: prefix_fraction of every "
                        "text; uniform: every length alike, from 1 - 2 target_fraction of the text "
                        "up; beta: a share from Beta(a, b)"),
                 number("prefix_fraction", 0.5, 0.01, 0.99,
                        "fraction of the text that is read, where the law is fixed"),
                 number("target_fraction", 0.5, 0.01, 0.5,
                        "fraction of the text that is predicted on average, where it is uniform"),
                 number("a", 1, 0.1, 100, "first shape of the law of the share read: beta"),
                 number("b", 1, 0.1, 100, "second shape of that law")},
      .build = build,
      .optimum_kind = optimum_kind,
      .generation = Generation::ancestral};
}

}  // namespace ablate::objectives
