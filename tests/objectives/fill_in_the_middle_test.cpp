#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/base/utf8.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/middle.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

using Tokens = std::vector<Token>;

Objective middle(const Json& given = Json::object(), Token ordinary = 100) {
  return objective_of("fill_in_the_middle", given, ordinary, 512);
}

Example example_of(const Objective& objective, const Tokens& text, std::uint64_t seed) {
  return objective.transform({.tokens = text}, Rng(seed)).front();
}

/// A random text of `size` words, optionally between a begin and an end token.
Tokens random_text(std::size_t size, Rng rng, Token ordinary = 100) {
  Tokens text;
  if (rng.probability(0.5)) text.push_back(begin_token);
  for (std::size_t i = 0; i < size; ++i)
    text.push_back(special_count + static_cast<Token>(rng.below(ordinary)));
  if (rng.probability(0.5)) text.push_back(end_token);
  if (text.empty()) text.push_back(end_token);
  return text;
}

bool transformed(const Example& example) {
  return std::count(example.targets.begin(), example.targets.end(), end_middle_token) > 0;
}

TEST(FillInTheMiddle, IsUndoneByReadingPrefixMiddleSuffix) {
  for (const char* form : {"v1", "v2"})
    for (const char* split : {"token", "character"}) {
      const Objective objective =
          middle({{"rate", 0.8}, {"spm_form", form}, {"split", split}}, 256);
      for (std::uint64_t seed = 0; seed < 25000; ++seed) {
        const Tokens text = random_text(seed % 40, Rng(seed), 256);
        const Example example = example_of(objective, text, seed);
        ASSERT_EQ(undone(example.targets), text) << seed;
        ASSERT_TRUE(example.inputs.empty() && example.hidden.empty());
        ASSERT_LE(std::ssize(example.targets), objective.lengths(std::ssize(text)).both);
        ASSERT_EQ(example.targets.size(), text.size() + (transformed(example) ? 4 : 0));
      }
    }
}

TEST(FillInTheMiddle, ScoresAllButTheBeginToken) {
  const Tokens text = {begin_token, 16, 17, 18, end_token};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Example example = example_of(middle({{"rate", 1}}), text, seed);
    ASSERT_EQ(example.targets.front(), begin_token);
    ASSERT_EQ(example.targets[example.targets.size() - 2], end_middle_token);
    ASSERT_EQ(example.targets.back(), end_token);
    std::vector<float> weights(9, 1.0f);
    weights.front() = 0;
    ASSERT_EQ(example.weights, weights);
  }
}

TEST(FillInTheMiddle, MakesEveryOutcomeAsOftenAsTheVectorsSay) {
  const Json vectors = vectors_of("fill_in_the_middle");
  for (const Json& one : vectors["laws"]) {
    const bool characters = one["split"] == "character";
    const Objective objective = middle({{"rate", one["rate"]},
                                        {"spm_rate", one["spm_rate"]},
                                        {"spm_form", one["spm_form"]},
                                        {"split", one["split"]}},
                                       characters ? 256 : 3);
    const Tokens text = one["text"];
    std::map<Tokens, double> distribution;
    for (const Json& outcome : one["outcomes"])
      distribution[outcome["targets"].get<Tokens>()] = outcome["probability"];
    expect_distribution(distribution, 20000, [&](std::uint64_t seed) {
      return example_of(objective, text, seed).targets;
    });
  }
}

TEST(FillInTheMiddle, ArrangesGivenPartsAsTheVectorsSay) {
  const Json vectors = vectors_of("fill_in_the_middle");
  for (const Json& one : vectors["arrangements"]) {
    const std::string form = one["form"];
    const Objective objective = middle({{"rate", 1},
                                        {"spm_rate", form == "psm" ? 0 : 1},
                                        {"spm_form", form == "spm_v1" ? "v1" : "v2"}});
    bool made = false;
    for (std::uint64_t seed = 0; seed < 1000 && !made; ++seed) {
      const Example example = example_of(objective, one["text"], seed);
      made = example.targets == one["targets"].get<Tokens>();
      ASSERT_EQ(example.weights, one["weights"].get<std::vector<float>>());
    }
    EXPECT_TRUE(made) << one;
  }
}

TEST(FillInTheMiddle, CutsTextsInThirdsOnAverage) {
  // The fraction of a part has deviation .24, its mean over 40000 texts .0012; parts of a text of
  // 512 tokens are within .0004 of thirds.
  const Tokens text = random_text(512, Rng(3));
  const Objective objective = middle({{"rate", 1}, {"spm_form", "v1"}});
  std::map<Token, double> fractions;
  for (std::uint64_t seed = 0; seed < 40000; ++seed) {
    Example example = example_of(objective, text, seed);
    for (const auto& [mark, part] : middle_parts_of(example.targets))
      fractions[mark] += static_cast<double>(part.size()) / 512 / 40000;
  }
  for (const Token mark : {prefix_token, middle_token, suffix_token})
    EXPECT_NEAR(fractions[mark], 1.0 / 3, .005) << mark;
}

TEST(FillInTheMiddle, TransformsTheShareOfTextsThatItIsAskedTo) {
  const Tokens text = random_text(20, Rng(4));
  constexpr int kTexts = 20000;
  for (const double rate : {0.0, 0.1, 0.5, 1.0})
    for (const double spm_rate : {0.0, 0.5, 1.0}) {
      const Objective objective = middle({{"rate", rate}, {"spm_rate", spm_rate}});
      std::map<std::string_view, double> sum, said;
      for (std::uint64_t seed = 0; seed < kTexts; ++seed) {
        const Example example = example_of(objective, text, seed);
        for (const Fact& fact : example.facts) sum[fact.name] += fact.value, ++said[fact.name];
        ASSERT_EQ(transformed(example), example.facts.front().value == 1);
      }
      EXPECT_EQ(said["fim"], kTexts);
      EXPECT_EQ(said["spm"], sum["fim"]);
      for (const Intended& intended : objective.intended)  // within 5 sigma, and in the tolerance
        EXPECT_NEAR(sum[intended.name] / said[intended.name], intended.value,
                    intended.tolerance + 2.5 / std::sqrt(said[intended.name]));
    }
}

TEST(FillInTheMiddle, TransformsMoreOfTheSameInTheSameWayAtAHigherRate) {
  const Tokens text = random_text(30, Rng(5));
  int same = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Example few = example_of(middle({{"rate", 0.3}}), text, seed);
    if (!transformed(few)) continue;
    EXPECT_EQ(few.targets, example_of(middle({{"rate", 0.7}}), text, seed).targets);
    ++same;
  }
  EXPECT_GT(same, 200);
}

TEST(FillInTheMiddle, TransformsEachDocumentsPartOnItsOwn) {
  const Tokens text = {16, 17, end_token, begin_token, 18, 19, end_token, begin_token, 20};
  const std::vector<Tokens> parts = {
      {16, 17, end_token}, {begin_token, 18, 19, end_token}, {begin_token, 20}};
  const Objective objective = middle();
  EXPECT_EQ(objective.needs.unit, Unit::document);
  std::set<std::vector<bool>> patterns;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto examples = objective.transform({.tokens = text}, Rng(seed));
    ASSERT_EQ(examples.size(), parts.size());
    std::vector<bool> pattern;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      ASSERT_EQ(undone(examples[i].targets), parts[i]);
      pattern.push_back(transformed(examples[i]));
    }
    patterns.insert(pattern);
  }
  EXPECT_EQ(patterns.size(), 8u) << "their coins are not independent";
}

TEST(FillInTheMiddle, LeavesTextsWithoutTokensOfTheirOwnAlone) {
  const std::vector<Tokens> texts = {{begin_token}, {end_token}, {begin_token, end_token}};
  for (const Tokens& text : texts) {
    const Example example = example_of(middle({{"rate", 1}}), text, 1);
    EXPECT_EQ(example.targets, text);
    EXPECT_TRUE(example.facts.empty());
  }
}

TEST(FillInTheMiddle, CutsBytesBetweenCharactersAlone) {
  const std::string characters = "a\xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E z";
  Tokens text;
  for (const char byte : characters)
    text.push_back(special_count + static_cast<unsigned char>(byte));
  const Objective objective =
      middle({{"rate", 1}, {"split", "character"}, {"spm_form", "v1"}}, 256);
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (const auto& [mark, part] : middle_parts_of(example_of(objective, text, seed).targets)) {
      std::string bytes;
      for (const Token token : part) bytes += static_cast<char>(token - special_count);
      ASSERT_EQ(first_invalid_utf8(bytes), std::string_view::npos) << bytes;
    }
}

TEST(FillInTheMiddle, RefusesToCutCharactersWhereIdsAreNotBytes) {
  try {
    middle({{"split", "character"}}, 1000);
    FAIL() << "1000 ids were taken for bytes";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "fill_in_the_middle: split = \"character\" needs ids that are bytes, 256 of them; "
                 "this vocabulary has 1000 ordinary ids; read the text as bytes, or set split to "
                 "\"token\"");
  }
}

}  // namespace
}  // namespace ablate::objectives
