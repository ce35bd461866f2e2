// Fixes the exact examples that masked language modelling draws, so that earlier results stay
// valid.

#include <gtest/gtest.h>

#include "tests/objectives/example_of.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

Objective masked(const Json& given, Token ordinary) {
  return objective_of("masked_lm", given, ordinary, 512);
}

std::string_view name_of(HiddenAs how) {
  return how == HiddenAs::mask ? "mask" : how == HiddenAs::random ? "random" : "keep";
}

TEST(MaskedLm, DrawsTheExamplesOfTheVectors) {
  const Json family = vectors_of("masked_lm").at("splitmix64_examples");
  const std::vector<Token> tokens = family.at("text");
  ASSERT_FALSE(family.at("cases").empty());
  for (const Json& one : family["cases"]) {
    const Example example =
        masked(one["settings"], 64).transform({.tokens = tokens}, Rng(one["seed"])).front();
    Json hidden = Json::array();
    std::vector<Token> inputs = tokens;
    std::vector<float> weights(tokens.size(), 0.0f);
    for (const Hidden& each : example.hidden) {
      const auto at = static_cast<std::size_t>(each.position);
      hidden.push_back({each.position, name_of(each.how), example.inputs[at]});
      inputs[at] = example.inputs[at];
      weights[at] = 1;
    }
    EXPECT_EQ(hidden, one["hidden"]) << one["settings"];
    EXPECT_EQ(example.inputs, inputs) << "nothing else is touched";
    EXPECT_EQ(example.targets, tokens);
    EXPECT_EQ(example.weights, weights);
  }
}

/// The FNV-1a hash of 64-bit numbers, byte by byte.
struct Digest {
  std::uint64_t value = 0xCBF29CE484222325u;
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte)
      value = (value ^ (number >> 8 * byte & 255)) * 0x100000001B3u;
  }
};

TEST(MaskedLm, DrawsWhatItDrewBeforeItWasMadeFast) {
  // The digest of the first version, which made a separate draw for each position.
  Digest digest;
  const std::vector<Json> settings = {
      Json::object(),
      {{"rate", .4}, {"mask_share", .5}, {"random_share", .4}},
      {{"count", "exact"}},
      {{"rate", 1}},
      {{"rate", .001}},
      {{"rate", .73}, {"mask_share", 0}, {"random_share", 1}},
      {{"rate", .5}, {"count", "exact"}, {"mask_share", 1}, {"random_share", 0}}};
  for (const Json& given : settings)
    for (const Token ordinary : {3, 100, 32000}) {
      const Objective objective = masked(given, ordinary);
      for (const std::size_t length : {1u, 2u, 3u, 7u, 64u, 512u, 1000u})
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          const std::vector<Token> tokens = text_of(length, ordinary);
          std::vector<std::uint8_t> marks;
          for (std::size_t i = 0; i < length; ++i)
            marks.push_back(tokens[i] < 16 ? special_mark : i % 3 ? no_mark : word_mark);
          Text text{.tokens = tokens};
          if (seed % 2) text.marks = marks;
          const Example example =
              objective.transform(text, Rng(seed, Stream::corruption, length, seed)).front();
          for (const Token token : example.inputs) digest.add(static_cast<std::uint64_t>(token));
          for (const Token token : example.targets) digest.add(static_cast<std::uint64_t>(token));
          for (const float weight : example.weights) digest.add(weight > 0);
          for (const Hidden& hidden : example.hidden)
            digest.add(static_cast<std::uint64_t>(hidden.position) * 8 +
                       static_cast<std::uint64_t>(hidden.how));
        }
    }
  EXPECT_EQ(digest.value, 8575871361573760017u);
}

}  // namespace
}  // namespace ablate::objectives
