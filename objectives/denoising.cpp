// Denoising (BART): read a text that was damaged, write all of it again.
//
// Steps, in fairseq's order, each on what the one before left:
//   permute   sentences change places, every order of those chosen equally likely, their own too
//   infill    spans of tokens, of Poisson lengths, are each shown as one mask; a span of length 0
//   is
//             a mask that stands for nothing
//   mask      single tokens are shown as masks
//   delete    tokens are left out
//   rotate    the text starts at another token, each equally likely
// A begin token stays first and an end token last; special ids in between are never hidden, though
// they move with what is around them. Targets are the whole text: the decoder pays for every token.
//
// Sentences start where the text's marks say so, for every tokenizer alike. A text without marks is
// one sentence and is not permuted; the fact "sentences" of the record tells.
//
// `law`: in fairseq's code spans start anywhere, may cover each other and swallow each other's
// masks, so .27 of the tokens are hidden where .30 were asked for, and .41 where .50 were: a sweep
// of the rate measures a shorter axis than it names. The exact law, the default, keeps spans apart,
// and rounds to either side so that the mean is the rate for texts of any length (fairseq rounds
// up).
//
// Inputs are never longer than the text: of the masks that stand for nothing, those that would make
// them so are left out, which happens to a noticeable share only where texts have a few tokens, or
// lambda is near or below 1. Rows are as wide as texts for that, not wider.
//
// Optimum: exact for masking alone and for rotation alone; for deletion alone a lower one; none for
// what is composed, nor for infilling.
//
// Source: Lewis et al. 2020, "BART: Denoising Sequence-to-Sequence Pre-training for Natural
// Language Generation, Translation, and Comprehension", arXiv:1910.13461, sections 2.2 and 4;
// fairseq's denoising_dataset.py for the order of steps and the reference law. Differs: spans are
// of tokens, not of whole words; a document's part is a text of its own.

#include <algorithm>

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
    "spans keep apart and hide the stated rate (law: exact), because the reference's overlap and "
    "hide less; law: reference has those\n"
    "stray masks of empty spans never make the inputs longer than the text";

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
  Rng turn = rng.fork(4);
  const bool rotated = turn.probability(settings.rotate);
  if (rotated && !shown.empty())
    std::rotate(shown.begin(), shown.begin() + turn.below(std::ssize(shown)), shown.end());
  std::sort(example.hidden.begin(), example.hidden.end(),
            [](const Hidden& a, const Hidden& b) { return a.position < b.position; });

  if (part.starts_document) example.inputs.push_back(begin_token);
  for (const std::int32_t i : shown)
    example.inputs.push_back(i == kMask ? Token{mask_token}
                                        : text.tokens[static_cast<std::size_t>(i)]);
  if (ends) example.inputs.push_back(end_token);
  const auto whole =
      text.tokens.subspan(part.first - part.starts_document, part.count + part.starts_document);
  example.targets.assign(whole.begin(), whole.end());
  example.weights.assign(whole.size(), 1.0f);
  if (part.starts_document) example.weights.front() = 0;
  if (end == part.first) return example;
  if (settings.permute > 0)
    example.facts.push_back({"sentences", static_cast<double>(starts.size() - 1)});
  if (settings.rotate > 0) example.facts.push_back({"rotated", rotated ? 1.0 : 0.0});
  return example;
}

/// One example for each document's part. A begin token that nothing follows is an example where the
/// text has nothing else.
std::vector<Example> transform(const Settings& settings, const Text& text, Rng rng) {
  std::vector<Example> examples;
  for (const Segment& part : segments(text.tokens))
    examples.push_back(example_of(settings, text, part, rng.fork(examples.size())));
  if (examples.empty())
    examples.push_back({.inputs = {begin_token}, .targets = {begin_token}, .weights = {0}});
  return examples;
}

enum class Alone { none, mask, remove, rotate };

/// The only kind of noise there is, where its optimum is known.
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

/// Under the reference law spans hide what they happen to: nothing is intended.
std::vector<Intended> intended(const Settings& settings) {
  std::vector<Intended> list = {{"prediction", 1, 0.01}};
  if (settings.infill.rate == 0 || settings.infill.distribution == SpanPlacement::exact)
    list.push_back({"corruption",
                    1 - (1 - settings.infill.rate) * (1 - settings.mask) * (1 - settings.remove),
                    0.01});
  if (settings.rotate > 0) list.push_back({"rotated", settings.rotate, 0.01});
  return list;
}

Objective build(const Params& params, const Context&) {
  const auto off = [&](const char* name) { return params.number(name) == 0; };
  if (off("infill_rate") && off("mask_rate") && off("delete_rate") && off("permute_sentences") &&
      off("rotate"))
    reject(
        "denoising: nothing is done to the text, and a copy teaches nothing; set infill_rate, "
        "mask_rate, delete_rate, permute_sentences or rotate above 0");
  const Settings settings{
      .infill = {.rate = params.number("infill_rate"),
                 .distribution = params.text("law") == "exact" ? SpanPlacement::exact
                                                               : SpanPlacement::reference,
                 .lengths = poisson_sums(params.number("lambda"))},
      .mask = params.number("mask_rate"),
      .remove = params.number("delete_rate"),
      .permute = params.number("permute_sentences"),
      .rotate = params.number("rotate")};
  return {
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
      .summary = "read a damaged text, write all of it again",
      .picture = kPicture,
      .source = "Lewis et al. 2020, arXiv:1910.13461, section 2.2",
      .differs = kDiffers,
      .params = {number("infill_rate", 0.3, 0, 0.99,
                        "fraction of the tokens that are hidden in spans, each behind one mask"),
                 number("lambda", 3, 0.5, 32,
                        "mean of the Poisson law of span lengths, tokens; a span may have none"),
                 choice("law", "exact", {"exact", "reference"},
                        "exact: spans keep apart and hide infill_rate; reference: as in fairseq "
                        "they overlap, and hide less"),
                 number("mask_rate", 0, 0, 1,
                        "probability that a token still shown is replaced by a mask"),
                 number("delete_rate", 0, 0, 0.99,
                        "probability that a token still shown is left out"),
                 number("permute_sentences", 1, 0, 1,
                        "fraction of the sentences, rounded up, that change places"),
                 number("rotate", 0, 0, 1,
                        "probability that the text is rotated to start at a random token")},
      .build = build,
      .optimum_kind = optimum_kind};
}

}  // namespace ablate::objectives
