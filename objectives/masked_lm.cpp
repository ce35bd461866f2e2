// Masked language modelling: hide some tokens in place, predict them from the visible ones.
//
// Every token that is not special is hidden with the same probability. Most hidden tokens are shown
// as the mask token, some as a random token (which may happen to be the right one), the rest
// unchanged, so the model cannot know which visible tokens are correct.
//
// Every position consumes one draw, hidden or not, and the replacement of a hidden token is keyed
// by its position: with the same random numbers a higher rate hides the same tokens in the same
// way, and further ones. The corruption does not depend on how many hidden tokens are predicted.
//
// Source: Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding", arXiv:1810.04805, section 3.1 and appendix A.1; whole words: its code of May
// 2019. Static masks: Liu et al. 2019, arXiv:1907.11692, section 4.1. Spans: Joshi et al. 2020,
// arXiv:1907.10529, section 3.1. N-grams: Lan et al. 2020, arXiv:1909.11942, section 4.1. Changing
// rates: Ankner et al. 2024, arXiv:2305.15096. Separate corruption and prediction rates: Wettig et
// al. 2023, arXiv:2202.08005. Read out at the place before: Charpentier & Samuel 2024,
// arXiv:2410.24159, section 2.1.
// Pairs: section 3.1 of Devlin et al.; Lan et al., section 3.1; see segment_pairs.h.

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "objectives/common/masks/masking.h"
#include "objectives/common/masks/readout.h"
#include "objectives/common/masks/turns.h"
#include "objectives/common/pairs/segment_pairs.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a _ c x e f     b hidden by a mask, d by a random token, f kept but scored\n"
    "targets  . b . d . f\n"
    "\n"
    "with format: pair, here of a b c followed by d e f, or broken with label 1\n"
    "inputs   [CLS] a _ c [SEP] x e f [SEP]\n"
    "\n"
    "with readout: next, each target predicted at the place before its own\n"
    "shown    a _ c x e f\n"
    "targets  . b . d . f\n";

constexpr std::string_view kDiffers =
    "random tokens are ordinary ids only, because a special id would be recognisable as noise\n"
    "no unit crosses a special token, because that would join two documents\n"
    "a text has one static mask; Liu et al. alternate between ten\n"
    "counts are rounded in the same way for every unit (SpanBERT's code rounds up), and count only "
    "a text's own tokens (BERT's code also counts [CLS] and [SEP])\n"
    "in text with ASCII punctuation, a word is everything between white space, including "
    "punctuation; in other text, words follow Unicode's rules, by which punctuation is a word of "
    "its own; BERT splits punctuation off\n"
    "n-grams that leave part of their budget, as at high rates, are followed by single words\n"
    "no cap on predictions (20 per text in BERT's code), which silently lowers high rates\n"
    "segments of a pair are distinguished by the separator only, not by segment embeddings\n"
    "a pair is made from one document's part of a text and is no longer than that\n";

struct Settings {
  TokenChannel channel;        // at the start of training
  double final_rate = 0;       // at the end of training
  double prediction_rate = 1;  // at or above the rate: every hidden token
  Masking masking;
  bool fixed = false;   // a text has the same masks every time it is read
  bool turns = false;   // a text hides first what it has hidden least often
  bool before = false;  // a hidden token is read out at the place before its own

  double rate_at(double progress) const {
    return channel.rate + (final_rate - channel.rate) * progress;
  }
  double rate_of(const Text& text) const { return rate_at(text.progress); }

  /// How many of `tokens` were hidden when the text was read before, about: its earlier readings are
  /// taken to be evenly spaced.
  std::int64_t hidden_before(const Text& text, std::int64_t tokens) const {
    double times = 0;  // that each token was hidden
    for (std::int64_t pass = 0; pass < text.pass; ++pass)
      times += rate_at(text.progress * (static_cast<double>(pass) + 0.5) /
                       (static_cast<double>(text.pass) + 0.5));
    return static_cast<std::int64_t>(std::nearbyint(times * static_cast<double>(tokens)));
  }
};

/// How a hidden token is shown, given a uniform draw from [0, 1).
HiddenAs shown_as(const TokenChannel& channel, double draw) {
  if (draw < channel.mask) return HiddenAs::mask;
  return draw < channel.mask + channel.random ? HiddenAs::random : HiddenAs::keep;
}

/// Each position uses its own draw; for spans a run of hidden tokens uses the draw of its first
/// one.
void show(const Settings& settings, std::span<const std::int32_t> positions, Rng rng,
          Example& example) {
  const Rng how = rng.fork(0);
  example.hidden.reserve(positions.size());
  double draw = 0;
  std::int32_t next = -1;  // the position that would continue the run
  for (const std::int32_t position : positions) {
    Rng own = how.fork(static_cast<std::uint64_t>(position));
    const double of_own = own.uniform();
    if (settings.masking.unit != MaskUnit::span || position != next) draw = of_own;
    next = position + 1;
    const HiddenAs as = shown_as(settings.channel, draw);
    Token& input = example.inputs[static_cast<std::size_t>(position)];
    if (as == HiddenAs::mask) input = mask_token;
    if (as == HiddenAs::random)
      input = special_count + static_cast<Token>(own.below(settings.channel.ordinary));
    example.hidden.push_back({position, as});
  }
}

/// The scored positions: all hidden ones, or a uniformly drawn subset of them.
Positions scored(const Settings& settings, const Text& text, Positions hidden, Rng rng) {
  const double rate = settings.rate_of(text);
  if (settings.prediction_rate >= rate || hidden.empty()) return hidden;
  const Rng which = rng.fork(1);
  if (settings.masking.exact)
    return choose_exactly(
        hidden, std::min(std::ssize(hidden), exact_count(hideable(text), settings.prediction_rate)),
        which);
  const std::uint64_t threshold = Rng::threshold(settings.prediction_rate / rate);
  std::erase_if(hidden, [&](std::int32_t position) {
    return !which.happens(static_cast<std::uint64_t>(position), threshold);
  });
  return hidden;
}

std::vector<Example> transform(const Settings& settings, const Text& text, Rng rng) {
  if (settings.fixed) rng = text.own;
  std::vector<Example> examples(1);
  Example& example = examples.front();
  example.inputs.assign(text.tokens.begin(), text.tokens.end());
  example.targets = example.inputs;
  example.weights.assign(text.tokens.size(), 0.0f);
  Positions hidden = hide(settings.masking, text, settings.rate_of(text), rng);
  if (settings.turns)  // as many, others
    hidden = next_in_turn(text, settings.hidden_before(text, hideable(text)), std::ssize(hidden));
  show(settings, hidden, rng, example);
  for (const std::int32_t position : scored(settings, text, std::move(hidden), rng))
    example.weights[static_cast<std::size_t>(position)] = 1;
  if (settings.masking.unit != MaskUnit::token)
    example.facts = {{"word_marks", knows_words(text) ? 1.0 : 0.0}};
  return examples;
}

/// The channel that hid the text's tokens. Exact if tokens are hidden independently, for any
/// fraction scored. Otherwise it ignores what one hidden token says about others, and a good model
/// may do better.
TokenChannel channel_of(const Settings& settings, const Text& text) {
  TokenChannel channel = settings.channel;
  channel.rate = settings.rate_of(text);
  const std::int64_t tokens = settings.masking.exact ? hideable(text) : 0;
  if (tokens > 0)
    channel.rate =
        static_cast<double>(exact_count(tokens, channel.rate)) / static_cast<double>(tokens);
  return channel;
}

/// Whether a hidden token is read out at the place before its own.
bool reads_before(const Params& params) {
  return params.has("readout") && params.text("readout") == "next";
}

Settings settings_of(const Params& params, const Context& context) {
  Settings settings{.channel = {.rate = params.number("rate"),
                                .mask = params.number("mask_share"),
                                .random = params.number("random_share"),
                                .ordinary = context.vocabulary.ordinary},
                    .masking = masking_of(params),
                    .fixed = params.text("masks") == "static",
                    .turns = params.text("masks") == "in_turn",
                    .before = reads_before(params)};
  settings.final_rate = settings.channel.rate;
  if (params.has("final_rate")) settings.final_rate = params.number("final_rate");
  if (params.has("prediction_rate")) settings.prediction_rate = params.number("prediction_rate");
  return settings;
}

void check(const Params& params, const Settings& settings) {
  const TokenChannel& channel = settings.channel;
  if (channel.mask + channel.random > 1 + 1e-12)
    reject(
        "masked_lm: mask_share = {:g} and random_share = {:g} sum to more than 1; their sum is at "
        "most 1, and the remaining hidden tokens are kept; lower one",
        channel.mask, channel.random);
  const double minimum = std::min(channel.rate, settings.final_rate);
  if (params.has("prediction_rate") && settings.prediction_rate > minimum)
    reject(
        "masked_lm: prediction_rate = {:g} is above the rate, {:g}; only hidden tokens are "
        "predicted, because a visible token can be copied; lower it, or raise the rate",
        settings.prediction_rate, minimum);
  if (settings.fixed && settings.final_rate != channel.rate)
    reject(
        "masked_lm: masks = \"static\" and final_rate = {:g} contradict each other: a changing "
        "rate changes the masks; drop one of them",
        settings.final_rate);
  if (settings.turns && settings.masking.unit != MaskUnit::token)
    reject(
        "masked_lm: masks = \"in_turn\" is of single tokens, and unit is \"{}\"; drop one of them",
        params.text("unit"));
  if (settings.turns && params.text("format") == "pair")
    reject(
        "masked_lm: masks = \"in_turn\" is of plain texts, and format is \"pair\", which is cut "
        "anew "
        "each time; drop one of them");
  if (settings.before && params.text("format") == "pair")
    reject(
        "masked_lm: readout = \"next\" is of plain texts, and format is \"pair\"; drop one of "
        "them");
}

/// Whether part of a text's budget may stay unused, because no word that is left fits into it.
bool leaves_some(const Masking& masking) {
  return masking.unit == MaskUnit::ngram || (masking.unit == MaskUnit::whole_word && masking.exact);
}

/// Tolerances allow for sampling a rate schedule at discrete steps, for rounding to integer counts,
/// and for static masks, of which a small corpus has few however often it is read.
std::vector<Intended> intended(const Settings& settings, std::int64_t text_length) {
  const TokenChannel& channel = settings.channel;
  const double rate = channel.rate, last = settings.final_rate;
  const double corruption = (rate + last) / 2;
  double tolerance = 0.01 + 0.05 * std::abs(last - rate);
  if (settings.masking.exact)
    tolerance += 1 / static_cast<double>(std::max<std::int64_t>(1, text_length));
  if (settings.fixed) tolerance += 0.04;
  // The first token of a window has no place before it that could predict it.
  const double unread =
      settings.before ? 1 / static_cast<double>(std::max<std::int64_t>(1, text_length)) : 0;
  const bool at_most = leaves_some(settings.masking);
  return {
      {"corruption", corruption, tolerance, at_most},
      {"prediction", std::min(corruption, settings.prediction_rate), tolerance + unread, at_most},
      {"mask", channel.mask, tolerance},
      {"random", channel.random, tolerance},
      {"keep", channel.keep(), tolerance}};
}

Objective build(const Params& params, const Context& context) {
  const Settings settings = settings_of(params, context);
  check(params, settings);
  const auto channel = [settings](const Text& text) { return channel_of(settings, text); };
  Objective on_text = {
      .needs = {.attention = Attention::bidirectional, .alignment = Alignment::in_place},
      .transform = [settings](const Text& text, Rng rng) { return transform(settings, text, rng); },
      .optimum =
          [channel](const Chain& language, const Text& text, const Example& example) {
            return optimum_through(channel(text), language, text, example);
          },
      .context_free =
          [settings](std::span<const double> unigram, const Text&, const Example& example) {
            return context_free_through(settings.channel, unigram, example);
          },
      .intended = intended(settings, context.text_length),
      .cloze = unmasked_left_to_right,
      .cloze_hidden = partly_masked};
  if (settings.before) return read_before(on_text);
  return pair_objective(params, std::move(on_text), channel, settings.fixed);
}

/// A model of pairs has seen no single text.
ClozeFormat cloze_format(const Params& params) {
  return params.text("format") == "plain" ? ClozeFormat::told_length : ClozeFormat::none;
}

OptimumKind optimum_kind(const Params& params) {
  const bool independent = params.text("count") == "bernoulli" && params.text("unit") == "token";
  return pair_optimum_kind(params, independent ? OptimumKind::exact : OptimumKind::upper);
}

/// Tokens at 15 % and, of a model with a pair head, the labels of both kinds of pairs: does one that
/// was trained to tell the order of segments know which segment is the next one, and the reverse?
std::vector<CommonSetting> common_settings(const Params& params) {
  Json at_15 = {{"rate", 0.15}};
  if (reads_before(params)) at_15["readout"] = "next";
  std::vector<CommonSetting> settings = {{"at_15", std::move(at_15)}};
  if (pair_heads(params).empty()) return settings;
  for (const char* pair : {"nsp", "sop"})
    settings.push_back(
        {.name = pair, .params = {{"format", "pair"}, {"pair", pair}}, .of_heads = true});
  return settings;
}

std::vector<Param> params() {
  std::vector<Param> rows = {
      number("rate", 0.15, 0.001, 1, "fraction of the tokens hidden; special ones never are"),
      number("mask_share", 0.8, 0, 1,
             "fraction of the hidden tokens that are shown as the mask token"),
      number("random_share", 0.1, 0, 1,
             "fraction of the hidden tokens that are shown as a random ordinary token; the others "
             "are shown unchanged"),
      choice("count", "bernoulli", {"bernoulli", "exact"},
             "bernoulli: each token independently, so the number hidden varies; exact: rate times "
             "the number of tokens in each text, ties rounded to even, at least one. Whole words "
             "are drawn independently (bernoulli) or tried in random order while they fit (exact); "
             "spans hide as many tokens as single tokens would; n-grams hide at most as many, and "
             "less where no word fits into what is left, as in short texts of long words"),
      choice("unit", "token", {"token", "whole_word", "span", "ngram"},
             "what is hidden together. token: one token; whole_word: the tokens of a word; span: a "
             "run of words of geometric length (p = .2, at most 10), all shown in the same way; "
             "ngram: 1 to 3 words, n with probability proportional to 1/n. In a text without word "
             "marks (the fact word_marks is 0) every token is a word"),
      choice("masks", "dynamic", {"dynamic", "static", "in_turn"},
             "dynamic: masks are drawn each time a text is read; static: once for each text; "
             "in_turn: as many as dynamic, starting with the tokens that were hidden least often "
             "in earlier readings of the text"),
      optional(number("final_rate", Json(), 0.001, 1,
                      "the rate at the end of training, linear in between; absent: the same rate "
                      "throughout. Held-out text is always read at the final rate")),
      optional(number("prediction_rate", Json(), 0.001, 1,
                      "fraction of the tokens that are predicted, at most the rate, drawn evenly "
                      "from the hidden ones; absent: all hidden tokens")),
      optional(choice("readout", nullptr, {"in_place", "next"},
                      "where a hidden token is read out. in_place: at its own place; next: at the "
                      "place before, as a causal model reads out the next token; absent: in_place"),
               "in_place")};
  for (Param& row : pair_params()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

ObjectiveSpec masked_lm_objective() {
  return {.name = "masked_lm",
          .summary = "hide some tokens in place, predict them from the visible ones",
          .picture = kPicture,
          .source = "Devlin et al. 2019, arXiv:1810.04805, section 3.1",
          .differs = kDiffers,
          .params = params(),
          .build = build,
          .optimum_kind = optimum_kind,
          .generation = [](const Params&) { return Generation::unmasking; },
          .predicts_in_place = [](const Params& own) { return !reads_before(own); },
          .further_heads = pair_heads,
          .cloze_format = cloze_format,
          .common_settings = common_settings};
}

}  // namespace ablate::objectives
