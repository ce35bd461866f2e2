// Permutation language modelling: predict tokens one after the other in an order that is drawn for each
// text, each from all those that come before it in the order, wherever they stand.
//
// A token is read at its own place and predicted at another one, its query, which has its position and
// sees everything that comes before it in the order, but not the token. So what a place may see is one
// interval if the places are laid out in the order of prediction: the context first, then the predicted
// tokens, then their queries. For the exact predictor every order comes to the same total: -log P of the
// predicted tokens given the context.
//
// partial: XLNet's. A part of the tokens is predicted, the others are context, which sees itself as a
// whole. uniform: every token is predicted, in a uniformly random order, so that the model is one of any
// conditional (sigma-GPT). text: from left to right, ends of documents included: causal language modelling
// in two streams.
//
// Source: Yang et al. 2019, "XLNet: Generalized Autoregressive Pretraining for Language Understanding",
// arXiv:1906.08237, section 2. Pannatier et al. 2024, "sigma-GPTs: A New Approach to Autoregressive
// Models", arXiv:2404.09562, section 2.

#include <algorithm>
#include <numeric>

#include "harness/base/shuffle.h"
#include "harness/contract/objective.h"
#include "harness/contract/params.h"
#include "objectives/common/joined.h"
#include "objectives/common/masks/masking.h"
#include "objectives/common/optimum/hidden_optimum.h"
#include "objectives/common/optimum/left_to_right.h"
#include "objectives/common/orders/partial_prediction.h"
#include "objectives/common/orders/two_streams.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f     b, e and f are predicted, in the order e b f\n"
    "inputs   a c d e b f     context, then the predicted tokens in their order\n"
    "         _ _ _           their queries, at the positions of e, b and f\n"
    "targets  e b f           e from a c d; b from a c d e; f from a c d e b\n";

constexpr std::string_view kDiffers =
    "documents are kept apart, and nothing is carried over from the text before (XLNet keeps the "
    "states "
    "of the last segment)\n"
    "with `block`, the order within each block is drawn anew; XLNet draws one for all blocks of a "
    "text\n"
    "n-grams are of tokens by default, as in XLNet's code, which counts every token after a word's "
    "first "
    "one as a word; the paper speaks of words (grams: words)\n"
    "sigma-GPT adds the position of the next token to that of the present one; here the next token "
    "has a "
    "place of its own\n"
    "a text that ends before its document does is closed by a separator, which says how long it "
    "is\n"
    "special tokens are context, so the loss is given where documents start and end; in text order "
    "ends "
    "are predicted\n";

enum class OrderKind { partial, uniform, text };

struct OrderSettings {
  OrderKind kind = OrderKind::partial;
  PartialPrediction partial = {};
  std::int64_t block = 0;  // tokens that are permuted among each other; 0: all of a document
};

OrderSettings settings_of(const Params& params) {
  const std::string& order = params.text("order");
  OrderSettings settings{.kind = order == "partial"   ? OrderKind::partial
                                 : order == "uniform" ? OrderKind::uniform
                                                      : OrderKind::text};
  if (params.has("block")) settings.block = params.integer("block");
  settings.partial = {.rate = params.number("rate"),
                      .longest = params.integer("longest"),
                      .context = params.integer("context"),
                      .words = params.text("grams") == "words"};
  return settings;
}

/// The positions that are predicted, ascending.
Positions predicted_of(const OrderSettings& settings, const Text& text, Rng rng) {
  if (settings.kind == OrderKind::partial) return predicted_partly(settings.partial, text, rng);
  if (settings.kind == OrderKind::uniform) return hideable_positions(text);
  Positions all;
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (text.tokens[i] != begin_token && text.tokens[i] != pad_token)
      all.push_back(static_cast<std::int32_t>(i));
  return all;
}

/// Permutes positions, which are ascending, within each block of a text.
void permute(Positions& positions, std::int64_t block, Rng rng) {
  for (auto from = positions.begin(); from != positions.end();) {
    const auto until = block == 0 ? positions.end()
                                  : std::partition_point(from, positions.end(), [&](auto position) {
                                      return position / block == *from / block;
                                    });
    shuffle(std::span<std::int32_t>(from, until), rng);
    from = until;
  }
}

std::vector<Example> transform(const OrderSettings& settings, const Text& text, Rng rng) {
  TokenOrder order{.positions = predicted_of(settings, text, rng.fork(0)),
                   .told_length = settings.kind != OrderKind::text};
  const Positions predicted = order.positions;
  if (settings.kind != OrderKind::text) permute(order.positions, settings.block, rng.fork(1));
  std::vector<Example> examples = {two_streams(text.tokens, order)};
  if (settings.kind != OrderKind::text)
    for (const std::int32_t position : predicted)
      examples.front().hidden.push_back({position, HiddenAs::mask});
  return examples;
}

/// The loss of the exact predictor, which is the same in every order.
Loss any_order_optimum(const Chain& language, const Text& text, const Example& example) {
  std::vector<bool> hidden(text.tokens.size());
  for (const Hidden& one : example.hidden) hidden[static_cast<std::size_t>(one.position)] = true;
  return {cost_of_hidden(language, text.tokens, hidden), scored_weight(example)};
}

Loss text_order_optimum(const Chain& language, const Text& text, const Example&) {
  return left_to_right_optimum(language, text, left_to_right(text));
}

/// The tokens of a question in the order in which models of this kind read them: what is shown, then
/// `asked`, positions of the text. What is context in training is context here.
Example question(OrderKind kind, std::span<const Token> tokens, const Positions& asked,
                 bool at_once) {
  TokenOrder order{.at_once = at_once, .told_length = kind != OrderKind::text};
  std::vector<bool> is_asked(tokens.size());
  for (const std::int32_t position : asked) is_asked[static_cast<std::size_t>(position)] = true;
  if (kind != OrderKind::partial)
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (!is_asked[i] &&
          (tokens[i] >= special_count || (kind == OrderKind::text && tokens[i] != begin_token)))
        order.positions.push_back(static_cast<std::int32_t>(i));
  order.given = order.positions.size();
  order.positions.insert(order.positions.end(), asked.begin(), asked.end());
  return two_streams(tokens, order);
}

Positions range(std::size_t from, std::size_t until) {
  Positions positions(until - from);
  std::iota(positions.begin(), positions.end(), static_cast<std::int32_t>(from));
  return positions;
}

Example left_to_right_question(OrderKind kind, const Cloze& cloze) {
  const std::span<const Token> right =
      kind == OrderKind::text ? std::span<const Token>() : cloze.right;
  return question(kind, joined({cloze.left, cloze.target, right}),
                  range(cloze.left.size(), cloze.left.size() + cloze.target.size()), false);
}

void add_cloze(OrderKind kind, Objective& objective) {
  objective.cloze = [kind](const Cloze& cloze) {
    return std::vector<Example>{left_to_right_question(kind, cloze)};
  };
  if (kind == OrderKind::text) {
    objective.cloze_stop = [](const Cloze& cloze) -> std::vector<Example> {
      if (!cloze.right.empty()) return {};
      const Token end[] = {end_token};
      const std::vector<Token> tokens = joined({cloze.left, cloze.target, end});
      return {question(OrderKind::text, tokens, range(tokens.size() - 1, tokens.size()), false)};
    };
    return;
  }
  objective.cloze_hidden = [kind](const Cloze& cloze, std::span<const std::size_t> hidden) {
    Positions asked;
    for (const std::size_t token : hidden)
      asked.push_back(static_cast<std::int32_t>(cloze.left.size() + token));
    return question(kind, joined({cloze.left, cloze.target, cloze.right}), asked, true);
  };
  objective.unmask = [kind](std::span<const Token> text, std::span<const std::size_t> places) {
    return question(kind, text, {places.begin(), places.end()}, true);
  };
}

std::vector<Intended> intended(const OrderSettings& settings, std::int64_t text_length) {
  if (settings.kind == OrderKind::text) return {};
  const double rate = settings.kind == OrderKind::uniform ? 1 : settings.partial.rate;
  const double tolerance = 0.01 + 1 / static_cast<double>(std::max<std::int64_t>(1, text_length));
  return {{"corruption", rate, tolerance}, {"prediction", rate, tolerance}};
}

void check(const Params& params, const OrderSettings& settings) {
  if (settings.kind == OrderKind::text && params.has("block"))
    reject("permutation_lm: order = \"text\" permutes nothing, and block = {}; drop one of them",
           settings.block);
}

Objective build(const Params& params, const Context& context) {
  const OrderSettings settings = settings_of(params);
  check(params, settings);
  const bool in_text_order = settings.kind == OrderKind::text;
  const double rate = settings.kind == OrderKind::partial ? settings.partial.rate : 1;
  Objective objective = {
      .needs = {.attention = in_text_order ? Attention::causal : Attention::bidirectional,
                .alignment = Alignment::in_place},
      .transform = [settings](const Text& text, Rng rng) { return transform(settings, text, rng); },
      .optimum = in_text_order ? text_order_optimum : any_order_optimum,
      .context_free = [](std::span<const double> unigram, const Text&,
                         const Example& example) { return cost_without_context(unigram, example); },
      .lengths = [rate](std::int64_t tokens) -> Lengths {
        const std::int64_t places = tokens + (tokens > 0 ? exact_count(tokens, rate) + 1 : 0);
        return {places, places, places};
      },
      .intended = intended(settings, context.text_length)};
  add_cloze(settings.kind, objective);
  return objective;
}

ClozeFormat cloze_format(const Params& params) {
  return params.text("order") == "text" ? ClozeFormat::left : ClozeFormat::told_length;
}

/// Where words begin says something about the tokens of a text, which the stated optimum does not use.
OptimumKind optimum_kind(const Params& params) {
  return params.text("order") == "partial" && params.text("grams") == "words" ? OptimumKind::upper
                                                                              : OptimumKind::exact;
}

Generation generation(const Params& params) {
  return params.text("order") == "text" ? Generation::none : Generation::unmasking;
}

/// Every model is asked for the whole text, from left to right and in a random order.
std::vector<CommonSetting> common_settings(const Params&) {
  return {{"in_any_order", {{"order", "uniform"}}}, {"in_text_order", {{"order", "text"}}}};
}

std::vector<Param> params() {
  return {
      choice("order", "partial", {"partial", "uniform", "text"},
             "partial: a part of the tokens, in random order, after all others; uniform: all "
             "tokens, in random order; text: all tokens from left to right"),
      number("rate", 0.1667, 0.01, 1, "partial: fraction of the tokens that are predicted"),
      integer("longest", 5, 1, 20,
              "partial: length of the longest n-gram that is predicted; n-grams of n tokens are "
              "drawn with probability proportional to 1 / n"),
      integer("context", 6, 1, 100,
              "partial: tokens of context around an n-gram, per token of the n-gram"),
      choice("grams", "tokens", {"tokens", "words"},
             "partial: whether n-grams consist of tokens, as in XLNet's code, or of whole words, "
             "as in the paper"),
      optional(integer("block", nullptr, 1, 65536,
                       "size, in tokens, of the blocks that are permuted within themselves; blocks "
                       "follow each other from left to right; absent: a whole document"))};
}

}  // namespace

ObjectiveSpec permutation_lm_objective() {
  return {.name = "permutation_lm",
          .summary = "predict tokens in a random order, each from all those before it in the order",
          .picture = kPicture,
          .source =
              "Yang et al. 2019, arXiv:1906.08237, section 2; uniform: Pannatier et al. 2024, "
              "arXiv:2404.09562, section 2",
          .differs = kDiffers,
          .params = params(),
          .build = build,
          .optimum_kind = optimum_kind,
          .generation = generation,
          .predicts_in_place = [](const Params&) { return true; },
          .cloze_format = cloze_format,
          .text_likelihood = [](const Params& own) { return own.text("order") != "partial"; },
          .common_settings = common_settings};
}

}  // namespace ablate::objectives
