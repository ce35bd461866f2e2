// Self-speculative decoding: what it draws is what plain decoding draws.

#include "harness/probes/speculative_decoding/decoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/probes/generation/drawing/ancestral.h"
#include "harness/probes/generation/token_filters/greedy.h"
#include "harness/probes/speculative_decoding/verification.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

const std::vector<HeadNeed> kHeads(4);
constexpr Vocabulary kSmall{.ordinary = 4};

/// Logits that depend on every token that is seen: a head that drafts sees fewer than the first head
/// that verifies it, and is right by chance.
Oracle::Rule rule(const Vocabulary& vocabulary) {
  return [vocabulary](const Seen& seen) {
    Rng rng(7);
    for (const Token token : seen.visible) rng = rng.fork(static_cast<std::uint64_t>(token));
    std::vector<double> logits(static_cast<std::size_t>(vocabulary.size()), -1e4);
    for (Token token = special_count; token < vocabulary.end_ordinary(); ++token)
      logits[static_cast<std::size_t>(token)] = rng.normal();
    logits[end_token] = rng.normal() - 1;
    return logits;
  };
}

/// Different beginnings.
std::vector<std::vector<Token>> starts(std::size_t count, Token ordinary) {
  std::vector<std::vector<Token>> list;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Token> start = {begin_token};
    for (std::size_t left = i, digit = 0; digit < 5;
         ++digit, left /= static_cast<std::size_t>(ordinary))
      start.push_back(special_count +
                      static_cast<Token>(left % static_cast<std::size_t>(ordinary)));
    list.push_back(std::move(start));
  }
  return list;
}

TEST(SpeculativeDecoding, GreedyTextsAreThoseOfPlainDecodingForAThousandPrompts) {
  Oracle network(rule(kSmall));
  const Sampler sampler{network, kSmall, "cpu", 1, Rng(3), greedy()};
  const auto prompts = starts(1000, kSmall.ordinary);
  const auto plain = draw_left_to_right(sampler, prompts, 14, [](double) {});
  DecodingTally tally;
  const auto drafted = decode_speculatively(sampler, prompts, kHeads, 14, tally);
  std::int64_t tokens = 0;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    ASSERT_EQ(drafted[i].tokens, plain[i].tokens) << "prompt " << i;
    tokens += std::ssize(plain[i].tokens) - std::ssize(prompts[i]);
  }
  EXPECT_EQ(tally.tokens, tokens);
  EXPECT_LT(tally.forwards, tokens) << "some drafts are right";
  for (const DraftCount& head : tally.by_head) {
    EXPECT_GT(head.accepted, 0);
    EXPECT_LT(head.accepted, head.checked) << "and some are wrong";
  }
}

TEST(SpeculativeDecoding, DrawnTextsHaveTheDistributionOfPlainDecoding) {
  const Vocabulary two{.ordinary = 2};
  Oracle network(rule(two));
  const std::vector<std::vector<Token>> prompts(8000, {begin_token, special_count});
  constexpr std::int64_t kLength = 6;
  const auto counts = [](const std::vector<Sample>& samples) {
    std::map<std::vector<Token>, double> texts;
    for (const Sample& sample : samples) ++texts[sample.tokens];
    return texts;
  };
  const Sampler sampler{network, two, "cpu", 1, Rng(5)};
  DecodingTally tally;
  const std::vector<Sample> samples =
      decode_speculatively(sampler, prompts, kHeads, kLength, tally);
  EXPECT_LT(tally.forwards, tally.tokens);
  const auto seen = counts(samples);
  // A sample's log-probability is exact, so every text that was drawn has a known expectation.
  double chi_squared = 0, expected_sum = 0, cells = 0;
  std::map<std::vector<Token>, double> expected;
  for (const Sample& sample : samples)
    expected[sample.tokens] =
        std::exp(sample.log_probability) * static_cast<double>(samples.size());
  for (const auto& [text, count] : seen) {
    const double mean = expected.at(text);
    expected_sum += mean;
    if (mean < 5) continue;
    chi_squared += (count - mean) * (count - mean) / mean;
    ++cells;
  }
  EXPECT_NEAR(expected_sum, 8000, 40) << "the texts drawn hold nearly all of the probability";
  EXPECT_GT(cells, 20);
  EXPECT_LT(chi_squared, cells + 4 * std::sqrt(2 * cells));
}

TEST(SpeculativeDecoding, ATextsProbabilityIsThatOfPlainDecoding) {
  Oracle network(rule(kSmall));
  const Sampler sampler{network, kSmall, "cpu", 1, Rng(3), greedy()};
  const auto prompts = starts(20, kSmall.ordinary);
  DecodingTally tally;
  for (const Sample& sample : decode_speculatively(sampler, prompts, kHeads, 12, tally))
    EXPECT_EQ(sample.log_probability, 0) << "greedy decoding leaves one token alone";
}

TEST(SpeculativeDecoding, HeadsThatAgreeYieldATokenEachForward) {
  Oracle network([](const Seen& seen) {
    std::vector<double> logits(static_cast<std::size_t>(kSmall.size()), -1e4);
    const auto at = static_cast<Token>((seen.place + seen.head) % 4);
    logits[static_cast<std::size_t>(special_count + at)] = 0;
    return logits;
  });
  const Sampler sampler{network, kSmall, "cpu", 1, Rng(3), greedy()};
  DecodingTally tally;
  decode_speculatively(sampler, std::vector<std::vector<Token>>{{begin_token}}, kHeads, 18, tally);
  // The first forward has no drafts and yields one token; each of the others yields four.
  EXPECT_EQ(tally.tokens, 17);
  EXPECT_EQ(tally.forwards, 1 + 16 / 4);
  EXPECT_EQ(expected_tokens(tally.by_head), 4);
}

TEST(SpeculativeDecoding, ExpectsTheGeometricSumAtAConstantAcceptance) {
  const double a = 0.6;
  const std::vector<DraftCount> heads(3, {1000, 600});
  EXPECT_NEAR(expected_tokens(heads), (1 - std::pow(a, 4)) / (1 - a), 1e-12);
  EXPECT_EQ(expected_tokens({}), 1);
}

TEST(Verification, HasTheTargetsDistributionWhateverTheDraft) {
  const auto distribution = [](std::vector<double> masses) {
    TokenDistribution made{.masses = std::move(masses)};
    for (const double mass : made.masses) {
      made.scores.push_back(std::log(mass));
      made.total += mass;
    }
    return made;
  };
  const TokenDistribution target = distribution({.1, .2, .3, .4}),
                          draft = distribution({7, 1, 1, 1});
  constexpr int kDraws = 20000;
  std::vector<double> counts(4);
  double accepted = 0;
  for (int i = 0; i < kDraws; ++i) {
    Rng rng = Rng(11).fork(static_cast<std::uint64_t>(i));
    const std::size_t drafted = drawn_entry(draft.masses, draft.total, rng.uniform());
    const Verification made = verified(target, draft, drafted, rng.fork("verify"));
    EXPECT_TRUE(!made.accepted || made.entry == drafted);
    ++counts[made.entry];
    accepted += made.accepted ? 1 : 0;
  }
  for (std::size_t entry = 0; entry < 4; ++entry)
    EXPECT_NEAR(counts[entry] / kDraws, target.probability(entry), 0.015);
  EXPECT_NEAR(accepted / kDraws, .1 + .1 + .1 + .1, 0.015) << "sum of min(p, q)";
}

}  // namespace
}  // namespace ablate::probes
