// Fill in the middle: a causal model learns to infill from texts whose middle is moved to the end.
//
//   prefix first  (PSM)     <prefix> a b <suffix> e f <middle> c d <end_middle>
//   suffix first  (SPM, v2) <prefix> <suffix> e f <middle> a b c d <end_middle>
//   suffix first  (SPM, v1) <suffix> e f <prefix> a b <middle> c d <end_middle>
//
// The two cuts are independent uniform draws over the positions between tokens, including both
// ends, so parts may be empty, and each has a third of the text on average. All three parts and the
// marks are scored; <end_middle> matters most, because it says that the middle now meets the
// suffix. A begin token stays first and an end token last, after <end_middle>. Texts that are not
// transformed, and texts without ordinary tokens, are the same as in causal_lm.
//
// A text's draws do not depend on the rates: with the same random numbers a higher rate transforms
// the same texts at the same cuts, and further texts.
//
// In v2 the prefix runs into the middle, so the text looks like PSM with an empty prefix. Neither
// the form nor the end of the prefix can be read from the inputs; the optimum sums over all cases.
//
// `split`: `token` never cuts a token, so a model with longer tokens does not learn to infill from
// inside one (random spans of code in the paper's table: .10 of the tests passed against .32).
// `character` cuts between UTF-8 characters. This needs ids that are bytes: 256 ordinary ids are
// taken to be the bytes in order. A window that starts or ends inside a character leaves that
// character cut.
//
// `level`: `context` cuts windows first and then transforms each document's part separately; rows
// have room for the marks, so no middle is cut off. `document` transforms complete documents and
// then cuts them into windows, so a window may contain a suffix without its prefix. Windows are
// lengthened by their fraction of the marks: a window that starts a third into a document starts a
// third into the rearranged document. Documents are rearranged again each time the corpus is read.
// Each document's part is a separate example under every packing.
//
// No optimum is stated for `level: document`, because it depends on text outside the window.
//
// Generation: text sampled after a begin token with marks excluded is plain text. At rate 1 the
// model never saw plain text; that its samples are then poor is a finding, not a fault.
//
// Source: Bavarian et al. 2022, "Efficient Training of Language Models to Fill in the Middle",
// arXiv:2207.14255, sections 3 and 4 and the appendix on SPM.

#include <algorithm>

#include "harness/base/error.h"
#include "objectives/common/optimum/left_to_right.h"
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
    "the token that ends the middle differs from the one that ends a document\n"
    "with level: document the windows of a document are lengthened to hold its marks; in the paper "
    "windows are cut after all documents are joined, and marks shift all later text to later "
    "windows";

using Tokens = std::span<const Token>;
using Size = std::size_t;

/// The complete document that contains a text; the text itself if documents cannot be read.
Tokens document_of(const Text& text) {
  return text.other_document ? text.other_document(text.document).tokens : text.tokens;
}

/// A window of a rearranged document. Only the first window of a document carries its facts.
std::vector<Example> transform_document(const MiddleDistribution& distribution, const Text& text) {
  const Tokens document = document_of(text);
  Arrangement made = arranged(distribution, document, text.shared);
  const Size size = size_of(made.passages), first = static_cast<Size>(text.offset);
  const auto place = [&](Size token) { return token * size / document.size(); };
  Example example = example_of(made.passages, place(first), place(first + text.tokens.size()));
  if (first == 0) example.facts = std::move(made.facts);
  return {std::move(example)};
}

/// One example for each document's part. A begin token that nothing follows becomes an example only
/// if the text contains nothing else.
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

/// The number of scored tokens, without marks, of the document or part that is transformed.
double tokens_of(const MiddleDistribution& distribution, const Text& text, const Example& example) {
  if (distribution.documents) {
    const Tokens document = document_of(text);
    return static_cast<double>(document.size()) - (document.front() == begin_token ? 1 : 0);
  }
  const auto is_text = [](Token token) {
    return token != begin_token && !(token >= prefix_token && token <= end_middle_token);
  };
  return static_cast<double>(
      std::count_if(example.targets.begin(), example.targets.end(), is_text));
}

constexpr std::string_view kSuffixFirst = "spm", kPrefixFirst = "psm";

/// What is shown of the right side. An end token stands after the middle in training, so it is not
/// shown; nor is what is right of a further blank, since the format has one.
Tokens shown_right(const Cloze& cloze) {
  Tokens right = cloze.right;
  right =
      right.first(static_cast<std::size_t>(std::ranges::find(right, mask_token) - right.begin()));
  if (!right.empty() && right.back() == end_token) right = right.first(right.size() - 1);
  return right;
}

/// Without anything to the right, or where no text is transformed, plain text.
std::vector<Example> cloze_of(const MiddleDistribution& distribution, bool suffix_first,
                              const Cloze& cloze) {
  if (cloze.right.empty() || !(distribution.rate > 0)) return continuation(cloze);
  const Tokens begin = cloze.left.first(1), left = cloze.left.subspan(1);
  const Tokens right = shown_right(cloze);
  Passages shown;
  if (!suffix_first)
    shown = {begin, mark(prefix_token), left, mark(suffix_token), right, mark(middle_token)};
  else if (distribution.first_form)
    shown = {begin, mark(suffix_token), right, mark(prefix_token), left, mark(middle_token)};
  else
    shown = {begin, mark(prefix_token), mark(suffix_token), right, mark(middle_token), left};
  Example example = example_of(shown, 0, size_of(shown));
  std::fill(example.weights.begin(), example.weights.end(), 0.0f);
  example.targets.insert(example.targets.end(), cloze.target.begin(), cloze.target.end());
  example.weights.resize(example.targets.size(), 1.0f);
  return {std::move(example)};
}

std::vector<Example> stop_of(const MiddleDistribution& distribution, bool suffix_first,
                             const Cloze& cloze) {
  if (cloze.right.empty() || !(distribution.rate > 0)) return continuation_stop(cloze);
  return {scored_stop(std::move(cloze_of(distribution, suffix_first, cloze).front()),
                      end_middle_token)};
}

/// Suffix first comes first where the model has seen that order, since the middle then follows what
/// is left of it. The other order is asked even of a model that has never seen it: the marks are the
/// same.
std::vector<std::string_view> cloze_orders(const Params& params) {
  if (!(params.number("rate") > 0)) return {};
  if (params.number("spm_rate") > 0) return {kSuffixFirst, kPrefixFirst};
  return {kPrefixFirst, kSuffixFirst};
}

ClozeFormat cloze_format(const Params& params) {
  return params.number("rate") > 0 ? ClozeFormat::both_sides : ClozeFormat::left;
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
        "vocabulary has {} ordinary ids; read the text as bytes, or set split to \"token\"",
        context.vocabulary.ordinary);
  const std::int64_t marks = distribution.rate > 0 ? 4 : 0;
  const bool suffix_first = distribution.spm_rate > 0;
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
      .intended = {{"fim", distribution.rate, 0.01}},
      .cloze = [=](const Cloze& cloze) { return cloze_of(distribution, suffix_first, cloze); },
      .cloze_stop = [=](const Cloze& cloze) { return stop_of(distribution, suffix_first, cloze); }};
  for (const std::string_view order : cloze_orders(params))
    objective.cloze_orders.push_back(
        {.cloze =
             [=](const Cloze& cloze) {
               return cloze_of(distribution, order == kSuffixFirst, cloze);
             },
         .cloze_stop =
             [=](const Cloze& cloze) {
               return stop_of(distribution, order == kSuffixFirst, cloze);
             }});
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
      .summary = "move the middle of some texts to the end, predict every token in that order",
      .picture = kPicture,
      .source = "Bavarian et al. 2022, arXiv:2207.14255, section 3",
      .differs = kDiffers,
      .params = {number("rate", 0.5, 0, 1, "fraction of the texts that are transformed"),
                 number("spm_rate", 0.5, 0, 1,
                        "fraction of the transformed texts that show the suffix first"),
                 choice("spm_form", "v2", {"v2", "v1"},
                        "format of texts that show the suffix first. v2: <prefix> <suffix> suffix "
                        "<middle> prefix middle, which prefix-first texts help to learn; v1: "
                        "<suffix> suffix <prefix> prefix <middle> middle"),
                 choice("split", "token", {"token", "character"},
                        "where cuts may fall: between tokens, or between UTF-8 characters (if "
                        "every id is a byte)"),
                 choice("level", "context", {"context", "document"},
                        "what is rearranged: each window's part of a document, or the whole "
                        "document before it is cut into windows")},
      .build = build,
      .optimum_kind = optimum_kind,
      .generation = [](const Params&) { return Generation::ancestral; },
      .cloze_format = cloze_format,
      .cloze_orders = cloze_orders,
      .common_settings =
          [](const Params&) {
            return std::vector<CommonSetting>{{"left_to_right", {{"rate", 0}}}};
          }};
}

}  // namespace ablate::objectives
