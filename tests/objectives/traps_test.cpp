// Common mistakes in reimplementations, reintroduced on purpose: each check passes with our
// transform and fails with the mistake. The checks are those of the conformance vectors in
// tests/vectors and of the realised rates of every trial.

#include <gtest/gtest.h>

#include <cmath>

#include "harness/contract/realised.h"
#include "objectives/common/spans/spans.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

constexpr Token kOrdinary = 100;
constexpr int kTexts = 4000;

/// A text of `length` words and nothing else.
std::vector<Token> words(std::size_t length) {
  std::vector<Token> tokens(length);
  for (std::size_t i = 0; i < length; ++i)
    tokens[i] = special_count + static_cast<Token>(i * 7 % kOrdinary);
  return tokens;
}

using Transform = std::function<std::vector<Example>(const Text&, Rng)>;

Realised realised_by(const Transform& transform, std::size_t length) {
  const std::vector<Token> tokens = words(length);
  Realised realised;
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    const Text text{.tokens = tokens};
    for (const Example& example : transform(text, Rng(9).fork(i))) realised.add(text, example);
  }
  return realised;
}

/// The harness's own check of every trial.
bool does_what_it_states(const Objective& stated, const Transform& transform) {
  return deviation(stated.intended, realised_by(transform, 128)).empty();
}

// Trap: ties are rounded away from zero, as std::round does; the references round them to even.
bool rounds_as_the_reference(std::int64_t (*hidden_of)(std::int64_t tokens)) {
  return hidden_of(25) == 2 && hidden_of(45) == 4 && hidden_of(65) == 6;  // 2.5, 4.5 and 6.5
}

TEST(Traps, HalvesRoundedAwayFromZeroAreCaught) {
  EXPECT_TRUE(rounds_as_the_reference(
      [](std::int64_t tokens) { return noise_of(tokens, 0.10, 3).tokens; }));
  EXPECT_FALSE(rounds_as_the_reference([](std::int64_t tokens) {
    return static_cast<std::int64_t>(std::round(static_cast<float>(tokens) * 0.10f));
  }));
}

// Trap: the second cut is drawn after the first one, split2 ~ U[split1, n]: parts of a half and two
// quarters. Two independent cuts, sorted, give thirds.
bool cuts_in_thirds(const std::function<std::array<double, 3>(Rng)>& parts) {
  std::array<double, 3> sums{};
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    const auto sizes = parts(Rng(4).fork(i));
    for (std::size_t part = 0; part < 3; ++part) sums[part] += sizes[part] / kTexts;
  }
  // 5 standard errors: a part's deviation is .236 of the text.
  for (const double mean : sums)
    if (std::abs(mean - 1.0 / 3) > 5 * 0.236 / std::sqrt(kTexts)) return false;
  return true;
}

TEST(Traps, ACutDrawnBehindTheOtherIsCaught) {
  constexpr std::size_t kLength = 60;
  const std::vector<Token> tokens = words(kLength);
  const Objective fim =
      objective_of("fill_in_the_middle", {{"rate", 1}, {"spm_rate", 0}}, kOrdinary, kLength);
  EXPECT_TRUE(cuts_in_thirds([&](Rng rng) {
    const std::vector<Token> made = fim.transform({.tokens = tokens}, rng).front().targets;
    const auto at = [&](Token mark) {
      return static_cast<double>(std::find(made.begin(), made.end(), mark) - made.begin());
    };
    const double prefix = at(suffix_token) - at(prefix_token) - 1;
    const double suffix = at(middle_token) - at(suffix_token) - 1;
    return std::array<double, 3>{prefix / kLength, (kLength - prefix - suffix) / kLength,
                                 suffix / kLength};
  }));
  EXPECT_FALSE(cuts_in_thirds([&](Rng rng) {
    const double first = rng.uniform(), second = first + (1 - first) * rng.uniform();
    return std::array<double, 3>{first, second - first, 1 - second};
  }));
}

// Trap: random tokens overwrite masks, so that they are half of the hidden tokens; the recipe is
// 80 % masks, 10 % random, 10 % kept.
TEST(Traps, RandomTokensOverMasksAreCaught) {
  const Objective mlm = objective_of("masked_lm", Json::object(), kOrdinary, 128);
  EXPECT_TRUE(does_what_it_states(mlm, mlm.transform));
  EXPECT_FALSE(does_what_it_states(mlm, [&](const Text& text, Rng rng) {
    std::vector<Example> examples = mlm.transform(text, rng);
    for (Hidden& hidden : examples.front().hidden)
      if (rng.probability(0.5)) hidden.how = HiddenAs::random;
    return examples;
  }));
}

// Trap: positions are drawn with replacement (ELECTRA's code): .40 becomes .329 of the text.
TEST(Traps, PositionsDrawnWithReplacementAreCaught) {
  const Objective mlm = objective_of("masked_lm", {{"rate", 0.4}}, kOrdinary, 128);
  EXPECT_TRUE(does_what_it_states(mlm, mlm.transform));
  const Transform with_replacement = [](const Text& text, Rng rng) {
    Example example;
    example.targets.assign(text.tokens.begin(), text.tokens.end());
    example.inputs = example.targets;
    example.weights.assign(text.tokens.size(), 0.0f);
    const auto size = static_cast<std::int64_t>(text.tokens.size());
    for (std::int64_t i = 0; i < std::llround(0.4 * static_cast<double>(size)); ++i)
      example.weights[static_cast<std::size_t>(rng.below(size))] = 1;
    for (std::size_t i = 0; i < example.weights.size(); ++i)
      if (example.weights[i] > 0)
        example.hidden.push_back({static_cast<std::int32_t>(i), HiddenAs::mask});
    return std::vector<Example>{example};
  };
  EXPECT_NEAR(realised_by(with_replacement, 128).corruption(), 0.329, 0.002);
  EXPECT_FALSE(does_what_it_states(mlm, with_replacement));
}

// Trap: at every token a span of 1 to 3 tokens starts with probability noise_density: this hides
// 26.1 % of the text at a density of 15 %.
TEST(Traps, SpansStartedTokenByTokenAreCaught) {
  const Objective spans = objective_of("span_corruption", Json::object(), kOrdinary, 128);
  EXPECT_TRUE(does_what_it_states(spans, spans.transform));
  const Transform token_by_token = [](const Text& text, Rng rng) {
    Example example;
    for (std::size_t i = 0; i < text.tokens.size();) {
      if (!rng.probability(0.15)) {
        ++i;
        continue;
      }
      const std::size_t end =
          std::min(text.tokens.size(), i + 1 + static_cast<std::size_t>(rng.below(3)));
      for (; i < end; ++i)
        example.hidden.push_back({static_cast<std::int32_t>(i), HiddenAs::sentinel});
    }
    return std::vector<Example>{example};
  };
  EXPECT_NEAR(realised_by(token_by_token, 128).corruption(), 0.261, 0.005);
  EXPECT_FALSE(does_what_it_states(spans, token_by_token));
}

// Trap: spans are deleted although they may overlap (fairseq's code for BART): .27 of the text at a
// rate of .30. Here that is `law: reference`, which states no rate.
TEST(Traps, OverlappingSpansAreCaughtWhereTheExactRateIsStated) {
  const Json infilling = {{"permute_sentences", 0}};
  Json overlapping = infilling;
  overlapping["law"] = "reference";
  const Objective exact = objective_of("denoising", infilling, kOrdinary, 128);
  const Objective reference = objective_of("denoising", overlapping, kOrdinary, 128);
  EXPECT_TRUE(does_what_it_states(exact, exact.transform));
  EXPECT_TRUE(does_what_it_states(reference, reference.transform));
  EXPECT_FALSE(does_what_it_states(exact, reference.transform));
}

}  // namespace
}  // namespace ablate::objectives
