// Block diffusion: a text is predicted block by block from left to right, and each block by masked
// diffusion, given the blocks before it.
//
// A row holds the text twice: clean, and with tokens hidden. A hidden half's block sees itself and the
// clean blocks before it: two intervals of one softmax. Each block has a time t of its own, the
// probability of hiding its tokens; each hidden token has weight 1 / t. Averaged over times, the exact
// predictor's total is -log P(text), and a model's is an upper bound. Blocks of one token predict each
// token from those before it; one block of the whole text is masked diffusion. The clean half of a
// document's last block is left out, since nobody would read it.
//
// Source: Arriola et al. 2025, "Block Diffusion: Interpolating Between Autoregressive and Diffusion
// Language Models", arXiv:2503.09573, sections 3 and 5; its code for the clipped times.

#include <algorithm>
#include <numeric>

#include "harness/base/shuffle.h"
#include "harness/contract/objective.h"
#include "harness/contract/params.h"
#include "objectives/common/joined.h"
#include "objectives/common/masks/masking.h"
#include "objectives/common/orders/block_optimum.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b | c d | e f     blocks of two tokens\n"
    "inputs   a b   c d           clean: each block sees itself and those before it\n"
    "         _ b   _ _   e _     hidden: each block sees itself and the clean ones before it\n"
    "targets  a .   c d   . f     each weighs 1 / t of its block, in a mean over all six\n";

constexpr std::string_view kDiffers =
    "blocks are counted from the start of each document, and documents are kept separate\n"
    "times are distributed over the blocks of a step in random order; in the paper's code they "
    "rise from a row's first block to its last\n"
    "the weight is 1 / t throughout; in the paper's code it is 1 where the range begins above .5\n"
    "special tokens are never hidden, so the bound is on the text given where documents start and "
    "end\n"
    "the clean half of a document's last block is left out: no place reads it\n"
    "the range of times is a setting (shortest_time, longest_time); in the paper it is searched "
    "for "
    "during training\n";

/// The times of a block.
struct Times {
  double epsilon = 0.001;
  double shortest = 0, longest = 1;  // fractions of the schedule that times are drawn from

  /// The times of the blocks of a text. The blocks of a step share the range out, so that each text has
  /// times from all of it, in random order: a block's time says nothing of where it stands.
  std::vector<double> of(std::int64_t blocks, const Text& text, Rng rng) const {
    const std::vector<std::int64_t> order = random_order(blocks, rng.fork(0));
    Rng within = rng.fork(1);
    std::vector<double> times;
    for (const std::int64_t rank : order) {
      const auto stratum = static_cast<double>(rank * text.rows + text.row);
      const double u = (stratum + within.uniform()) / static_cast<double>(text.rows * blocks);
      times.push_back(epsilon + (1 - epsilon) * (shortest + (longest - shortest) * u));
    }
    return times;
  }

  /// The probability of hiding a token.
  double rate(double time) const { return (1 - epsilon) * time; }
};

struct BlockSettings {
  std::size_t size = 4;
  Times times;
};

BlockSettings settings_of(const Params& params) {
  BlockSettings settings{.size = static_cast<std::size_t>(params.integer("block")),
                         .times = {.epsilon = params.number("epsilon")}};
  if (params.has("shortest_time")) settings.times.shortest = params.number("shortest_time");
  if (params.has("longest_time")) settings.times.longest = params.number("longest_time");
  if (settings.times.shortest >= settings.times.longest)
    reject(
        "block_diffusion: times are drawn from shortest_time = {:g} to longest_time = {:g}, which "
        "is "
        "no range; lower shortest_time",
        settings.times.shortest, settings.times.longest);
  return settings;
}

std::vector<Example> transform(const BlockSettings& settings, const Text& text, Rng rng) {
  const std::vector<TextBlock> blocks = blocks_of(text.tokens, settings.size);
  std::vector<Token> shown(text.tokens.begin(), text.tokens.end());
  std::vector<float> weights(shown.size(), 0.0f);
  std::vector<Hidden> hidden;
  const std::vector<double> times = settings.times.of(std::ssize(blocks), text, rng.fork(0));
  const Rng drawn = rng.fork(1);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const double time = times[i];
    const std::uint64_t threshold = Rng::threshold(settings.times.rate(time));
    for (std::size_t at = blocks[i].first; at < blocks[i].end; ++at) {
      if (text.is_special(at) || !drawn.happens(at, threshold)) continue;
      shown[at] = mask_token;
      weights[at] = static_cast<float>(1 / time);
      hidden.push_back({static_cast<std::int32_t>(at), HiddenAs::mask});
    }
  }
  std::vector<Example> examples = {block_by_block(text.tokens, shown, settings.size)};
  Example& example = examples.front();
  const std::vector<std::size_t> places = shown_places(text.tokens, settings.size);
  for (std::size_t at = 0; at < weights.size(); ++at) example.weights[places[at]] = weights[at];
  example.hidden = std::move(hidden);
  example.loss_denominator = static_cast<float>(hideable(text));
  if (!times.empty())
    example.facts = {{"time", std::accumulate(times.begin(), times.end(), 0.0) /
                                  static_cast<double>(times.size())}};
  return examples;
}

/// Hidden tokens are shown as masks, at any rate.
TokenChannel channel_of(const Context& context) {
  return {.rate = 0.5, .mask = 1, .random = 0, .ordinary = context.vocabulary.ordinary};
}

/// The question, token by token: its block with masks from that token on, after the clean blocks.
std::vector<Example> cloze(const BlockSettings& settings, const Cloze& cloze) {
  const std::vector<Token> text = joined({cloze.left, cloze.target});
  std::vector<Example> examples;
  for (std::size_t at = cloze.left.size(); at < text.size(); ++at) {
    const std::size_t first = at / settings.size * settings.size;
    const std::size_t end = std::min(first + settings.size, text.size());
    std::vector<Token> shown(text.begin() + static_cast<std::ptrdiff_t>(first),
                             text.begin() + static_cast<std::ptrdiff_t>(end));
    std::fill(shown.begin() + static_cast<std::ptrdiff_t>(at - first), shown.end(),
              Token{mask_token});
    examples.push_back(last_block(std::span(text).first(end), shown, settings.size));
    examples.back().weights[examples.back().weights.size() - (end - at)] = 1;
  }
  return examples;
}

/// What a model reads of a text in which some of the block of `places` are masks.
Example unmask(const BlockSettings& settings, std::span<const Token> text,
               std::span<const std::size_t> places) {
  const std::size_t first = places.front() / settings.size * settings.size;
  const std::size_t end = std::min(first + settings.size, text.size());
  if (places.back() >= end)
    reject("block_diffusion: places {} and {} are of different blocks of {}", places.front(),
           places.back(), settings.size);
  Example example = last_block(text.first(end), text.subspan(first, end - first), settings.size);
  for (const std::size_t place : places)
    example.weights[example.weights.size() - (end - place)] = 1;
  return example;
}

std::vector<Intended> intended(const Times& times) {
  const double mean = times.epsilon + (1 - times.epsilon) * (times.shortest + times.longest) / 2;
  return {{"corruption", times.rate(mean), 0.02},
          {"prediction", times.rate(mean), 0.02},
          {"time", mean, 0.02}};
}

Objective build(const Params& params, const Context& context) {
  const BlockSettings settings = settings_of(params);
  const TokenChannel channel = channel_of(context);
  return {
      .needs = {.attention = Attention::bidirectional,
                .alignment = Alignment::in_place,
                .two_intervals = true,
                .documents = Attention::causal},
      .transform = [settings](const Text& text, Rng rng) { return transform(settings, text, rng); },
      .optimum =
          [settings, channel](const Chain& language, const Text& text, const Example& example) {
            return block_optimum(channel, settings.size, language, text, example);
          },
      .context_free =
          [channel](std::span<const double> unigram, const Text&, const Example& example) {
            return Loss{context_free_through(channel, unigram, example).total,
                        example.loss_denominator.value()};
          },
      .lengths = [size = static_cast<std::int64_t>(settings.size)](std::int64_t tokens) -> Lengths {
        // The clean blocks before the last one; of several documents in a text they are no more.
        const std::int64_t clean = std::max<std::int64_t>(0, tokens - 1) / size * size;
        return {tokens + clean, tokens + clean, tokens + clean};
      },
      .intended = intended(settings.times),
      .cloze = [settings](const Cloze& asked) { return cloze(settings, asked); },
      .unmask = [settings](
                    std::span<const Token> text,
                    std::span<const std::size_t> places) { return unmask(settings, text, places); },
      .block = static_cast<std::int64_t>(settings.size)};
}

std::vector<Param> params() {
  return {
      integer("block", 4, 1, 65536, "tokens of a block"),
      number("epsilon", 0.001, 0.00001, 0.1,
             "minimum time of a block; 1 / epsilon is the maximum weight of a token"),
      optional(number("shortest_time", nullptr, 0, 1,
                      "training draws times from here on; absent: 0. Held-out text is read at all "
                      "times, because times drawn from only a part give no bound"),
               0.0),
      optional(number("longest_time", nullptr, 0, 1, "training draws times up to here; absent: 1"),
               1.0)};
}

/// Held-out text is read at all times, whatever the training draws: what is drawn from a part of them is no
/// bound.
Params held_out(const Params& trained) {
  Json given = trained.json();
  given.erase("shortest_time");
  given.erase("longest_time");
  return {params(), given};
}

}  // namespace

ObjectiveSpec block_diffusion_objective() {
  return {
      .name = "block_diffusion",
      .summary = "predict block after block, each by masked diffusion: from causal to diffusion",
      .picture = kPicture,
      .source = "Arriola et al. 2025, arXiv:2503.09573, sections 3 and 5",
      .differs = kDiffers,
      .params = params(),
      .build = build,
      .optimum_kind = [](const Params&) { return OptimumKind::exact; },
      .generation = [](const Params&) { return Generation::blocks; },
      .predicts_in_place = [](const Params&) { return true; },
      .cloze_format = [](const Params&) { return ClozeFormat::left_told_length; },
      .text_likelihood = [](const Params&) { return true; },
      .held_out = held_out};
}

}  // namespace ablate::objectives
