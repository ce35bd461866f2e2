#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "harness/contract/realised.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

using Tokens = std::vector<Token>;
using Marks = std::vector<std::uint8_t>;

Objective denoising(const Json& given = Json::object()) {
  return objective_of("denoising", given, 1000, 512);
}

Example example_of(const Objective& objective, const Text& text, std::uint64_t seed) {
  return objective.transform(text, Rng(seed)).front();
}

/// A text of `size` words that are all different, between a begin and an end token.
Tokens words(std::size_t size) {
  Tokens text(size + 2);
  std::iota(text.begin(), text.end(), special_count - 1);
  text.front() = begin_token;
  text.back() = end_token;
  return text;
}

/// Marks of a text whose sentences start at these positions.
Marks marks_of(const Tokens& text, const std::vector<std::size_t>& starts) {
  Marks marks(text.size(), word_mark);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] < special_count) marks[i] = special_mark;
  for (const std::size_t start : starts) marks[start] |= sentence_mark;
  return marks;
}

const std::vector<Json> kSettings = {
    Json::object(),
    {{"law", "reference"}},
    {{"infill_rate", 0.9}, {"lambda", 0.5}},
    {{"infill_rate", 0.9}, {"lambda", 0.5}, {"law", "reference"}},
    {{"infill_rate", 0}, {"mask_rate", 0.3}, {"rotate", 0.5}},
    {{"infill_rate", 0.2}, {"delete_rate", 0.3}, {"mask_rate", 0.1}, {"lambda", 8}},
    {{"infill_rate", 0}, {"permute_sentences", 0}, {"delete_rate", 0.9}}};

TEST(Denoising, MakesEveryInputAsOftenAsTheVectorsSay) {
  const Json vectors = vectors_of("denoising");
  for (const Json& one : vectors["laws"]) {
    const Objective objective = denoising(one["settings"]);
    const Tokens tokens = one["text"];
    const Marks marks = marks_of(tokens, one["sentence_starts"]);
    const Text text{.tokens = tokens, .marks = marks};
    const Tokens targets = one["targets"];
    const std::vector<float> weights = one["weights"];
    std::map<Tokens, double> distribution;
    for (const Json& outcome : one["outcomes"])
      distribution[outcome["inputs"].get<Tokens>()] = outcome["probability"];
    SCOPED_TRACE(one["settings"].dump());
    expect_distribution(distribution, 40000, [&](std::uint64_t seed) {
      const Example example = example_of(objective, text, seed);
      EXPECT_EQ(example.targets, targets);
      EXPECT_EQ(example.weights, weights);
      return example.inputs;
    });
  }
}

TEST(Denoising, ShowsWhatItDoesNotHideAndWritesTheWholeText) {
  for (const Json& given : kSettings) {
    const Objective objective = denoising(given);
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
      const Tokens tokens = words(seed % 40);
      const Marks marks = marks_of(tokens, {1, 1 + seed % 40 / 3, 1 + seed % 40 / 2});
      const Example example = example_of(objective, {.tokens = tokens, .marks = marks}, seed);
      ASSERT_EQ(example.targets, tokens);
      ASSERT_EQ(example.inputs.front(), begin_token);
      ASSERT_EQ(example.inputs.back(), end_token);
      Tokens accounted;
      for (const Token token : example.inputs)
        if (token != mask_token) accounted.push_back(token);
      for (const Hidden& hidden : example.hidden)
        accounted.push_back(tokens[static_cast<std::size_t>(hidden.position)]);
      Tokens all = tokens;
      std::sort(accounted.begin(), accounted.end());
      std::sort(all.begin(), all.end());
      ASSERT_EQ(accounted, all) << "a token is neither shown nor said to be hidden, or is both";
    }
  }
}

TEST(Denoising, KeepsInputsWithinItsBounds) {
  for (const Json& given : kSettings) {
    const Objective objective = denoising(given);
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
      Tokens tokens = words(seed % 30);
      if (seed % 2) tokens.erase(tokens.begin());
      if (seed % 3) tokens.pop_back();
      if (tokens.empty()) continue;
      const Example example = example_of(objective, {.tokens = tokens}, seed);
      const Lengths maximum = objective.lengths(std::ssize(tokens));
      ASSERT_LE(std::ssize(example.inputs), maximum.inputs);
      ASSERT_LE(std::ssize(example.targets), maximum.targets);
      ASSERT_LE(std::ssize(example.inputs) + std::ssize(example.targets), maximum.both);
    }
  }
}

/// The fractions of 512 tokens that infilling hides and that are shown as masks, over 1000 texts.
std::pair<double, double> infilled(double rate, const char* distribution) {
  const Tokens tokens = words(512);
  const Objective objective =
      denoising({{"infill_rate", rate}, {"law", distribution}, {"permute_sentences", 0}});
  double hidden = 0, masks = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Example example = example_of(objective, {.tokens = tokens}, seed);
    hidden += static_cast<double>(example.hidden.size());
    masks +=
        static_cast<double>(std::count(example.inputs.begin(), example.inputs.end(), mask_token));
  }
  return {hidden / 512 / 1000, masks / 512 / 1000};
}

TEST(Denoising, HidesWhatItIsAskedToWithExactPlacement) {
  for (const double rate : {0.15, 0.3, 0.5}) {
    const auto [hidden, masks] = infilled(rate, "exact");
    EXPECT_NEAR(hidden, rate, 1e-4);           // a text differs by less than a token, at random
    EXPECT_NEAR(masks, rate / 3, .02 * rate);  // the last span of a text is cut
  }
}

TEST(Denoising, HidesLessThanAskedWithReferencePlacement) {
  // Expected values from simulations of fairseq's code.
  const auto [hidden, masks] = infilled(0.3, "reference");
  EXPECT_NEAR(hidden, .27, .01);
  EXPECT_NEAR(masks, .084, .006);
  EXPECT_NEAR(infilled(0.5, "reference").first, .41, .01);
  EXPECT_NEAR(infilled(0.15, "reference").first, .145, .004);
}

TEST(Denoising, DoesOnAverageWhatItIntends) {
  const Tokens tokens = words(60);
  const Text text{.tokens = tokens};
  for (const Json& given : kSettings) {
    const Objective objective = denoising(given);
    Realised realised;
    std::map<std::string_view, double> facts;
    constexpr int kTexts = 4000;
    for (std::uint64_t seed = 0; seed < kTexts; ++seed) {
      const Example example = example_of(objective, text, seed);
      realised.add(text, example);
      for (const Fact& fact : example.facts) facts[fact.name] += fact.value / kTexts;
    }
    const Json counts = realised.json();
    for (const Intended& intended : objective.intended) {
      const bool counted = counts.contains(intended.name);
      EXPECT_NEAR(
          counted ? counts[std::string(intended.name)].get<double>() : facts.at(intended.name),
          intended.value, intended.tolerance + (counted ? 0 : .04))  // 5 sigma of a fact
          << intended.name << " " << given;
    }
  }
}

TEST(Denoising, PermutesSentencesWhateverTheIdsAre) {
  const Json given = {{"infill_rate", 0}};
  const Tokens tokens = words(30);
  for (std::size_t count = 1; count <= 5; ++count) {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < count; ++i) starts.push_back(1 + i * 6);
    const Marks marks = marks_of(tokens, starts);
    int moved = 0;
    double orders = 1;
    for (std::size_t i = 2; i <= count; ++i) orders *= static_cast<double>(i);
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
      const Example example =
          example_of(denoising(given), {.tokens = tokens, .marks = marks}, seed);
      moved += example.inputs != tokens;
      ASSERT_EQ(example.facts.front().name, "sentences");
      ASSERT_EQ(example.facts.front().value, static_cast<double>(count));
      ASSERT_TRUE(example.hidden.empty());
    }
    EXPECT_NEAR(moved, 4000 * (1 - 1 / orders), 160) << count;  // 5 sigma of a fair coin
  }
}

TEST(Denoising, TakesATextWithoutMarksForOneSentence) {
  const Tokens tokens = words(30);
  const Example example = example_of(denoising({{"infill_rate", 0}}), {.tokens = tokens}, 1);
  EXPECT_EQ(example.inputs, tokens);
  EXPECT_EQ(example.facts.front().value, 1);
}

TEST(Denoising, HidesNoSpecialToken) {
  const Tokens tokens = {16, unknown_token, 17, unknown_token, 18};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Example example =
        example_of(denoising({{"infill_rate", 0.5}, {"mask_rate", 0.5}, {"delete_rate", 0.5}}),
                   {.tokens = tokens}, seed);
    EXPECT_EQ(std::count(example.inputs.begin(), example.inputs.end(), unknown_token), 2);
  }
}

TEST(Denoising, DamagesEachDocumentsPartOnItsOwn) {
  const Tokens tokens = {16, 17, end_token, begin_token, 18, 19, end_token, begin_token, 20};
  const Objective objective = denoising({{"rotate", 1}, {"infill_rate", 0}});
  EXPECT_EQ(objective.needs.unit, Unit::document);
  const std::vector<Tokens> parts = {
      {16, 17, end_token}, {begin_token, 18, 19, end_token}, {begin_token, 20}};
  std::set<std::vector<Tokens>> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto examples = objective.transform({.tokens = tokens}, Rng(seed));
    ASSERT_EQ(examples.size(), 3u);
    std::vector<Tokens> inputs;
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_EQ(examples[i].targets, parts[i]);
      inputs.push_back(examples[i].inputs);
    }
    seen.insert(inputs);
  }
  EXPECT_EQ(seen.size(), 4u) << "two parts of two words rotate independently";
}

TEST(Denoising, RefusesToDoNothing) {
  try {
    denoising({{"infill_rate", 0}, {"permute_sentences", 0}});
    FAIL() << "a copy was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "denoising: all noise is off, and copying a text teaches nothing; set "
                 "infill_rate, mask_rate, delete_rate, permute_sentences or rotate above 0");
  }
  EXPECT_THROW(denoising({{"infill_rate", 1}}), std::invalid_argument);
  EXPECT_THROW(denoising({{"lambda", 0.1}}), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::objectives
