// Contrastive learning: tell which of the step's other passages belongs to a given passage.
//
// A pair is two passages that are read apart from each other, each behind a place of its own, whose state
// stands for it. The loss of a pair is that of naming the second passage among the second passages of all
// pairs of the step, given the first; the head has other directions, too. A pair is
//
//   segments    two neighbouring segments of a document
//   dropout     the same passage twice, which units dropped at random (train.dropout) tell apart
//   augmented   two changed copies of a passage
//   modalities  the picture of a document, of patches, and the text behind it
//
// All segments have the same length, so that the length says nothing, and every stretch of ordinary tokens
// within one document is as likely to be drawn as any other: its place is drawn before it is known whether
// the text goes that far. Texts that do not go that far have no pair of segments; of the other kinds they
// have one of all their tokens. A picture is read with as much of its text as is asked for and there.
//
// The optimum of segments and of modalities is exact among predictors that compare two passages at a time, see
// contrast.h; its sums are over the pairs of a step. Of two views of one passage nothing is known
// beforehand.
//
// Sources: Lee et al. 2019, "Latent Retrieval for Weakly Supervised Open Domain Question Answering",
// arXiv:1906.00300, section 4 (a sentence and what stands around it); Gao et al. 2021, "SimCSE",
// arXiv:2104.08821, section 3 (dropout, and the head); Chen et al. 2020, "SimCLR", arXiv:2002.05709,
// section 2.1 (augmentations); Radford et al. 2021, "CLIP", arXiv:2103.00020, section 2.3, and Zhai et al.
// 2023, "SigLIP", arXiv:2303.15343 (modalities).

#include <algorithm>
#include <cmath>

#include "harness/contract/objective.h"
#include "objectives/common/pairs/neighbours.h"
#include "objectives/common/pairs/pictures.h"
#include "objectives/common/views/contrast_settings.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   [CLS] b c   [CLS] d e     the two segments do not see each other\n"
    "label    at the first [CLS]: the second one belongs to it, and no other of the step does\n"
    "\n"
    "with pairs: dropout\n"
    "inputs   [CLS] b c d   [CLS] b c d\n"
    "\n"
    "with pairs: augmented, augmentation: replace\n"
    "inputs   [CLS] b x d   [CLS] b c y\n"
    "\n"
    "with pairs: modalities, where the document is the picture P Q R and the text a b c\n"
    "inputs   [CLS] P Q R   [CLS] a b c\n";

constexpr std::string_view kDiffers =
    "the second segment follows the first; Lee et al. take a sentence out of its passage\n"
    "the loss takes one direction by default, as in SimCSE; SimCLR (all) and CLIP (both) take the "
    "mean of two, but SimCLR's code adds them\n"
    "SimCSE's hard negatives are sentences that people wrote; here they are the partner's tokens "
    "in "
    "another order\n"
    "CLIP has an encoder for each modality; here one reads both, each separately, so that models "
    "of all objectives have the same size\n"
    "where texts start with a document (packing: padded), places near the end of a text are drawn "
    "less often than the optimum supposes\n";

/// Gives each example that has a pair the cost of the pair.
std::vector<Loss> losses_of(std::span<const MadeExample> step, const std::vector<double>& costs) {
  std::vector<Loss> losses(step.size());
  for (std::size_t i = 0, pair = 0; i < step.size(); ++i)
    if (!step[i].example.labels.empty()) losses[i] = {costs[pair++], 1};
  return losses;
}

std::vector<Loss> optimum(PassagesOf of, Contrast contrast, const Chain& language,
                          std::span<const MadeExample> step) {
  std::vector<std::span<const Token>> first, second;
  for (const MadeExample& made : step) {
    if (made.example.labels.empty()) continue;
    const std::span<const Token> inputs = made.example.inputs;
    const auto partner = static_cast<std::size_t>(made.example.labels.front().partner);
    first.push_back(inputs.subspan(1, partner - 1));
    second.push_back(inputs.subspan(partner + 1));
  }
  const std::vector<double> ratios = of == PassagesOf::modalities
                                         ? picture_ratios(language, first, second)
                                         : neighbour_ratios(language, first, second);
  return losses_of(step, pair_costs(ratios, first.size(), contrast));
}

/// All classes of a pair are equally likely.
std::vector<Loss> context_free(bool hard_negatives, Contrast contrast,
                               std::span<const MadeExample> step) {
  const auto pairs = static_cast<std::size_t>(std::ranges::count_if(
      step, [](const MadeExample& made) { return !made.example.labels.empty(); }));
  return losses_of(step, std::vector<double>(pairs, blind_cost(pairs, contrast, hard_negatives)));
}

bool has_optimum(const Params& params) {
  const PassagesOf pairs = pairs_of(params);
  return (pairs == PassagesOf::segments || pairs == PassagesOf::modalities) &&
         !params.has("hard_negatives") && contrast_of(params) != Contrast::all;
}

OptimumKind optimum_kind(const Params& params) {
  return has_optimum(params) ? OptimumKind::exact : OptimumKind::none;
}

HeadNeed first_head(const Params& params) {
  Json own = {{"temperature", params.number("temperature")}};
  for (const char* name : {"directions", "projection", "scale", "loss"})
    if (params.has(name)) own[name] = params.text(name);
  if (params.has("hard_negatives"))
    own["hard_negative_weight"] =
        params.has("hard_negative_weight") ? params.number("hard_negative_weight") : 0.0;
  return {.kind = "contrastive",
          .params = std::move(own),
          .coefficient = params.has("weight") ? params.number("weight") : 1};
}

Objective build(const Params& params, const Context& context) {
  const PairedPassages settings = passages_asked_for(params, context);
  const Contrast contrast = contrast_of(params);
  Objective objective{.needs = {.attention = Attention::bidirectional,
                                .alignment = Alignment::in_place,
                                .unit = Unit::document,
                                .heads = {first_head(params)}},
                      .transform =
                          [settings](const Text& text, Rng rng) {
                            return std::vector{pair_of_passages(settings, text, rng)};
                          },
                      .step_context_free =
                          [=](std::span<const MadeExample> step) {
                            return context_free(settings.hard_negatives, contrast, step);
                          },
                      .lengths = [settings](std::int64_t text_tokens) -> Lengths {
                        const std::int64_t places = places_of(settings, text_tokens);
                        return {places, 0, places};
                      }};
  if (settings.of == PassagesOf::modalities)
    objective.idle = {{.fact = "pairs",
                       .from = 0,
                       .to = 0,
                       .what =
                           "show no whole picture with text behind it: give the documents "
                           "pictures (corpus.picture), texts that start with a document "
                           "(packing = \"padded\"), or a context that more of a document fits"}};
  if (settings.of == PassagesOf::segments)
    objective.idle = {{.fact = "pairs",
                       .from = 0,
                       .to = 0,
                       .what =
                           "have no room for two segments: lower objective.segment, or let texts "
                           "hold longer parts of documents"}};
  if (settings.augmentation == Augmentation::cut_off)
    objective.intended = {{"changed", settings.rate, 0.02}};
  if (settings.augmentation == Augmentation::replace)  // some by themselves
    objective.intended = {
        {"changed", settings.rate * (1 - 1.0 / settings.vocabulary.ordinary), 0.02}};
  if (has_optimum(params))
    objective.step_optimum = [of = settings.of, contrast](const Chain& language,
                                                          std::span<const MadeExample> step) {
      return optimum(of, contrast, language, step);
    };
  return objective;
}

std::vector<Param> params() {
  return {
      optional(integer(
          "segment", nullptr, 1, 32768,
          "tokens of each passage; absent: a sixteenth of the text length for segments, as many as "
          "fit for views of one passage, and all of the text after a picture for modalities")),
      number("temperature", 0.05, 0.001, 100, "what cosines are divided by to give logits"),
      optional(choice("pairs", nullptr, {"segments", "dropout", "augmented", "modalities"},
                      "segments: two neighbouring segments of a document; dropout: a passage "
                      "twice, told apart by dropout (train.dropout); augmented: two changed copies "
                      "of a passage; modalities: the picture of a document (corpus.picture) and "
                      "its text; absent: segments"),
               "segments"),
      optional(choice("augmentation", nullptr, {"cut_off", "crop", "shuffle", "replace"},
                      "how augmented pairs are changed. cut_off: tokens become masks; crop: only a "
                      "stretch of the passage is kept; shuffle: tokens change places; replace: "
                      "tokens become random others; absent: cut_off"),
               "cut_off"),
      optional(number("augmentation_rate", nullptr, 0, 1,
                      "fraction of the tokens of augmented pairs that are changed or left out; "
                      "absent: 0.15"),
               PairedPassages().rate),
      optional(choice("directions", nullptr, {"one", "both", "all"},
                      "one: the second passage is picked from all second ones (SimCSE); both: also "
                      "the first from all first ones (CLIP); all: each from all passages of the "
                      "step (SimCLR's NT-Xent); absent: one"),
               "one"),
      optional(choice("projection", nullptr, {"tanh", "none", "two_layers"},
                      "the layers between the states and their comparison, used only in training. "
                      "tanh: one layer with tanh (SimCSE); two_layers: two with ReLU between "
                      "(SimCLR); absent: tanh"),
               "tanh"),
      optional(choice("scale", nullptr, {"fixed", "learned"},
                      "scale of the cosines. fixed: 1 / temperature; learned: starts at 1 / "
                      "temperature and is trained, never above 100 (CLIP begins at a temperature "
                      "of 0.07, SigLIP at 0.1); absent: fixed"),
               "fixed"),
      optional(choice("loss", nullptr, {"softmax", "sigmoid"},
                      "softmax: which of the step's passages belongs to a given one; sigmoid: "
                      "whether two passages belong together, for each two of them, with a trained "
                      "bias that begins at -10 (SigLIP); absent: softmax"),
               "softmax"),
      optional(choice("hard_negatives", nullptr, {"shuffled"},
                      "an extra passage for each pair that does not belong to it. shuffled: the "
                      "second one's tokens in another order; absent: none")),
      optional(number("hard_negative_weight", nullptr, -100, 100,
                      "what is added to the logit of a pair's own hard negative; absent: 0"),
               0.0),
      optional(number("weight", nullptr, 0, 1e6,
                      "weight of the loss where the objective is a member of a mixture; absent: 1"),
               1.0)};
}

}  // namespace

ObjectiveSpec contrastive_objective() {
  return {.name = "contrastive",
          .summary = "tell which of the step's other passages belongs to a given passage",
          .picture = kPicture,
          .source = "Lee et al. 2019, arXiv:1906.00300, section 4",
          .differs = kDiffers,
          .params = params(),
          .build = build,
          .optimum_kind = optimum_kind,
          .predicts_in_place = [](const Params&) { return true; },
          .first_head = first_head};
}

}  // namespace ablate::objectives
