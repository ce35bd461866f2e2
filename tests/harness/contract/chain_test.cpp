// Every exact quantity of a chain against the sum over all paths of hidden states.

#include "harness/contract/chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "tests/harness/contract/tiny_chain.h"

namespace ablate {
namespace {

constexpr double kExact = 1e-12;

/// Calls `visit` with every path of composite states and its probability times the evidence.
void each_path(const Chain& chain, std::size_t time, const Evidence& evidence, bool starts_document,
               const std::function<void(const std::vector<std::size_t>&, double)>& visit) {
  const auto n = static_cast<std::size_t>(chain.states);
  const auto size = static_cast<std::size_t>(chain.composite_states());
  std::vector<std::size_t> path;
  const std::function<void(double)> extend = [&](double probability) {
    if (path.size() == time) return visit(path, probability);
    for (std::size_t z = 0; z < size; ++z) {
      double move = 0;
      if (path.empty())
        move = starts_document ? chain.blocks[z / n].probability * chain.start[z]
                               : chain.stationary[z];
      else if (path.back() / n == z / n)
        move = chain.transition[path.back() * n + z % n];
      if (move == 0) continue;
      path.push_back(z);
      extend(probability * move * evidence[(path.size() - 1) * size + z]);
      path.pop_back();
    }
  };
  extend(1);
}

Evidence random_evidence(const Chain& chain, std::size_t time, Rng rng) {
  Evidence evidence(time * static_cast<std::size_t>(chain.composite_states()));
  for (double& value : evidence) value = rng.uniform();
  return evidence;
}

class TinyChain : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  Chain chain = tiny_chain(static_cast<std::uint64_t>(std::get<0>(GetParam())));
  bool starts_document = std::get<1>(GetParam());
  Evidence evidence = random_evidence(chain, kTime, Rng(5));
  static constexpr std::size_t kTime = 5;
  static constexpr std::size_t kSize = 9;  // composite states
};

TEST_P(TinyChain, SumsOverAllPathsForTheProbabilityOfEvidence) {
  for (std::size_t time = 0; time <= kTime; ++time) {
    double total = 0;
    each_path(chain, time, evidence, starts_document,
              [&](const auto&, double probability) { total += probability; });
    EXPECT_NEAR(log_probability(chain, static_cast<std::int64_t>(time), evidence, starts_document),
                std::log(total), kExact);
  }
}

TEST_P(TinyChain, PredictsEachStateFromTheEvidenceBeforeIt) {
  const auto distribution = predicted(chain, kTime, evidence, starts_document);
  for (std::size_t t = 0; t < kTime; ++t) {
    Evidence before = evidence;
    std::fill(before.begin() + static_cast<std::ptrdiff_t>(t * kSize), before.end(), 1.0);
    double total = 0;
    std::vector<double> expected(kSize, 0.0);
    each_path(chain, t, before, starts_document, [&](const auto&, double p) { total += p; });
    each_path(chain, t + 1, before, starts_document,
              [&](const auto& path, double p) { expected[path[t]] += p; });
    for (std::size_t z = 0; z < kSize; ++z)
      EXPECT_NEAR(distribution[t * kSize + z], expected[z] / total, kExact);
  }
}

TEST_P(TinyChain, SmoothsEachStateFromTheEvidenceElsewhere) {
  const auto distribution = leave_one_out_smoothing(chain, kTime, evidence, starts_document);
  for (std::size_t t = 0; t < kTime; ++t) {
    Evidence elsewhere = evidence;
    std::fill_n(elsewhere.begin() + static_cast<std::ptrdiff_t>(t * kSize), kSize, 1.0);
    double total = 0;
    std::vector<double> expected(kSize, 0.0);
    each_path(chain, kTime, elsewhere, starts_document, [&](const auto& path, double p) {
      expected[path[t]] += p;
      total += p;
    });
    for (std::size_t z = 0; z < kSize; ++z)
      EXPECT_NEAR(distribution[t * kSize + z], expected[z] / total, kExact);
  }
}

TEST_P(TinyChain, ReadsFromTheRightWhatItsSuffixesSay) {
  const FromTheRight read = from_the_right(chain, kTime, evidence);
  for (std::size_t t = 0; t < kTime; ++t) {
    const Evidence suffix(evidence.begin() + static_cast<std::ptrdiff_t>(t * kSize),
                          evidence.end());
    EXPECT_NEAR(read.log_evidence[t],
                log_probability(chain, static_cast<std::int64_t>(kTime - t), suffix, false),
                kExact);
  }
  const double ends = chain.stationary[2] + chain.stationary[5] + chain.stationary[8];
  EXPECT_NEAR(read.log_start, log_probability(chain, kTime, evidence, true) + std::log(ends),
              kExact);
}

// What comes from the left and what comes from the right are all there is.
TEST_P(TinyChain, SmoothsByWhatIsReadFromBothSides) {
  std::vector<double> both = predicted(chain, kTime, evidence, starts_document);
  const std::vector<double> after = from_the_right(chain, kTime, evidence).after;
  const std::vector<double> smoothed =
      leave_one_out_smoothing(chain, kTime, evidence, starts_document);
  for (std::size_t t = 0; t < kTime; ++t) {
    double sum = 0;
    for (std::size_t z = t * kSize; z < (t + 1) * kSize; ++z) sum += both[z] *= after[z];
    for (std::size_t z = t * kSize; z < (t + 1) * kSize; ++z)
      EXPECT_NEAR(both[z] / sum, smoothed[z], kExact);
  }
}

TEST_P(TinyChain, KnowsNoMoreOfTheTopicThanAllPathsTell) {
  const std::vector<Token> tokens = {16, 18, 17, 17, end_token};
  for (std::size_t time = 1; time <= tokens.size(); ++time) {
    const std::span<const Token> seen(tokens.data(), time);
    std::vector<double> expected(2, 0.0);
    each_path(chain, time, emission_likelihood(chain, seen), starts_document,
              [&](const auto& path, double probability) {
                expected[static_cast<std::size_t>(chain.blocks[path[0] / 3].topic)] += probability;
              });
    const auto distribution = topic_posterior(chain, seen, starts_document);
    ASSERT_EQ(distribution.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_NEAR(distribution[k], expected[k] / (expected[0] + expected[1]), kExact);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TinyChain,
                         testing::Combine(testing::Values(1, 2, 3), testing::Bool()));

TEST(Chain, GivesEveryWindowTheProbabilityOfItsSegments) {
  const Chain chain = tiny_chain(7);
  for (const std::vector<Token>& window : tiny_windows()) {
    double total = 0;
    for (const Segment& segment : segments(window)) {
      const auto tokens = std::span(window).subspan(segment.first, segment.count);
      total += log_probability(chain, static_cast<std::int64_t>(segment.count),
                               emission_likelihood(chain, tokens), segment.starts_document);
    }
    EXPECT_NEAR(total, std::log(window_probability(chain, window)), kExact);
  }
}

TEST(Chain, GivesAllTextsOfALengthTotalProbabilityOne) {
  const Chain chain = tiny_chain(8);
  double total = 0;  // words at every position but the last, which may also be the document's end
  for (const auto& text : fillings(chain, {16, 16, 16, 16}))
    total += window_probability(chain, text);
  for (std::size_t length = 1; length <= 4; ++length) {
    std::vector<Token> ending(length, 16);
    ending.back() = end_token;
    for (const auto& text : fillings(chain, ending)) total += window_probability(chain, text);
  }
  EXPECT_NEAR(total, 1, kExact);
}

TEST(Chain, DoesNotUnderflowOnLongTexts) {
  const Chain chain = tiny_chain(9);
  const std::vector<Token> tokens(20000, 16);
  const double log_p = log_probability(chain, 20000, emission_likelihood(chain, tokens), true);
  EXPECT_LT(log_p, -5000);
  EXPECT_TRUE(std::isfinite(log_p));
  const auto distribution =
      leave_one_out_smoothing(chain, 20000, emission_likelihood(chain, tokens), true);
  EXPECT_NEAR(std::accumulate(distribution.end() - 9 * 10000, distribution.end() - 9 * 9999, 0.0),
              1, kExact);
}

TEST(Chain, CallsTextsOfAnotherLanguageImpossible) {
  const Chain chain = tiny_chain(10);
  for (const std::vector<Token>& tokens :
       {std::vector<Token>{16, mask_token}, {19, 16}, {end_token, 16}, {-4, 16}}) {
    const double log_p = log_probability(chain, 2, emission_likelihood(chain, tokens), false);
    EXPECT_EQ(log_p, -std::numeric_limits<double>::infinity());
  }
}

TEST(Chain, CountsEachTokenOfTheCorpusOnceInItsUnigram) {
  const Chain chain = tiny_chain(11);
  const auto distribution = unigram(chain);
  ASSERT_EQ(distribution.size(), 4u);
  for (Token word = 0; word < 3; ++word)
    EXPECT_NEAR(distribution[static_cast<std::size_t>(word)],
                window_probability(chain, {special_count + word}), kExact);
  EXPECT_NEAR(distribution[3], window_probability(chain, {end_token}), kExact);
}

TEST(Segments, AreSplitAtBeginTokensAndAfterEndTokens) {
  const std::vector<Token> tokens = {16, 17,        end_token, begin_token, 16,        end_token,
                                     17, pad_token, pad_token, begin_token, pad_token, 18};
  const auto pieces = segments(tokens);
  ASSERT_EQ(pieces.size(), 4u);
  const Segment expected[] = {{0, 3, false}, {4, 2, true}, {6, 1, false}, {11, 1, false}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(pieces[i].first, expected[i].first) << i;
    EXPECT_EQ(pieces[i].count, expected[i].count) << i;
    EXPECT_EQ(pieces[i].starts_document, expected[i].starts_document) << i;
  }
  EXPECT_TRUE(segments({}).empty());
}

}  // namespace
}  // namespace ablate
