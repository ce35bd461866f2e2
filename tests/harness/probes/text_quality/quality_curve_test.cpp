// Values of drawn text at the entropy of other text.

#include "harness/probes/text_quality/quality_curve.h"

#include <gtest/gtest.h>

namespace ablate::probes {
namespace {

QualityPoint point(double temperature, double entropy, std::map<std::string, double> values) {
  return {.temperature = temperature, .entropy = entropy, .values = std::move(values)};
}

TEST(QualityCurve, MatchesEachValueBetweenItsTwoNeighbours) {
  const std::vector<QualityPoint> curve = {point(0.5, 2, {{"mauve", 0.2}, {"self_bleu", 0.8}}),
                                           point(1, 3, {{"mauve", 0.6}, {"self_bleu", 0.4}}),
                                           point(1.5, 5, {{"mauve", 0.4}, {"self_bleu", 0.1}})};
  EXPECT_NEAR(*matched_value(curve, "mauve", &QualityPoint::entropy, 2.25), 0.3, 1e-12);
  EXPECT_NEAR(*matched_value(curve, "self_bleu", &QualityPoint::entropy, 4), 0.25, 1e-12);
  EXPECT_FALSE(matched_value(curve, "mauve", &QualityPoint::entropy, 5.5));
  EXPECT_FALSE(matched_value(curve, "judge_loss", &QualityPoint::entropy, 3));
}

// Where nothing was drawn at a temperature, a judge has nothing to read there.
TEST(QualityCurve, PassesOverTemperaturesWithoutAValue) {
  const std::vector<QualityPoint> curve = {point(0.5, 0, {{"mauve", 0.0}}),
                                           point(1, 3, {{"mauve", 0.6}, {"judge_loss", 4}}),
                                           point(1.5, 5, {{"mauve", 0.4}, {"judge_loss", 5}})};
  EXPECT_NEAR(*matched_value(curve, "judge_loss", &QualityPoint::entropy, 4), 4.5, 1e-12);
  EXPECT_FALSE(matched_value(curve, "judge_loss", &QualityPoint::entropy, 2));
  const Json stored = as_json(curve);
  EXPECT_FALSE(stored.at(0).contains("judge_loss"));
  EXPECT_EQ(stored.at(1), Json({{"temperature", 1.0},
                                {"entropy", 3.0},
                                {"entropy_within", 0.0},
                                {"mauve", 0.6},
                                {"judge_loss", 4.0}}));
}

}  // namespace
}  // namespace ablate::probes
