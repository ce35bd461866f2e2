// Contrastive learning: tell which of the step's other passages belongs to a passage.
//
// A pair is two passages that are read apart from each other, each behind a place of its own, whose state
// stands for it. The loss of a pair is that of naming the second passage among the second passages of all
// pairs of the step, given the first; the head has other directions, too. A pair is
//
//   segments   two neighbouring segments of a document
//   dropout    the same passage twice, which units dropped at random (train.dropout) tell apart
//   augmented  two changed copies of a passage
//
// All segments have the same length, so that the length says nothing, and every stretch of ordinary tokens
// within one document is as likely to be drawn as any other: its place is drawn before it is known whether
// the text goes that far. Texts that do not go that far have no pair of segments; of the other kinds they
// have one of all their tokens.
//
// The optimum of segments is exact among predictors that compare a first segment with every second one: the
// posterior of pair j is proportional to P(first, second j) / P(first) / P(second j), in either
// direction. Its sums are over the pairs of a step. Source: van den Oord et al. 2018,
// arXiv:1807.03748, section 2.3. Of two views of one passage nothing is known beforehand.
//
// Sources: Lee et al. 2019, "Latent Retrieval for Weakly Supervised Open Domain Question Answering",
// arXiv:1906.00300, section 4 (a sentence and what stands around it); Gao et al. 2021, "SimCSE",
// arXiv:2104.08821, section 3 (dropout, and the head); Chen et al. 2020, "SimCLR", arXiv:2002.05709,
// section 2.1 (augmentations).

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "harness/contract/objective.h"
#include "objectives/common/pairs/neighbours.h"
#include "objectives/common/views/passages.h"

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
    "inputs   [CLS] b x d   [CLS] b c y\n";

constexpr std::string_view kDiffers =
    "the second segment follows the first; Lee et al. take a sentence out of its passage\n"
    "the loss is of one direction by default, as SimCSE's; SimCLR (all) and CLIP (both) take the "
    "mean of "
    "two, where SimCLR's code adds them\n"
    "SimCSE's hard negatives are sentences that people wrote; here they are the partner's tokens "
    "in "
    "another order\n"
    "where texts start with a document (packing: padded), places near the end of a text are drawn "
    "less often than the optimum supposes\n";

constexpr double kAugmentationRate = 0.15;

std::string text_or(const Params& params, const char* name, const char* otherwise) {
  return params.has(name) ? params.text(name) : otherwise;
}

Augmentation augmentation_named(const std::string& name) {
  if (name == "crop") return Augmentation::crop;
  if (name == "shuffle") return Augmentation::shuffle;
  return name == "replace" ? Augmentation::replace : Augmentation::cut_off;
}

/// Refuses settings of other pairs.
void check(const Params& params, PassagesOf pairs) {
  for (const char* name : {"augmentation", "augmentation_rate"})
    if (params.has(name) && pairs != PassagesOf::augmented)
      reject(
          "contrastive: {} is a setting of augmented pairs; set pairs to augmented, or leave {} "
          "out",
          name, name);
  if (params.has("hard_negative_weight") && !params.has("hard_negatives"))
    reject(
        "contrastive: hard_negative_weight is given without hard_negatives; give both or neither");
  if (params.has("hard_negatives") && text_or(params, "directions", "one") == "all")
    reject(
        "contrastive: hard_negatives are of the places alone, and directions = \"all\" compares "
        "everything with everything; set directions to \"one\" or \"both\"");
}

PairedPassages settings_of(const Params& params, const Context& context) {
  PairedPassages settings;
  const std::string pairs = text_or(params, "pairs", "segments");
  if (pairs != "segments")
    settings.of = pairs == "dropout" ? PassagesOf::dropout : PassagesOf::augmented;
  check(params, settings.of);
  settings.vocabulary = context.vocabulary;
  settings.hard_negatives = params.has("hard_negatives");
  if (settings.of == PassagesOf::augmented) {
    settings.augmentation = augmentation_named(text_or(params, "augmentation", "cut_off"));
    if (params.has("augmentation_rate")) settings.rate = params.number("augmentation_rate");
  }
  const std::int64_t length = context.text_length;
  const std::int64_t otherwise = settings.of_views() ? length / settings.passages() : length / 16;
  const std::int64_t passage =
      params.has("segment") ? params.integer("segment") : std::max<std::int64_t>(1, otherwise);
  if (settings.passages() * passage > length)
    reject("contrastive: segment = {} does not fit {} into a text of {} tokens; choose at most {}",
           passage, settings.hard_negatives ? "three times" : "twice", length,
           length / settings.passages());
  settings.passage = static_cast<std::size_t>(passage);
  settings.starts = length - (settings.of_views() ? 1 : 2) * passage + 1;
  return settings;
}

/// The cost of each pair by what the others of its row and, in both directions, of its column come to.
std::vector<double> costs_of(const std::vector<double>& ratios, std::size_t pairs, bool both) {
  std::vector<double> costs(pairs, 0.0);
  for (std::size_t i = 0; i < pairs; ++i) {
    double among_seconds = 0, among_firsts = 0;
    for (std::size_t j = 0; j < pairs; ++j) {
      among_seconds += ratios[i * pairs + j];
      among_firsts += ratios[j * pairs + i];
    }
    const double own = ratios[i * pairs + i];
    costs[i] = std::log(among_seconds / own);
    if (both) costs[i] = 0.5 * (costs[i] + std::log(among_firsts / own));
  }
  return costs;
}

/// Gives each example that has a pair the cost of the pair.
std::vector<Loss> losses_of(std::span<const MadeExample> step, const std::vector<double>& costs) {
  std::vector<Loss> losses(step.size());
  for (std::size_t i = 0, pair = 0; i < step.size(); ++i)
    if (!step[i].example.labels.empty()) losses[i] = {costs[pair++], 1};
  return losses;
}

std::vector<Loss> optimum(bool both, const Chain& language, std::span<const MadeExample> step) {
  std::vector<std::span<const Token>> first, second;
  for (const MadeExample& made : step) {
    if (made.example.labels.empty()) continue;
    const std::span<const Token> inputs = made.example.inputs;
    const std::size_t half = inputs.size() / 2;
    first.push_back(inputs.subspan(1, half - 1));
    second.push_back(inputs.subspan(half + 1, half - 1));
  }
  return losses_of(step, costs_of(neighbour_ratios(language, first, second), first.size(), both));
}

/// All classes of a pair are equally likely.
std::vector<Loss> context_free(const PairedPassages& settings, const std::string& directions,
                               std::span<const MadeExample> step) {
  const auto pairs = static_cast<std::size_t>(std::ranges::count_if(
      step, [](const MadeExample& made) { return !made.example.labels.empty(); }));
  const auto classes = static_cast<double>(pairs);
  double cost = std::log(directions == "all" ? 2 * classes - 1 : classes);
  if (settings.hard_negatives) {
    const double forward = std::log(2 * classes);
    cost = directions == "both" ? 0.5 * (cost + forward) : forward;
  }
  return losses_of(step, std::vector<double>(pairs, cost));
}

bool has_optimum(const Params& params) {
  return text_or(params, "pairs", "segments") == "segments" && !params.has("hard_negatives") &&
         text_or(params, "directions", "one") != "all";
}

OptimumKind optimum_kind(const Params& params) {
  return has_optimum(params) ? OptimumKind::exact : OptimumKind::none;
}

HeadNeed first_head(const Params& params) {
  Json own = {{"temperature", params.number("temperature")}};
  for (const char* name : {"directions", "projection"})
    if (params.has(name)) own[name] = params.text(name);
  if (params.has("hard_negatives"))
    own["hard_negative_weight"] =
        params.has("hard_negative_weight") ? params.number("hard_negative_weight") : 0.0;
  return {.kind = "contrastive",
          .params = std::move(own),
          .coefficient = params.has("weight") ? params.number("weight") : 1};
}

Objective build(const Params& params, const Context& context) {
  const PairedPassages settings = settings_of(params, context);
  const std::string directions = text_or(params, "directions", "one");
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
                            return context_free(settings, directions, step);
                          },
                      .lengths = [settings](std::int64_t text_tokens) -> Lengths {
                        const auto passage = static_cast<std::int64_t>(settings.passage);
                        std::int64_t tokens = std::min(text_tokens, passage);
                        if (!settings.of_views()) tokens = text_tokens < 2 * passage ? -1 : passage;
                        const std::int64_t inputs = settings.passages() * (tokens + 1);
                        return {inputs, 0, inputs};
                      }};
  if (settings.augmentation == Augmentation::cut_off)
    objective.intended = {{"changed", settings.rate, 0.02}};
  if (settings.augmentation == Augmentation::replace)  // some by themselves
    objective.intended = {
        {"changed", settings.rate * (1 - 1.0 / settings.vocabulary.ordinary), 0.02}};
  if (has_optimum(params))
    objective.step_optimum = [both = directions == "both"](const Chain& language,
                                                           std::span<const MadeExample> step) {
      return optimum(both, language, step);
    };
  return objective;
}

std::vector<Param> params() {
  return {
      optional(integer("segment", nullptr, 1, 32768,
                       "tokens of each passage; absent: a sixteenth of the text length for "
                       "segments, and for views of one passage as many as fit")),
      number("temperature", 0.05, 0.001, 100, "what cosines are divided by to give logits"),
      optional(choice("pairs", nullptr, {"segments", "dropout", "augmented"},
                      "segments: two neighbouring segments of a document; dropout: a passage "
                      "twice, told apart by dropout (train.dropout); augmented: two changed copies "
                      "of a passage; absent: segments"),
               "segments"),
      optional(choice("augmentation", nullptr, {"cut_off", "crop", "shuffle", "replace"},
                      "of augmented pairs. cut_off: tokens are masks; crop: a stretch of the "
                      "passage; shuffle: tokens change places; replace: tokens are any others; "
                      "absent: cut_off"),
               "cut_off"),
      optional(number("augmentation_rate", nullptr, 0, 1,
                      "of augmented pairs: fraction of the tokens that are changed, or left out; "
                      "absent: 0.15"),
               kAugmentationRate),
      optional(choice("directions", nullptr, {"one", "both", "all"},
                      "one: the second passage is named among all second ones (SimCSE); both: and "
                      "the first among all first ones (CLIP); all: each among all passages of the "
                      "step (SimCLR's NT-Xent); absent: one"),
               "one"),
      optional(choice("projection", nullptr, {"tanh", "none", "two_layers"},
                      "what is made of states before they are compared, for training alone. tanh: "
                      "a layer with tanh (SimCSE); two_layers: two with ReLU between (SimCLR); "
                      "absent: tanh"),
               "tanh"),
      optional(choice("hard_negatives", nullptr, {"shuffled"},
                      "a further passage for each pair that does not belong to it. shuffled: the "
                      "second one's tokens in another order; absent: none")),
      optional(number("hard_negative_weight", nullptr, -100, 100,
                      "what the logit of a pair's own hard negative gains; absent: 0"),
               0.0),
      optional(number("weight", nullptr, 0, 1e6,
                      "of the loss, where it is a member of a mixture with others; absent: 1"),
               1.0)};
}

}  // namespace

ObjectiveSpec contrastive_objective() {
  return {.name = "contrastive",
          .summary = "tell which of the step's other passages belongs to a passage",
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
