#include "objectives/common/views/contrast_settings.h"

#include <algorithm>

#include "harness/base/error.h"

namespace ablate::objectives {
namespace {

Augmentation augmentation_named(const std::string& name) {
  if (name == "crop") return Augmentation::crop;
  if (name == "shuffle") return Augmentation::shuffle;
  return name == "replace" ? Augmentation::replace : Augmentation::cut_off;
}

PassagesOf passages_named(const std::string& name) {
  if (name == "dropout") return PassagesOf::dropout;
  if (name == "augmented") return PassagesOf::augmented;
  return name == "modalities" ? PassagesOf::modalities : PassagesOf::segments;
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
  if (params.has("hard_negatives") && contrast_of(params) == Contrast::all)
    reject(
        "contrastive: hard_negatives are of the places alone, and directions = \"all\" compares "
        "everything with everything; set directions to \"one\" or \"both\"");
  if (params.has("hard_negatives") && pairs == PassagesOf::modalities)
    reject(
        "contrastive: hard_negatives have the length of the passages that they are read with, and "
        "a picture and its text have two; leave hard_negatives out");
  for (const char* name : {"directions", "hard_negatives"})
    if (params.has(name) && params.has("loss"))
      reject(
          "contrastive: loss = \"sigmoid\" asks of each two passages whether they belong together, "
          "and knows no {}; leave one of the two out",
          name);
  constexpr double kLeast = 0.01;  // the scale begins at one over it, and may be at most 100
  if (params.has("scale") && params.number("temperature") < kLeast)
    reject(
        "contrastive: a learned scale begins at 1 / temperature and is at most 100; temperature = "
        "{:g} is too low: give {} or more",
        params.number("temperature"), kLeast);
}

/// The tokens of a passage where the file names none.
std::int64_t passage_without(const PairedPassages& settings, std::int64_t length) {
  if (settings.of == PassagesOf::modalities) return length;
  return settings.of_views() ? length / settings.passages() : length / 16;
}

}  // namespace

std::string text_or(const Params& params, const char* name, const char* otherwise) {
  return params.has(name) ? params.text(name) : otherwise;
}

PassagesOf pairs_of(const Params& params) {
  return passages_named(text_or(params, "pairs", "segments"));
}

Contrast contrast_of(const Params& params) {
  if (params.has("loss")) return Contrast::sigmoid;
  const std::string directions = text_or(params, "directions", "one");
  if (directions == "all") return Contrast::all;
  return directions == "both" ? Contrast::both : Contrast::one;
}

PairedPassages passages_asked_for(const Params& params, const Context& context) {
  PairedPassages settings;
  settings.of = pairs_of(params);
  check(params, settings.of);
  settings.vocabulary = context.vocabulary;
  settings.hard_negatives = params.has("hard_negatives");
  if (settings.of == PassagesOf::augmented) {
    settings.augmentation = augmentation_named(text_or(params, "augmentation", "cut_off"));
    if (params.has("augmentation_rate")) settings.rate = params.number("augmentation_rate");
  }
  const std::int64_t length = context.text_length;
  const std::int64_t passage = params.has("segment")
                                   ? params.integer("segment")
                                   : std::max<std::int64_t>(1, passage_without(settings, length));
  settings.passage = static_cast<std::size_t>(passage);
  if (settings.of == PassagesOf::modalities) return settings;
  if (settings.passages() * passage > length)
    reject("contrastive: segment = {} does not fit {} into a text of {} tokens; choose at most {}",
           passage, settings.hard_negatives ? "three times" : "twice", length,
           length / settings.passages());
  settings.starts = length - (settings.of_views() ? 1 : 2) * passage + 1;
  return settings;
}

std::int64_t places_of(const PairedPassages& settings, std::int64_t text_tokens) {
  // The begin token is not read, and two places for states are.
  if (settings.of == PassagesOf::modalities) return text_tokens < 3 ? 0 : text_tokens + 1;
  const auto passage = static_cast<std::int64_t>(settings.passage);
  std::int64_t tokens = std::min(text_tokens, passage);
  if (!settings.of_views()) tokens = text_tokens < 2 * passage ? -1 : passage;
  return settings.passages() * (tokens + 1);
}

}  // namespace ablate::objectives
