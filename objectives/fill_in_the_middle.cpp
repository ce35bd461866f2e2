// Fill in the middle: a causal model learns to infill from texts whose middle was moved to the end.
//
//   prefix first  (PSM)     <prefix> a b <suffix> e f <middle> c d <end_middle>
//   suffix first  (SPM, v2) <prefix> <suffix> e f <middle> a b c d <end_middle>
//   suffix first  (SPM, v1) <suffix> e f <prefix> a b <middle> c d <end_middle>
//
// Two independent uniform draws over the places between tokens, both ends among them, are the two
// cuts: parts may be empty, and each is a third of the text on average. All three parts and the
// marks are scored, <end_middle> above all, which says that the middle now meets the suffix. A
// begin token stays first, and an end token last, after <end_middle>. Texts that are not
// transformed are those of causal_lm, as is a text without tokens of its own.
//
// Every text makes all its draws whatever the rates are: with the same random numbers a higher rate
// transforms the same texts, cut at the same places, and more.
//
// In v2 the prefix runs into the middle, so the text looks like one of PSM whose prefix is empty:
// nothing shown tells which of the two it is, nor where the prefix ended. The optimum sums over
// both.
//
// What `split` covers: at the level of tokens no token is ever cut, so a model of longer tokens
// never learns to infill from inside of one (random spans of code: .10 of the tests passed against
// .32, in the paper's table). At the level of characters cuts fall between UTF-8 characters, which
// ids alone tell only where each is a byte: 256 ordinary ids are taken to be the bytes in order. A
// window that itself starts or ends inside of a character leaves that one cut.
//
// What the paper calls context level is what happens here: windows are cut first, then each
// document's part is transformed on its own, and rows have room for the marks, so no middle is ever
// cut off. Its document level, whole documents transformed and cut into windows afterwards, is not
// offered: a transform is given a window's part of a document and no more. That part is an example
// of its own under every packing.
//
// Generation: a draw from a begin token that may not be a mark is plain text. At rate 1 the model
// was never taught any; that it then makes poor text is a finding, not a fault.
//
// Source: Bavarian et al. 2022, "Efficient Training of Language Models to Fill in the Middle",
// arXiv:2207.14255, sections 3 and 4 and the appendix on SPM.

#include <algorithm>

#include "harness/base/error.h"
#include "objectives/middle_law.h"

namespace ablate {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   (none)\n"
    "targets  <prefix> a b <suffix> e f <middle> c d <end_middle>     or, suffix first,\n"
    "         <prefix> <suffix> e f <middle> a b c d <end_middle>     or a b c d e f\n";

constexpr std::string_view kDiffers =
    "cuts fall between tokens by default, because most vocabularies cannot be cut finer\n"
    "the mark that ends the middle is not the one that ends a document\n"
    "whole documents that are rearranged before they are cut into windows (the paper's document "
    "level) are not offered: a text is a window's part of a document";

using Tokens = std::span<const Token>;
using Size = std::size_t;

/// Where the middle starts and where the suffix does.
struct Cuts {
  Size middle = 0;
  Size suffix = 0;
};

Cuts draw_cuts(const MiddleLaw& law, Tokens text, Rng& rng) {
  std::vector<Size> places;
  if (law.characters) places = character_places(text);
  const Size count = law.characters ? places.size() : text.size() + 1;
  Size first = static_cast<Size>(rng.below(static_cast<std::int64_t>(count)));
  Size second = static_cast<Size>(rng.below(static_cast<std::int64_t>(count)));
  if (first > second) std::swap(first, second);
  if (law.characters) return {places[first], places[second]};
  return {first, second};
}

enum class Form { psm, spm_v1, spm_v2 };

void arrange(Tokens text, Cuts cuts, Form form, std::vector<Token>& targets) {
  const auto add = [&](Tokens part) { targets.insert(targets.end(), part.begin(), part.end()); };
  const Tokens prefix = text.first(cuts.middle), suffix = text.subspan(cuts.suffix);
  targets.push_back(form == Form::spm_v1 ? suffix_token : prefix_token);
  if (form == Form::psm) add(prefix);
  if (form != Form::spm_v1) targets.push_back(suffix_token);
  add(suffix);
  if (form == Form::spm_v1) targets.push_back(prefix_token);
  if (form == Form::spm_v1) add(prefix);
  targets.push_back(middle_token);
  if (form == Form::spm_v2) add(prefix);
  add(text.subspan(cuts.middle, cuts.suffix - cuts.middle));
  targets.push_back(end_middle_token);
}

/// The example of one document's part: its tokens, the end token among them, without a begin token.
Example example_of(const MiddleLaw& law, Tokens part, bool begins, Rng rng) {
  const bool ends = !part.empty() && part.back() == end_token;
  const Tokens text = part.first(part.size() - (ends ? 1 : 0));
  const bool transformed = rng.chance(law.rate) && !text.empty();
  const bool suffix_first = rng.chance(law.spm_rate);
  Example example;
  example.targets.reserve(part.size() + 5);
  if (begins) example.targets.push_back(begin_token);
  if (transformed) {
    const Cuts cuts = draw_cuts(law, text, rng);
    const Form spm = law.first_form ? Form::spm_v1 : Form::spm_v2;
    arrange(text, cuts, suffix_first ? spm : Form::psm, example.targets);
    if (ends) example.targets.push_back(end_token);
    example.facts = {{"fim", 1}, {"spm", suffix_first ? 1.0 : 0.0}};
  } else {
    example.targets.insert(example.targets.end(), part.begin(), part.end());
    if (!text.empty()) example.facts = {{"fim", 0}};
  }
  example.weights.assign(example.targets.size(), 1.0f);
  if (begins) example.weights.front() = 0;
  return example;
}

/// One example for each document's part. A begin token that nothing follows is an example where the
/// text has nothing else.
std::vector<Example> transform(const MiddleLaw& law, const Text& text, Rng rng) {
  std::vector<Example> examples;
  for (const Segment& segment : segments(text.tokens))
    examples.push_back(example_of(law, text.tokens.subspan(segment.first, segment.count),
                                  segment.starts_document, rng.fork(examples.size())));
  if (examples.empty()) examples.push_back(example_of(law, {}, true, rng.fork(0)));
  return examples;
}

Objective build(const Params& params, const Context& context) {
  const MiddleLaw law{.rate = params.number("rate"),
                      .spm_rate = params.number("spm_rate"),
                      .first_form = params.text("spm_form") == "v1",
                      .characters = params.text("split") == "character"};
  if (law.characters && context.vocabulary.ordinary != 256)
    reject(
        "fill_in_the_middle: split = \"character\" needs ids that are bytes, 256 of them; this "
        "vocabulary has ",
        context.vocabulary.ordinary,
        " ordinary ids; read the text as bytes, or set split to \"token\"");
  const std::int64_t marks = law.rate > 0 ? 4 : 0;
  Objective objective{
      .needs = {.attention = Attention::causal,
                .alignment = Alignment::continuation,
                .unit = Unit::document,
                .reads = false},
      .transform = [law](const Text& text, Rng rng) { return transform(law, text, rng); },
      .optimum = [law](const Chain& language, const Text&,
                       const Example& example) { return optimum_of(law, language, example); },
      .context_free =
          [law](std::span<const double> unigram, const Text&, const Example& example) {
            return context_free_of(law, unigram, example);
          },
      .lengths =
          [marks](std::int64_t tokens) {
            return Lengths{.targets = tokens + marks, .both = tokens + marks};
          },
      .intended = {{"fim", law.rate, 0.01}}};
  if (law.rate > 0) objective.intended.push_back({"spm", law.spm_rate, 0.01});
  return objective;
}

OptimumKind optimum_kind(const Params& params) {
  return params.number("rate") > 0 ? OptimumKind::lower : OptimumKind::exact;
}

}  // namespace

ObjectiveSpec fill_in_the_middle_objective() {
  return {
      .name = "fill_in_the_middle",
      .summary = "move the middle of some texts to their end, predict every token in that order",
      .picture = kPicture,
      .source = "Bavarian et al. 2022, arXiv:2207.14255, section 3",
      .differs = kDiffers,
      .params = {number("rate", 0.5, 0, 1, "fraction of the texts that are transformed"),
                 number("spm_rate", 0.5, 0, 1,
                        "fraction of the transformed texts that show the suffix first"),
                 choice("spm_form", "v2", {"v2", "v1"},
                        "how those are written: v2, <prefix> <suffix> suffix <middle> prefix "
                        "middle, which prefix-first texts help to learn; v1, <suffix> suffix "
                        "<prefix> prefix <middle> middle"),
                 choice("split", "token", {"token", "character"},
                        "what cuts fall between: tokens, or UTF-8 characters where every id is "
                        "a byte")},
      .build = build,
      .optimum_kind = optimum_kind,
      .generation = Generation::ancestral};
}

}  // namespace ablate
