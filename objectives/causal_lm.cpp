// Causal language modelling: predict every token from those before it.
//
// Begin tokens are never scored: every document has one, and nothing before it predicts it. With
// `input_mask`, some of the tokens that are read are masks, drawn anew each time a text is read, and
// every token is predicted all the same. With `goldfish`, some of the targets are left out, the same ones
// whenever a passage is read, so that a model which recites it must guess them. Held-out text is read without masks, and
// all of its targets are scored.
//
// Source: Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training",
// section 3.1. Masked inputs: Ni et al. 2025, arXiv:2511.03276; Gao et al. 2025, arXiv:2510.04071.
// A rate that is drawn for each text is what masked diffusion has. Goldfish loss: Hans et al. 2024,
// arXiv:2406.10209, section 3.

#include <algorithm>

#include "harness/contract/objective.h"
#include "objectives/common/masks/goldfish.h"
#include "objectives/common/masks/masking.h"
#include "objectives/common/optimum/left_to_right.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d\n"
    "inputs   (none)\n"
    "targets  a b c d\n"
    "\n"
    "with input_mask, here hiding b\n"
    "shown    a _ c d     in place of the targets, which stay a b c d\n"
    "\n"
    "with goldfish, here dropping c\n"
    "targets  a b . d     c is read, and never predicted\n";

constexpr std::string_view kDiffers =
    "special tokens are never masked, so input_mask hides no end of a document\n"
    "goldfish hashes the tokens before a target; the source's code hashes the target as well "
    "(goldfish_hash), multiplies ids, so that their order does not count, and by default hashes "
    "four "
    "tokens, the target among them\n";

/// How often what is read is a mask.
struct InputMask {
  double rate = 0;       // of a text, or the maximum where it is drawn
  bool uniform = false;  // the rate of a text is drawn uniformly from [0, rate)

  double of_text(const Rng& rng) const { return uniform ? rate * rng.fork(1).uniform() : rate; }
};

std::vector<Example> transform(const InputMask& mask, const Goldfish& goldfish, const Text& text,
                               const Rng& rng) {
  std::vector<Example> examples = {left_to_right(text)};
  Example& example = examples.front();
  if (goldfish.one_in > 0) {
    const auto scored =
        std::ranges::count_if(example.weights, [](float weight) { return weight > 0; });
    const std::int64_t dropped = leave_out(goldfish, text, example);
    if (scored > 0)
      example.facts.push_back(
          {"dropped", static_cast<double>(dropped) / static_cast<double>(scored)});
  }
  if (mask.rate == 0) return examples;
  example.shown = example.targets;
  for (const std::int32_t position : hide_each(text, mask.of_text(rng), rng.fork(0))) {
    example.shown[static_cast<std::size_t>(position)] = mask_token;
    example.hidden.push_back({position, HiddenAs::mask});
  }
  return examples;
}

InputMask mask_of(const Params& params) {
  return {params.has("input_mask") ? params.number("input_mask") : 0,
          params.has("input_mask_rate") && params.text("input_mask_rate") == "uniform"};
}

Goldfish goldfish_of(const Params& params) {
  if (!params.has("goldfish")) return {};
  return {
      .one_in = params.integer("goldfish"),
      .context = static_cast<std::size_t>(
          params.has("goldfish_context") ? params.integer("goldfish_context") : 13),
      .with_target = params.has("goldfish_hash") && params.text("goldfish_hash") == "with_target"};
}

std::vector<Intended> intended(const InputMask& mask) {
  if (mask.rate == 0) return {};
  return {{"corruption", mask.uniform ? mask.rate / 2 : mask.rate, mask.uniform ? 0.02 : 0.01}};
}

Objective build(const Params& params, const Context& context) {
  const InputMask mask = mask_of(params);
  if (mask.rate == 0 && params.has("input_mask_rate"))
    reject("input_mask_rate says how input_mask is drawn, which is 0; set input_mask");
  const Goldfish goldfish = goldfish_of(params);
  for (const char* of : {"goldfish_context", "goldfish_hash"})
    if (goldfish.one_in == 0 && params.has(of))
      reject("{} says what goldfish hashes, which is not set; set goldfish", of);
  if (goldfish.one_in > 0 && static_cast<std::int64_t>(goldfish.context) >= context.text_length)
    reject(
        "goldfish hashes {} tokens before a target, and texts have {}: it would leave out none; "
        "give a smaller "
        "goldfish_context, or a longer context",
        goldfish.context, context.text_length);
  Objective objective = {.needs = {.attention = Attention::causal,
                                   .alignment = Alignment::continuation,
                                   .reads = false},
                         .transform =
                             [mask, goldfish](const Text& text, const Rng& rng) {
                               return transform(mask, goldfish, text, rng);
                             },
                         .optimum = left_to_right_optimum,
                         .context_free = left_to_right_floor,
                         .intended = intended(mask),
                         .cloze = continuation,
                         .cloze_stop = continuation_stop};
  if (goldfish.with_target) objective.optimum = nullptr;
  return objective;
}

ClozeFormat cloze_format(const Params&) { return ClozeFormat::left; }

/// Targets that are left out by what they are leave others that are easier to predict: nothing is known of those.
OptimumKind optimum_kind(const Params& params) {
  return goldfish_of(params).with_target ? OptimumKind::none : OptimumKind::exact;
}

std::vector<Param> params() {
  return {optional(number("input_mask", nullptr, 0, 0.99,
                          "fraction of the tokens that are read as masks; every token is still "
                          "predicted; absent: 0"),
                   0.0),
          optional(choice("input_mask_rate", nullptr, {"fixed", "uniform"},
                          "fixed: input_mask is the rate of every text; uniform: the "
                          "rate of a text is drawn from [0, input_mask); absent: fixed"),
                   "fixed"),
          optional(integer("goldfish", nullptr, 2, 1000,
                           "one of this many targets is never predicted, chosen by a hash of the "
                           "text: the goldfish loss; absent: all are; the source: 4")),
          optional(integer("goldfish_context", nullptr, 1, 1000,
                           "tokens that goldfish hashes; absent: 13"),
                   13),
          optional(choice("goldfish_hash", nullptr, {"before", "with_target"},
                          "before: the tokens before the target; with_target: the last of them is "
                          "the target itself, as in the source's code, which changes what is "
                          "learned; absent: before"),
                   "before")};
}

/// Without masks, and with all targets.
Params held_out(const Params& trained) {
  Json given = trained.json();
  for (const Param& param : params()) given.erase(std::string(param.name));
  return {params(), given};
}

}  // namespace

ObjectiveSpec causal_lm_objective() {
  return {.name = "causal_lm",
          .summary = "predict every token from those before it",
          .picture = kPicture,
          .source = "Radford et al. 2018, section 3.1",
          .differs = kDiffers,
          .params = params(),
          .build = build,
          .optimum_kind = optimum_kind,
          .generation = [](const Params&) { return Generation::ancestral; },
          .cloze_format = cloze_format,
          .text_likelihood = [](const Params&) { return true; },
          .held_out = held_out,
          .forecasts = left_to_right_forecasts};
}

}  // namespace ablate::objectives
