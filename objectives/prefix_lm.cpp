// Prefix language modelling: read a prefix in both directions, predict the rest left to right.
//
// Nothing is scored inside the prefix, where every token sees all others. A text of two or more
// tokens has at least one on either side; a text of one token is read, and nothing is predicted.
// The prefix includes the begin token. It may consist of nothing else; the model then reads the
// same inputs as a causal one.
//
// How much of a text is predicted depends on its length: prefixes are whole tokens, and a short
// text keeps at least one. The fact prefix_surplus is therefore the length of the prefix less its
// mean in texts of the same length, as a fraction of the text: 0 on average.
//
// The length of a prefix says something about the length of its text, and therefore about where the
// document may end; how much depends on how texts were cut, which an objective does not know.
// Filtering alone, as for causal LM, is no bound: a predictor that knows the cuts of isolated
// documents beats it by .01 to .10 nats per target on the default language. The stated optimum
// belongs to a predictor that knows the length and the document ends, .04 to .17 nats below the one
// before: a bound that a leak breaks, not a goal.
//
// Source: Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified
// Text-to-Text Transformer", arXiv:1910.10683, section 3.2.1; Liu et al. 2018, arXiv:1801.10198.

#include <memory>

#include "objectives/common/optimum/hidden_optimum.h"
#include "objectives/common/optimum/prefix.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a b c\n"
    "targets        d e f\n";

constexpr std::string_view kDiffers =
    "fixed and Beta-distributed prefixes are additions; the reference draws every length from the "
    "shortest up alike";

PrefixDistribution prefix_distribution(const Params& params) {
  const std::string& name = params.text("proportion");
  if (name == "fixed")
    return {.kind = PrefixDistribution::Kind::fixed, .fraction = params.number("prefix_fraction")};
  if (name == "beta")
    return {
        .kind = PrefixDistribution::Kind::beta, .a = params.number("a"), .b = params.number("b")};
  return {.kind = PrefixDistribution::Kind::uniform, .fraction = params.number("target_fraction")};
}

Objective build(const Params& params, const Context& context) {
  const PrefixDistribution distribution = prefix_distribution(params);
  const auto means = std::make_shared<MeanPrefixes>(distribution);
  return {
      .needs = {.attention = Attention::bidirectional, .alignment = Alignment::continuation},
      .transform = [distribution, means, longest = context.text_length](
                       const Text& text, Rng rng) -> std::vector<Example> {
        const std::int64_t tokens = std::ssize(text.tokens);
        const std::int64_t prefix = prefix_length(distribution, tokens, rng);
        Example example = split_at(text.tokens, prefix);
        if (tokens > 1 && tokens <= longest) {
          const double surplus = static_cast<double>(prefix) - means->of(tokens);
          example.facts = {{"prefix_surplus", surplus / static_cast<double>(tokens)}};
        }
        return {std::move(example)};
      },
      .optimum =
          [](const Chain& language, const Text& text, const Example& example) {
            return prefix_optimum(language, text.tokens, example);
          },
      .context_free = [](std::span<const double> unigram, const Text&,
                         const Example& example) { return cost_without_context(unigram, example); },
      .intended = {{"prefix_surplus", 0, 0.001}},
      .cloze = prefix_cloze,
      .cloze_stop = prefix_stop};
}

ClozeFormat cloze_format(const Params&) { return ClozeFormat::left; }

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
                        "distribution of the prefix's fraction of the text. fixed: always "
                        "prefix_fraction; uniform: every length from 1 - 2 target_fraction of the "
                        "text up, equally likely; beta: Beta(a, b)"),
                 number("prefix_fraction", 0.5, 0.01, 0.99,
                        "proportion fixed: fraction of the text that is read"),
                 number("target_fraction", 0.5, 0.01, 0.5,
                        "proportion uniform: mean fraction of the text that is predicted"),
                 number("a", 1, 0.1, 100, "proportion beta: first shape parameter"),
                 number("b", 1, 0.1, 100, "proportion beta: second shape parameter")},
      .build = build,
      .optimum_kind = optimum_kind,
      .generation = [](const Params&) { return Generation::ancestral; },
      .cloze_format = cloze_format};
}

}  // namespace ablate::objectives
