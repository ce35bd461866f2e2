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
// What `level` chooses: at the level of the context windows are cut first, then each document's
// part is transformed on its own, and rows have room for the marks, so no middle is ever cut off.
// At the level of the document whole documents are transformed and cut into windows afterwards, so
// that a window may hold a suffix without its prefix. Windows are as long as they would be
// otherwise, plus their share of the marks: the one that starts a third into a document starts a
// third into what it was rearranged to. A document is rearranged anew each time the corpus is read.
// A document's part is an example of its own under every packing.
//
// No optimum is stated for the level of the document: what a window is a part of lies outside of
// it.
//
// Generation: a draw from a begin token that may not be a mark is plain text. At rate 1 the model
// was never taught any; that it then makes poor text is a finding, not a fault.
//
// Source: Bavarian et al. 2022, "Efficient Training of Language Models to Fill in the Middle",
// arXiv:2207.14255, sections 3 and 4 and the appendix on SPM.

#include <algorithm>

#include "harness/base/error.h"
#include "objectives/common/rearrange/middle_distribution.h"
#include "objectives/common/rearrange/rearranging.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   (none)\n"
    "targets  <prefix> a b <suffix> e f <middle> c d <end_middle>     or, suffix first,\n"
    "         <prefix> <suffix> e f <middle> a b c d <end_middle>     or a b c d e f\n";

constexpr std::string_view kDiffers =
    "cuts fall between tokens by default, because most vocabularies cannot be cut finer\n"
    "the mark that ends the middle is not the one that ends a document\n"
    "at the level of documents a document's windows share its marks; in the paper windows are cut "
    "after all documents were joined, and marks push later text on";

using Tokens = std::span<const Token>;
using Size = std::size_t;

/// The document that a text is a part of, as a whole where others can be read.
Tokens document_of(const Text& text) {
  return text.other_document ? text.other_document(text.document).tokens : text.tokens;
}

/// A window of a document that was rearranged as a whole. What was done to the document is said by
/// its first window alone.
std::vector<Example> transform_document(const MiddleDistribution& distribution, const Text& text) {
  const Tokens whole = document_of(text);
  Arrangement made = arranged(distribution, whole, text.shared);
  const Size size = size_of(made.passages), first = static_cast<Size>(text.offset);
  const auto place = [&](Size token) { return token * size / whole.size(); };
  Example example = example_of(made.passages, place(first), place(first + text.tokens.size()));
  if (first == 0) example.facts = std::move(made.facts);
  return {std::move(example)};
}

/// One example for each document's part. A begin token that nothing follows is an example where the
/// text has nothing else.
std::vector<Example> transform_parts(const MiddleDistribution& distribution, const Text& text,
                                     Rng rng) {
  std::vector<Example> examples;
  const auto add = [&](Tokens part) {
    Arrangement made = arranged(distribution, part, rng.fork(examples.size()));
    examples.push_back(example_of(made.passages, 0, size_of(made.passages)));
    examples.back().facts = std::move(made.facts);
  };
  for (const Segment& segment : segments(text.tokens)) {
    const Size begin = segment.starts_document ? 1 : 0;
    add(text.tokens.subspan(segment.first - begin, segment.count + begin));
  }
  if (examples.empty()) add(mark(begin_token));
  return examples;
}

/// Scored tokens, before any marks, of what is transformed as one.
double tokens_of(const MiddleDistribution& distribution, const Text& text, const Example& example) {
  if (distribution.documents) {
    const Tokens whole = document_of(text);
    return static_cast<double>(whole.size()) - (whole.front() == begin_token ? 1 : 0);
  }
  const auto is_text = [](Token token) {
    return token != begin_token && !(token >= prefix_token && token <= end_middle_token);
  };
  return static_cast<double>(
      std::count_if(example.targets.begin(), example.targets.end(), is_text));
}

Objective build(const Params& params, const Context& context) {
  const MiddleDistribution distribution{.rate = params.number("rate"),
                                        .spm_rate = params.number("spm_rate"),
                                        .first_form = params.text("spm_form") == "v1",
                                        .characters = params.text("split") == "character",
                                        .documents = params.text("level") == "document"};
  if (distribution.characters && context.vocabulary.ordinary != 256)
    reject(
        "fill_in_the_middle: split = \"character\" needs ids that are bytes, 256 of them; this "
        "vocabulary has ",
        context.vocabulary.ordinary,
        " ordinary ids; read the text as bytes, or set split to \"token\"");
  const std::int64_t marks = distribution.rate > 0 ? 4 : 0;
  Objective objective{
      .needs = {.attention = Attention::causal,
                .alignment = Alignment::continuation,
                .unit = Unit::document,
                .reads = false},
      .transform =
          [distribution](const Text& text, Rng rng) {
            return distribution.documents ? transform_document(distribution, text)
                                          : transform_parts(distribution, text, rng);
          },
      .optimum =
          [distribution](const Chain& language, const Text&, const Example& example) {
            return optimum_of(distribution, language, example);
          },
      .context_free =
          [distribution](std::span<const double> unigram, const Text& text,
                         const Example& example) {
            return context_free_of(distribution, unigram, example,
                                   tokens_of(distribution, text, example));
          },
      .lengths =
          [marks](std::int64_t tokens) {
            return Lengths{.targets = tokens + marks, .both = tokens + marks};
          },
      .intended = {{"fim", distribution.rate, 0.01}}};
  if (distribution.rate > 0) objective.intended.push_back({"spm", distribution.spm_rate, 0.01});
  return objective;
}

OptimumKind optimum_kind(const Params& params) {
  if (!(params.number("rate") > 0)) return OptimumKind::exact;
  return params.text("level") == "document" ? OptimumKind::none : OptimumKind::lower;
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
                        "a byte"),
                 choice("level", "context", {"context", "document"},
                        "what is rearranged: each window's part of a document, or the document "
                        "before it is cut into windows")},
      .build = build,
      .optimum_kind = optimum_kind,
      .generation = Generation::ancestral,
      .common_settings = {{"left_to_right", {{"rate", 0}}}}};
}

}  // namespace ablate::objectives
