// Golden vectors of the objectives: they change with what an objective does, and with nothing else.

#include "harness/plan/preview/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "experiments/catalog.h"

namespace ablate::plan {
namespace {

TEST(GoldenVectors, AreOfEveryObjectiveAndTellThemApart) {
  const auto vectors = golden_vectors(catalog());
  EXPECT_EQ(vectors.size(), catalog().objectives.size());
  std::set<std::string> digests;
  for (const auto& [name, golden] : vectors) {
    EXPECT_EQ(golden.digest.size(), 64u) << name;
    digests.insert(golden.digest);
  }
  EXPECT_EQ(digests.size(), vectors.size());
}

TEST(GoldenVectors, AreTheSameEachTime) {
  const auto first = golden_vectors(catalog()), again = golden_vectors(catalog());
  for (const auto& [name, golden] : first)
    EXPECT_EQ(golden_text(golden), golden_text(again.at(name))) << name;
}

/// A weight that differs by one bit: no printed number shows it.
Objective with_another_weight(const Params& params, const Context& context) {
  static const ObjectiveSpec& causal = catalog().objective("causal_lm");
  Objective objective = causal.build(params, context);
  objective.transform = [original = objective.transform](const Text& text, Rng rng) {
    std::vector<Example> examples = original(text, rng);
    examples.front().weights.back() = std::nextafter(examples.front().weights.back(), 2.0f);
    return examples;
  };
  return objective;
}

TEST(GoldenVectors, ShowASingleBit) {
  ObjectiveSpec changed = catalog().objective("causal_lm");
  changed.build = with_another_weight;
  Catalog other = catalog();
  other.objectives = {&changed, 1};
  const GoldenVector now = golden_vectors(other).at("causal_lm");
  const GoldenVector before = golden_vectors(catalog()).at("causal_lm");
  EXPECT_NE(now.digest, before.digest);
  EXPECT_EQ(golden_text({2, "ab"}), "version 2, ab");
}

}  // namespace
}  // namespace ablate::plan
