#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "objectives/common/orders/blocks.h"
#include "tests/objectives/enumerated.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/streams.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

Objective blocks(const Json& given, Token ordinary = 100, std::int64_t length = 64) {
  return objective_of("block_diffusion", given, ordinary, length);
}

/// What a place of block_by_block() is.
struct BlockPlace {
  std::size_t position = 0;  // in the text
  std::size_t document = 0;
  bool clean = false;
};

/// The places in their order, by an own count of what is laid out.
std::vector<BlockPlace> places_of(const std::vector<Token>& tokens, std::size_t size) {
  std::vector<BlockPlace> places;
  for (std::size_t first = 0, number = 0; first < tokens.size(); ++number) {
    const std::size_t end = document_end(tokens, first);
    const std::size_t last = first + (end - first - 1) / size * size;  // of its last block
    for (std::size_t i = first; i < last; ++i) places.push_back({i, number, true});
    for (std::size_t i = first; i < end; ++i) places.push_back({i, number, false});
    first = end;
  }
  return places;
}

std::vector<std::size_t> documents_of(const std::vector<BlockPlace>& places) {
  std::vector<std::size_t> documents;
  documents.reserve(places.size());
  for (const BlockPlace& place : places) documents.push_back(place.document);
  return documents;
}

TEST(BlockByBlock, ShowsWhatTheVectorsSay) {
  const Json family = vectors_of("block_diffusion");
  ASSERT_GE(family.at("sight").size(), 10u);
  for (const Json& one : family["sight"]) {
    SCOPED_TRACE(one.dump().substr(0, 120));
    const std::vector<Token> tokens = one.at("tokens");
    const auto size = one.at("block").get<std::size_t>();
    const Example example = block_by_block(tokens, tokens, size);
    const std::vector<BlockPlace> places = places_of(tokens, size);
    ASSERT_EQ(places.size(), example.inputs.size());
    std::set<std::size_t> laid_out;  // clean positions
    for (const BlockPlace& place : places)
      if (place.clean) laid_out.insert(place.position);
    for (std::size_t i = 0; i < places.size(); ++i) {
      Json seen = {{"noised", Json::array()}, {"clean", Json::array()}};
      const Sight& sight = example.sees[i];
      for (std::size_t j = 0; j < places.size(); ++j) {
        const auto at = static_cast<std::int32_t>(j);
        if ((at >= sight.from && at < sight.until) ||
            (at >= sight.also_from && at < sight.also_until))
          seen[places[j].clean ? "clean" : "noised"].push_back(places[j].position);
      }
      Json expected = one.at(places[i].clean ? "clean_sees" : "noised_sees").at(places[i].position);
      EXPECT_EQ(seen, expected) << (places[i].clean ? "clean " : "noised ") << places[i].position;
    }
    // What is left out is read by nobody.
    for (const Json& sees : one.at("noised_sees"))
      for (const Json& position : sees.at("clean"))
        EXPECT_TRUE(laid_out.contains(position.get<std::size_t>()));
    const std::vector<std::size_t> shown = shown_places(tokens, size);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      EXPECT_EQ(places[shown[at]].position, at);
      EXPECT_FALSE(places[shown[at]].clean);
    }
  }
}

TEST(BlockDiffusion, HidesAndWeighsByTheTimeOfItsBlockAsTheVectorsSay) {
  // The vectors give what is hidden and weighed at a time; a text of one block states its time.
  const Json family = vectors_of("block_diffusion");
  const std::vector<Token> tokens(64, 20);
  for (const Json& one : family.at("weights")) {
    const double epsilon = one.at("epsilon");
    const Objective whole = blocks({{"block", 64}, {"epsilon", epsilon}});
    for (std::size_t i = 0; i < one.at("times").size(); ++i) {
      const double time = one["times"][i];
      // The text whose share of the range begins at this time.
      constexpr std::int64_t kRows = 1'000'000;
      const auto row =
          std::min(kRows - 1, static_cast<std::int64_t>((time - epsilon) / (1 - epsilon) * kRows));
      double hidden = 0;
      constexpr int kTexts = 200;
      for (std::uint64_t seed = 0; seed < kTexts; ++seed) {
        const Text text{.tokens = tokens, .row = row, .rows = kRows};
        const Example example = whole.transform(text, Rng(seed)).front();
        EXPECT_NEAR(example.facts.front().value, time, 2.0 / kRows);
        for (const float weight : example.weights)
          EXPECT_TRUE(weight == 0 ||
                      std::abs(weight / one["weights"][i].get<double>() - 1) < 4.0 / kRows / time);
        hidden += static_cast<double>(example.hidden.size());
      }
      const double p = one["hide_probabilities"][i], drawn = 64 * kTexts;
      EXPECT_NEAR(hidden, p * drawn, 5 * std::sqrt(p * (1 - p) * drawn) + 1e-9) << time;
    }
  }
}

TEST(BlockDiffusion, GivesABlockOneTimeWithinTheRange) {
  const std::vector<Token> tokens(64, 20);
  const Objective objective = blocks({{"block", 4}, {"epsilon", .01}});
  const std::vector<std::size_t> shown = shown_places(tokens, 4);
  std::size_t compared = 0;
  for (std::int64_t row = 0; row < 200; ++row) {
    const Text text{.tokens = tokens, .row = row % 4, .rows = 4};
    const Example example = objective.transform(text, Rng(static_cast<std::uint64_t>(row))).front();
    for (std::size_t block = 0; block < 16; ++block) {
      float own = 0;
      for (std::size_t i = 0; i < 4; ++i)
        if (const float weight = example.weights[shown[block * 4 + i]]; weight > 0) {
          EXPECT_TRUE(own == 0 || own == weight);
          own = weight;
          ++compared;
        }
      if (own == 0) continue;
      EXPECT_GE(1 / own, .01 - 1e-6);
      EXPECT_LE(1 / own, 1 + 1e-6);
    }
  }
  EXPECT_GT(compared, 5000u);
}

TEST(BlockDiffusion, GivesEachBlockOfEachTextTimesFromTheWholeRange) {
  // A held-out text is read in a row of its own: were times shared out in reading order, the first block
  // would never be much hidden, and the loss would be no bound.
  const std::vector<Token> tokens(32, 20);
  const Objective objective = blocks({{"block", 8}});
  const std::vector<std::size_t> shown = shown_places(tokens, 8);
  std::vector<double> sums(4);
  constexpr int kTexts = 4000;
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    for (const Hidden& one : example.hidden)
      sums[static_cast<std::size_t>(one.position) / 8] += 1.0 / (8 * kTexts);
  }
  for (const double mean : sums) EXPECT_NEAR(mean, .5, 5 * .35 / std::sqrt(kTexts));
}

TEST(BlockDiffusion, FillsTheRoomThatItAsksForAndNoMore) {
  for (const int size : {1, 3, 16, 64, 100}) {
    const Objective objective = blocks({{"block", size}});
    std::int64_t most = 0;
    for (const std::size_t length : {1u, 2u, 17u, 63u, 64u})
      for (const std::vector<Token>& tokens :
           {text_of(length), std::vector<Token>(length, Token{20})}) {
        const Lengths room = objective.lengths(static_cast<std::int64_t>(length));
        const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
        EXPECT_LE(std::ssize(example.inputs), room.inputs);
        if (length == 64) most = std::max<std::int64_t>(most, std::ssize(example.inputs));
      }
    EXPECT_EQ(most, objective.lengths(64).inputs) << size;
  }
}

TEST(BlockDiffusion, GivesNoTargetAwayAndTrapsAreCaught) {
  const std::vector<Token> tokens = text_of(64);
  for (const int size : {1, 3, 16, 64}) {
    const auto places = places_of(tokens, static_cast<std::size_t>(size));
    const Example example = blocks({{"block", size}}).transform({.tokens = tokens}, Rng(5)).front();
    EXPECT_EQ(given_away(example, documents_of(places), false), "") << size;
    if (size == 64) continue;
    // A block that sees its own clean half.
    Example leaking = example;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (Sight& sight = leaking.sees[i]; !places[i].clean && sight.is_split())
        sight.until = std::min(sight.until + size, sight.also_from);
    EXPECT_NE(given_away(leaking, documents_of(places), false).find("its own token"),
              std::string::npos);
  }
}

/// The cost of what a block hides by enumeration: given the text before it and what it shows.
double cost_of_block(const Chain& chain, const std::vector<Token>& window, const TextBlock& block,
                     const std::vector<bool>& hidden) {
  const std::vector<Token> read(window.begin(),
                                window.begin() + static_cast<std::ptrdiff_t>(block.end));
  std::vector<bool> known(read.size(), true);
  for (std::size_t i = block.first; i < block.end; ++i) known[i] = !hidden[i];
  const double before = probability_of(chain, read, known);
  double cost = 0;
  for (std::size_t i = block.first; i < block.end; ++i) {
    if (!hidden[i]) continue;
    std::vector<bool> with = known;
    with[i] = true;
    cost -= std::log(probability_of(chain, read, with) / before);
  }
  return cost;
}

TEST(BlockDiffusion, HasTheOptimumThatEnumerationGives) {
  const Chain chain = tiny_chain(2);
  for (const std::vector<Token>& window : tiny_windows())
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{8}}) {
      const Objective objective = blocks({{"block", size}}, 3, 8);
      const Text text{.tokens = window};
      for (std::uint64_t draw = 0; draw < 4; ++draw) {
        const Example example = objective.transform(text, Rng(draw)).front();
        std::vector<bool> hidden(window.size(), false);
        const std::vector<std::size_t> shown = shown_places(window, size);
        double expected = 0;
        for (const Hidden& one : example.hidden)
          hidden[static_cast<std::size_t>(one.position)] = true;
        for (const TextBlock& block : blocks_of(window, size)) {
          double weight = 0;
          for (std::size_t i = block.first; i < block.end; ++i)
            if (hidden[i]) weight = example.weights[shown[i]];
          if (weight > 0) expected += weight * cost_of_block(chain, window, block, hidden);
        }
        const Loss loss = objective.optimum(chain, text, example);
        EXPECT_NEAR(loss.total, expected, 1e-9 * (1 + expected)) << size;
        EXPECT_EQ(loss.weight, example.loss_denominator);
      }
    }
}

TEST(BlockDiffusion, OfOneBlockIsMaskedDiffusion) {
  const Chain chain = tiny_chain(3);
  const Objective whole = blocks({{"block", 64}}, 3, 8);
  const Objective diffusion = objective_of("masked_diffusion", Json::object(), 3, 8);
  const std::vector<double> words = unigram(chain);
  for (const std::vector<Token>& window : tiny_windows()) {
    if (document_end(window, 0) != window.size()) continue;  // one document is one block
    const Text text{.tokens = window};
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      const Example ours = whole.transform(text, Rng(draw)).front();
      EXPECT_EQ(ours.inputs.size(), window.size()) << "no clean half";
      Example theirs = diffusion.transform(text, Rng(draw)).front();
      theirs.inputs = ours.inputs;
      theirs.weights = ours.weights;
      theirs.loss_denominator = ours.loss_denominator;
      EXPECT_EQ(ours.targets, theirs.targets);
      const Loss own = whole.optimum(chain, text, ours);
      const Loss other = diffusion.optimum(chain, text, theirs);
      EXPECT_NEAR(own.total, other.total, 1e-12 * (1 + other.total));
      EXPECT_EQ(own.weight, other.weight);
      EXPECT_EQ(whole.context_free(words, text, ours).total,
                diffusion.context_free(words, text, theirs).total);
      for (const Sight& sight : ours.sees) {
        EXPECT_EQ(sight.from, 0);
        EXPECT_EQ(static_cast<std::size_t>(sight.until), window.size());
        EXPECT_FALSE(sight.is_split());
      }
    }
  }
}

TEST(BlockDiffusion, OfOneTokenIsCausalLmOfTextThatGoesOn) {
  // Every word hidden, at weight 1: the loss of causal LM, less what says that the document goes on.
  const Chain chain = tiny_chain(4);
  const Objective single = blocks({{"block", 1}, {"shortest_time", .9999}}, 3, 8);
  const Objective causal = objective_of("causal_lm", Json::object(), 3, 8);
  const auto states = static_cast<std::size_t>(chain.states);
  const auto size = static_cast<std::size_t>(chain.composite_states());
  for (const std::vector<Token>& window : tiny_windows()) {
    const Text text{.tokens = window};
    Example ours = single.transform(text, Rng(1)).front();
    const std::vector<std::size_t> shown = shown_places(window, 1);
    Example theirs = causal.transform(text, Rng(1)).front();
    double goes_on = 0;
    for (const Segment& segment : segments(window)) {
      const auto tokens = std::span(window).subspan(segment.first, segment.count);
      const auto ahead = predicted(chain, std::ssize(tokens), emission_likelihood(chain, tokens),
                                   segment.starts_document);
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        if (tokens[t] == end_token) {
          theirs.weights[segment.first + t] = 0;
          continue;
        }
        double words = 0, all = 0;
        for (std::size_t z = 0; z < size; ++z) {
          all += ahead[t * size + z];
          if (z % states + 1 < states) words += ahead[t * size + z];
        }
        goes_on -= std::log(words / all);
      }
    }
    for (std::size_t i = 0; i < window.size(); ++i)
      if (window[i] >= special_count) {
        ours.inputs[shown[i]] = mask_token;
        ours.weights[shown[i]] = 1;
      }
    EXPECT_NEAR(single.optimum(chain, text, ours).total,
                causal.optimum(chain, text, theirs).total - goes_on, 1e-10);
    // Each place sees what is before it and itself.
    const auto places = places_of(window, 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].clean) continue;
      const std::vector<bool> reached = reached_from(ours, i);
      for (std::size_t j = 0; j < places.size(); ++j) {
        const bool before = places[j].clean && places[j].document == places[i].document &&
                            places[j].position < places[i].position;
        EXPECT_EQ(reached[j], before || j == i);
      }
    }
  }
}

/// Each row to the eighth power, so that tokens tell much of each other.
void sharpen(std::vector<double>& rows, std::size_t width) {
  for (std::size_t first = 0; first < rows.size(); first += width) {
    double total = 0;
    for (std::size_t i = first; i < first + width; ++i) total += rows[i] = std::pow(rows[i], 8);
    for (std::size_t i = first; total > 0 && i < first + width; ++i) rows[i] /= total;
  }
}

TEST(BlockDiffusion, CostsWhatTheTextIsWorthOverAllTimesAndNotOverAPartOfThem) {
  // The bound is tight at every block size, since it is computed over all times: the trap is a bound of
  // the clipped schedule that training draws from.
  Chain chain = tiny_chain(5);
  sharpen(chain.emission, static_cast<std::size_t>(chain.ordinary));
  const std::vector<Token> window = {16, 17, 18, 16, 16, 17};
  const ObjectiveSpec& spec = spec_of("block_diffusion");
  for (const int size : {1, 2, 6}) {
    double worth = 0;  // given that the document goes on to the end of each block
    for (const TextBlock& block : blocks_of(window, static_cast<std::size_t>(size))) {
      const std::vector<Token> read(window.begin(),
                                    window.begin() + static_cast<std::ptrdiff_t>(block.end));
      std::vector<bool> known(read.size(), true);
      const double all = probability_of(chain, read, known);
      for (std::size_t i = block.first; i < block.end; ++i) known[i] = false;
      worth -= std::log(all / probability_of(chain, read, known));
    }
    // How many standard errors the mean over the objective's draws is from that.
    const auto errors_away = [&](const Params& params) {
      const Objective objective = spec.build(params, {{.ordinary = 3}, 8});
      double sum = 0, squares = 0;
      constexpr std::int64_t kTexts = 20000;
      for (std::int64_t i = 0; i < kTexts; ++i) {
        const Text text{.tokens = window, .row = i % 100, .rows = 100};
        const Example example =
            objective.transform(text, Rng(static_cast<std::uint64_t>(i))).front();
        const double total = objective.optimum(chain, text, example).total;
        sum += total / kTexts;
        squares += total * total / kTexts;
      }
      return (sum - worth) / std::sqrt((squares - sum * sum) / kTexts);
    };
    const Params clipped(spec.params, {{"block", size}, {"epsilon", .0001}, {"shortest_time", .5}});
    EXPECT_LT(std::abs(errors_away(held_out_params(spec, clipped))), 4) << size;
    if (size > 1) {
      EXPECT_GT(std::abs(errors_away(clipped)), 8) << size;
    }
  }
}

TEST(BlockDiffusion, AsksForATargetFromWhatIsLeftOfIt) {
  const std::vector<Token> left = {begin_token, 20, 21}, target = {22, 23}, right = {24, end_token};
  const auto asked = blocks({{"block", 2}}).cloze({left, target, right});
  ASSERT_EQ(asked.size(), 2u);
  // Blocks: <begin> 20 | 21 22 | 23; what is left of a block is clean.
  EXPECT_EQ(asked[0].inputs, (std::vector<Token>{begin_token, 20, 21, mask_token}));
  EXPECT_EQ(asked[0].weights, (std::vector<float>{0, 0, 0, 1}));
  EXPECT_EQ(asked[1].inputs, (std::vector<Token>{begin_token, 20, 21, 22, mask_token}));
  EXPECT_EQ(asked[1].weights, (std::vector<float>{0, 0, 0, 0, 1}));
  EXPECT_EQ(asked[1].targets.back(), 23);
  for (const Example& example : asked)
    for (const Sight& sight : example.sees) EXPECT_FALSE(sight.is_split());
}

TEST(BlockDiffusion, RefusesTimesWithoutARangeAndPlacesOfSeveralBlocks) {
  EXPECT_THROW(blocks({{"shortest_time", .6}, {"longest_time", .5}}), std::invalid_argument);
  const std::vector<Token> text(8, mask_token);
  const std::size_t apart[] = {1, 5};
  EXPECT_THROW(blocks({{"block", 4}}).unmask(text, apart), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::objectives
