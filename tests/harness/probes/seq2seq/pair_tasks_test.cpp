// Pairs of the built-in language: what they hold, and the exact predictor against brute force.

#include "harness/probes/seq2seq/pair_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/probes/seq2seq/pair_format.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PairTasks, HaveTheOutputsThatTheyAreNamedAfter) {
  const SmallWorld world;
  std::vector<int> lengths(7);
  for (std::uint64_t i = 0; i < 400; ++i) {
    const TokenPair copy = drawn_pair(world.language, PairTask::copy, 6, Rng(i));
    const TokenPair reverse = drawn_pair(world.language, PairTask::reverse, 6, Rng(i));
    const TokenPair paraphrase = drawn_pair(world.language, PairTask::paraphrase, 6, Rng(i));
    EXPECT_EQ(copy.outputs.front(), copy.input);
    EXPECT_EQ(reverse.input, copy.input);
    EXPECT_EQ(paraphrase.input, copy.input);
    EXPECT_TRUE(std::equal(copy.input.begin(), copy.input.end(), reverse.outputs[0].rbegin()));
    EXPECT_EQ(paraphrase.outputs[0].size(), copy.input.size());
    ++lengths.at(copy.input.size());
  }
  // 400 draws of four lengths: a standard deviation of 8.7; 4 of it.
  for (std::size_t length = 3; length <= 6; ++length) EXPECT_NEAR(lengths[length], 100, 35);
}

TEST(PairTasks, RefuseInputsThatDocumentsAreTooShortFor) {
  const SmallWorld world;
  try {
    drawn_pair(world.language, PairTask::copy, 100000, Rng(1));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("is more than documents of the language have"));
  }
}

/// P(first, second) of two texts of two tokens that the same states emit, by summing over paths.
double joint_probability(const Chain& chain, const TokenPair& pair) {
  const auto states = static_cast<std::size_t>(chain.states);
  const auto ordinary = static_cast<std::size_t>(chain.ordinary);
  const auto emitted = [&](std::size_t z, std::size_t i) {
    const auto of = [&](Token token) {
      return chain.emission[z * ordinary + static_cast<std::size_t>(token - special_count)];
    };
    return of(pair.input[i]) * of(pair.outputs[0][i]);
  };
  double total = 0;
  for (std::size_t block = 0; block < chain.blocks.size(); ++block)
    for (std::size_t a = 0; a < states; ++a)
      for (std::size_t b = 0; b < states; ++b) {
        const std::size_t first = block * states + a, second = block * states + b;
        total += chain.blocks[block].probability * chain.start[first] * emitted(first, 0) *
                 chain.transition[first * states + b] * emitted(second, 1);
      }
  return total;
}

TEST(PairTasks, ParaphraseHasTheOptimumOfBruteForce) {
  const SmallWorld world(Json{{"vocabulary", 6}});
  const Chain& chain = world.language.chain();
  const TokenPair drawn = drawn_pair(world.language, PairTask::paraphrase, 2, Rng(3));
  TokenPair pair{.input = {drawn.input.front(), 18}, .outputs = {{0, 0}}};
  double sum = 0, evidence = 0;
  std::vector<double> joint;
  for (Token a = 16; a < 22; ++a)
    for (Token b = 16; b < 22; ++b) {
      pair.outputs[0] = {a, b};
      joint.push_back(joint_probability(chain, pair));
      evidence += joint.back();
      sum += std::exp(-pair_optimum(chain, PairTask::paraphrase, pair));
    }
  EXPECT_NEAR(sum, 1, 1e-10);
  pair.outputs[0] = {16, 17};
  EXPECT_NEAR(pair_optimum(chain, PairTask::paraphrase, pair), -std::log(joint[1] / evidence),
              1e-10);
}

TEST(PairTasks, CopyAndReverseCostTheExactPredictorNothing) {
  const SmallWorld world;
  for (const PairTask task : {PairTask::copy, PairTask::reverse})
    EXPECT_EQ(
        pair_optimum(world.language.chain(), task, drawn_pair(world.language, task, 6, Rng(1))), 0);
}

const TokenPair kPair{.input = {16, 17}, .outputs = {{18, 19}, {20}}};
const Needs kInPlace{.attention = Attention::bidirectional, .alignment = Alignment::in_place};

TEST(PairFormat, ContinuesAfterASeparator) {
  const Example learned = learned_example(kPair, {}, Rng(1));
  EXPECT_THAT(learned.inputs, ElementsAre(begin_token, 16, 17, separator_token));
  EXPECT_THAT(learned.targets, ElementsAre(18, 19, end_token));
  EXPECT_THAT(learned.weights, ElementsAre(1, 1, 1));
  const std::vector<Example> scored = scored_examples(kPair, {});
  ASSERT_EQ(scored.size(), 1u);
  EXPECT_THAT(scored[0].targets, ElementsAre(18, 19));
  const Example next = next_example(kPair.input, std::vector<Token>{18}, 0, {});
  EXPECT_EQ(next.targets.size(), 2u);
  EXPECT_EQ(next.targets[0], 18);
  EXPECT_THAT(next.weights, ElementsAre(0, 1));
}

TEST(PairFormat, InPlaceShowsNoTokenFromTheScoredOneOn) {
  const std::vector<Example> scored = scored_examples(kPair, kInPlace);
  ASSERT_EQ(scored.size(), 2u);
  EXPECT_THAT(scored[0].inputs,
              ElementsAre(begin_token, 16, 17, separator_token, mask_token, mask_token, end_token));
  EXPECT_THAT(scored[0].weights, ElementsAre(0, 0, 0, 0, 1, 0, 0));
  EXPECT_THAT(scored[1].inputs,
              ElementsAre(begin_token, 16, 17, separator_token, 18, mask_token, end_token));
  EXPECT_THAT(scored[1].weights, ElementsAre(0, 0, 0, 0, 0, 1, 0));
  EXPECT_EQ(next_example(kPair.input, std::vector<Token>{18}, 2, kInPlace).inputs,
            scored[1].inputs);
}

// One or both of two tokens are hidden, each number as often: 3 of 4 tokens. 2000 draws: a standard
// deviation of the mean of .0056; 4 of it.
TEST(PairFormat, InPlaceLearnsEveryNumberOfHiddenTokensAlike) {
  double hidden = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Example learned = learned_example(kPair, kInPlace, Rng(i));
    for (std::size_t at = 0; at < learned.inputs.size(); ++at) {
      EXPECT_EQ(learned.inputs[at] == mask_token, learned.weights[at] == 1);
      hidden += learned.weights[at];
    }
  }
  EXPECT_NEAR(hidden / 4000, 0.75, 0.023);
}

TEST(PairFormat, HasTheHeadForTokensAlone) {
  Needs needs;
  needs.heads.push_back({.kind = "future_tokens"});
  EXPECT_EQ(pair_needs(needs).heads.size(), 1u);
  EXPECT_EQ(pair_needs(needs).heads[0].kind, "token");
}

}  // namespace
}  // namespace ablate::probes
