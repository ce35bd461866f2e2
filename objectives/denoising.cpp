// Denoising (BART): read a corrupted text and write it again in full.
//
// Steps, in fairseq's order; each takes the result of the previous one:
//   permute   chosen sentences are permuted; every order is equally likely, including the original
//   infill    each span of tokens, of Poisson length, is replaced with one mask; a span of length
//             0 inserts a mask that hides nothing
//   mask      single tokens are replaced with masks
//   delete    tokens are removed
//   rotate    the text starts at another token, each equally likely
// A begin token stays first and an end token last. Special ids in between are never hidden, but
// they move with the tokens around them. The targets are the full text, and every token is scored.
//
// Sentences start where the text is marked, for every tokenizer. A text without marks is one
// sentence and is not permuted; the record's fact "sentences" shows how many there were.
//
// `law`: in fairseq's code spans start anywhere, may overlap and may cover each other's masks, so
// only .27 of the tokens are hidden if .30 are requested, and .41 if .50 are: a sweep of the rate
// covers a shorter range than its values say. The default, `exact`, keeps spans apart and rounds
// randomly, so that the mean is the rate for texts of every length (fairseq rounds up).
//
// Inputs are never longer than the text, so rows need no extra room: masks that hide nothing are
// dropped if the inputs would become longer than the text. This affects a noticeable fraction of them only in texts of a
// few tokens, or if lambda is near or below 1.
//
// Optimum: exact for masking alone and for rotation alone; a lower bound for deletion alone; none
// for infilling or for combinations.
//
// Source: Lewis et al. 2020, "BART: Denoising Sequence-to-Sequence Pre-training for Natural
// Language Generation, Translation, and Comprehension", arXiv:1910.13461, sections 2.2 and 4;
// fairseq's denoising_dataset.py for the order of steps and `law: reference`. Differs: spans
// consist of tokens, not of words; each document's part is corrupted separately.

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "harness/contract/objective.h"
#include "objectives/common/optimum/left_to_right.h"
#include "objectives/common/rearrange/damage.h"
#include "objectives/common/rearrange/undoing.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d. e f g.     two sentences\n"
    "inputs   e _ g. a b _        f is hidden, and c d, by one mask a span\n"
    "targets  a b c d. e f g.\n";

constexpr std::string_view kDiffers =
    "spans do not overlap and hide the stated rate (law: exact), because the reference's spans "
    "overlap and hide less; law: reference reproduces those\n"
    "masks of empty spans never make the inputs longer than the text\n"
    "mask_rate and delete_rate are probabilities; fairseq masks and deletes exactly the count, "
    "rounded up\n"
    "spans are runs of tokens; fairseq's are runs of words\n"
    "every start of a rotated text is equally likely; fairseq leaves a text of n tokens alone with "
    "probability 2 / (n + 1)";

struct Settings {
  SpanMasks infill;
  double mask = 0;
  double remove = 0;
  double permute = 0;
  double rotate = 0;
};

/// The example of one document's part.
Example example_of(const Settings& settings, const Text& text, Segment part, Rng rng) {
  const bool ends = part.count > 0 && text.tokens[part.first + part.count - 1] == end_token;
  const std::size_t end = part.first + part.count - ends;
  const auto starts = sentences(text, part.first, end);
  Example example;
  Shown shown = permuted(starts, settings.permute, rng.fork(0));
  if (settings.infill.rate > 0)
    shown = infilled(settings.infill, text, shown, rng.fork(1), example.hidden);
  hide_each(settings.mask, HiddenAs::mask, text, rng.fork(2), shown, example.hidden);
  hide_each(settings.remove, HiddenAs::deleted, text, rng.fork(3), shown, example.hidden);
  Rng rotation = rng.fork(4);
  const bool rotated = rotation.probability(settings.rotate);
  if (rotated && !shown.empty())
    std::rotate(shown.begin(), shown.begin() + rotation.below(std::ssize(shown)), shown.end());
  std::sort(example.hidden.begin(), example.hidden.end(),
            [](const Hidden& a, const Hidden& b) { return a.position < b.position; });

  if (part.starts_document) example.inputs.push_back(begin_token);
  for (const std::int32_t i : shown)
    example.inputs.push_back(i == kMask ? Token{mask_token}
                                        : text.tokens[static_cast<std::size_t>(i)]);
  if (ends) example.inputs.push_back(end_token);
  const auto targets =
      text.tokens.subspan(part.first - part.starts_document, part.count + part.starts_document);
  example.targets.assign(targets.begin(), targets.end());
  example.weights.assign(targets.size(), 1.0f);
  if (part.starts_document) example.weights.front() = 0;
  if (end == part.first) return example;
  if (settings.permute > 0)
    example.facts.push_back({"sentences", static_cast<double>(starts.size() - 1)});
  if (settings.rotate > 0) example.facts.push_back({"rotated", rotated ? 1.0 : 0.0});
  return example;
}

/// One example for each document's part. A begin token that nothing follows becomes an example only
/// if the text contains nothing else.
std::vector<Example> transform(const Settings& settings, const Text& text, Rng rng) {
  std::vector<Example> examples;
  for (const Segment& part : segments(text.tokens))
    examples.push_back(example_of(settings, text, part, rng.fork(examples.size())));
  if (examples.empty())
    examples.push_back({.inputs = {begin_token}, .targets = {begin_token}, .weights = {0}});
  return examples;
}

/// A kind of noise whose optimum is known if it is used alone.
enum class Alone { none, mask, remove, rotate };

/// The only kind of noise in use; none if there are several, or if its optimum is not known.
Alone alone(const Params& params) {
  std::vector<Alone> used;
  const auto add = [&](const char* name, Alone kind) {
    if (params.number(name) > 0) used.push_back(kind);
  };
  add("infill_rate", Alone::none);
  add("permute_sentences", Alone::none);
  add("mask_rate", Alone::mask);
  add("delete_rate", Alone::remove);
  add("rotate", Alone::rotate);
  return used.size() == 1 ? used.front() : Alone::none;
}

std::function<Loss(const Chain&, const Text&, const Example&)> optimum(Alone kind, double rotate) {
  switch (kind) {
    case Alone::mask:
      return [](const Chain& language, const Text&, const Example& example) {
        return optimum_of_masked(language, example);
      };
    case Alone::remove:
      return [](const Chain& language, const Text&, const Example& example) {
        return optimum_of_deleted(language, example);
      };
    case Alone::rotate:
      return [rotate](const Chain& language, const Text&, const Example& example) {
        return optimum_of_rotated(rotate, language, example);
      };
    case Alone::none:
      break;
  }
  return {};
}

/// With `law: reference` the fraction that spans hide is not set in advance, so none is stated.
std::vector<Intended> intended(const Settings& settings) {
  std::vector<Intended> list = {{"prediction", 1, 0.01}};
  if (settings.infill.rate == 0 || settings.infill.placement == SpanPlacement::exact)
    list.push_back({"corruption",
                    1 - (1 - settings.infill.rate) * (1 - settings.mask) * (1 - settings.remove),
                    0.01});
  if (settings.rotate > 0) list.push_back({"rotated", settings.rotate, 0.01});
  return list;
}

/// How the target is hidden: behind one mask, where the model knows spans; else behind a mask for
/// each token; else it is deleted. The model writes the text again, and only the target is scored.
std::vector<Example> cloze_of(const Settings& settings, const Cloze& cloze) {
  Example example;
  example.inputs.assign(cloze.left.begin(), cloze.left.end());
  const auto hide = [&](bool first) {
    if (settings.infill.rate > 0 ? first : settings.mask > 0) example.inputs.push_back(mask_token);
  };
  for (std::size_t i = 0; i < cloze.target.size(); ++i) hide(i == 0);
  for (std::size_t i = 0; i < cloze.right.size(); ++i)
    if (cloze.right[i] != mask_token)
      example.inputs.push_back(cloze.right[i]);
    else
      hide(i == 0 || cloze.right[i - 1] != mask_token);
  Example all = continuation(cloze).front();
  example.targets = std::move(all.targets);
  example.weights = std::move(all.weights);
  return {std::move(example)};
}

/// The end of the text; in it nothing says where a target ends.
std::vector<Example> stop_of(const Settings& settings, const Cloze& cloze) {
  if (!cloze.right.empty()) return {};
  return {scored_stop(std::move(cloze_of(settings, cloze).front()), end_token)};
}

ClozeFormat cloze_format(const Params& params) {
  const auto uses = [&](const char* name) { return params.number(name) > 0; };
  if (uses("infill_rate")) return ClozeFormat::both_sides;
  if (uses("mask_rate")) return ClozeFormat::told_length;
  return uses("delete_rate") ? ClozeFormat::both_sides : ClozeFormat::none;
}

Objective build(const Params& params, const Context&) {
  const auto off = [&](const char* name) { return params.number(name) == 0; };
  if (off("infill_rate") && off("mask_rate") && off("delete_rate") && off("permute_sentences") &&
      off("rotate"))
    reject(
        "denoising: all noise is off, and copying a text teaches nothing; set infill_rate, "
        "mask_rate, delete_rate, permute_sentences or rotate above 0");
  const Settings settings{
      .infill = {.rate = params.number("infill_rate"),
                 .placement = params.text("law") == "exact" ? SpanPlacement::exact
                                                            : SpanPlacement::reference,
                 .lengths = poisson_cumulative(params.number("lambda"))},
      .mask = params.number("mask_rate"),
      .remove = params.number("delete_rate"),
      .permute = params.number("permute_sentences"),
      .rotate = params.number("rotate")};
  Objective objective{
      .needs = {.attention = Attention::bidirectional,
                .alignment = Alignment::continuation,
                .unit = Unit::document},
      .transform = [settings](const Text& text, Rng rng) { return transform(settings, text, rng); },
      .optimum = optimum(alone(params), settings.rotate),
      .context_free = left_to_right_floor,
      .lengths =
          [](std::int64_t tokens) {
            return Lengths{tokens, tokens, 2 * tokens};
          },
      .intended = intended(settings)};
  // One sentence that is chosen stays where it is.
  if (settings.permute > 0)
    objective.idle = {{.fact = "sentences",
                       .from = 0,
                       .to = std::floor((1 + 1e-9) / settings.permute),
                       .what = "have too few sentences to permute any; give longer texts, or set "
                               "objective.permute_sentences to 0"}};
  const ClozeFormat format = cloze_format(params);
  if (format != ClozeFormat::none)
    objective.cloze = [settings](const Cloze& cloze) { return cloze_of(settings, cloze); };
  if (format == ClozeFormat::both_sides)
    objective.cloze_stop = [settings](const Cloze& cloze) { return stop_of(settings, cloze); };
  return objective;
}

OptimumKind optimum_kind(const Params& params) {
  switch (alone(params)) {
    case Alone::mask:
    case Alone::rotate:
      return OptimumKind::exact;
    case Alone::remove:
      return OptimumKind::lower;
    case Alone::none:
      break;
  }
  return OptimumKind::none;
}

}  // namespace

ObjectiveSpec denoising_objective() {
  return {
      .name = "denoising",
      .summary = "read a corrupted text, write it again in full",
      .picture = kPicture,
      .source = "Lewis et al. 2020, arXiv:1910.13461, section 2.2",
      .differs = kDiffers,
      .params = {number("infill_rate", 0.3, 0, 0.99,
                        "fraction of the tokens hidden in spans; one mask replaces each span"),
                 number("lambda", 3, 0.5, 32,
                        "mean of the Poisson distribution of span lengths, tokens; a span may be "
                        "empty"),
                 choice("law", "exact", {"exact", "reference"},
                        "exact: spans do not overlap and hide infill_rate; reference: as in "
                        "fairseq spans may overlap, and hide less"),
                 number("mask_rate", 0, 0, 1,
                        "probability that a token still shown is replaced by a mask"),
                 number("delete_rate", 0, 0, 0.99,
                        "probability that a token still shown is deleted"),
                 number("permute_sentences", 1, 0, 1,
                        "fraction of the sentences, rounded up, that are permuted"),
                 number("rotate", 0, 0, 1,
                        "probability that the text is rotated to start at a random token")},
      .build = build,
      .optimum_kind = optimum_kind,
      .cloze_format = cloze_format,
      .marks_end = [](const Params&) { return false; }};
}

}  // namespace ablate::objectives
