// What metrics are read against.

#include "reports/analysis/bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ablate::reports {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> texts_of(const std::string& metric, bool floors) {
  std::vector<std::string> texts;
  for (const Bound& bound : bounds_of(metric))
    if (bound.floor == floors) texts.push_back(bound.text());
  return texts;
}

TEST(Bounds, AreMetricsOfTheSameProbeAtTheSameSetting) {
  EXPECT_THAT(texts_of("held_out.loss_at_15", false), ElementsAre("held_out.optimum_at_15"));
  EXPECT_THAT(texts_of("held_out.loss_at_15", true),
              ElementsAre("held_out.context_free_at_15", "held_out.untrained_loss_at_15"));
  EXPECT_THAT(
      texts_of("label.accuracy", true),
      ElementsAre("label.untrained", "label.untrained_accuracy", "label.majority", "label.chance"));
  EXPECT_THAT(texts_of("label.accuracy", false), ElementsAre("label.bayes"));
  EXPECT_THAT(texts_of("generation.log_probability", false), ElementsAre("generation.reference"));
  EXPECT_THAT(texts_of("generation.log_probability", true), ElementsAre("generation.untrained"));
}

TEST(Bounds, OfCodesAndVectorsAreTheirOwn) {
  EXPECT_THAT(texts_of("compression.bits_per_token", false), ElementsAre("compression.optimum"));
  EXPECT_THAT(texts_of("compression.bits_per_token", true),
              ElementsAre("compression.unigram", "compression.untrained"));
  EXPECT_THAT(texts_of("infilling.bits_per_byte", true),
              ElementsAre("infilling.unigram", "infilling.context_free, in bits/byte",
                          "infilling.untrained", "infilling.untrained_bits_per_byte"))
      << "the first of them that was measured";
  EXPECT_THAT(texts_of("cloze.bits_per_byte_infill", true), Not(Contains("cloze.untrained_infill")))
      << "it is in nats";
  EXPECT_THAT(texts_of("infilling.edit_similarity", true),
              ElementsAre("infilling.untrained_edit_similarity"));
  EXPECT_THAT(texts_of("representation.ndcg_at_10", true),
              ElementsAre("representation.untrained_ndcg_at_10"));
  EXPECT_THAT(texts_of("representation.ndcg_at_10", false),
              ElementsAre("representation.optimum_ndcg_at_10"));
  EXPECT_THAT(texts_of("representation.recall_at_5", true),
              ElementsAre("representation.untrained_recall_at_5"));
  EXPECT_THAT(texts_of("representation.recall_at_5", false), IsEmpty());
}

TEST(Bounds, OfTheSameLossInAnotherUnitAreConverted) {
  EXPECT_THAT(texts_of("cloze.bits_per_byte_infill", true),
              Contains("cloze.context_free_infill, in bits/byte"));
  EXPECT_THAT(bounds_of("cloze.bits_per_byte_infill").at(1).metrics(),
              ElementsAre("cloze.context_free_infill", "cloze.loss_infill"));
  EXPECT_THAT(texts_of("held_out.bits_per_byte", true),
              Contains("held_out.context_free, in bits/byte"));
  EXPECT_THAT(texts_of("cloze.perplexity_continuation", true),
              ElementsAre("exp(cloze.context_free_continuation)"));
  EXPECT_THAT(texts_of("cloze.perplexity_continuation", false),
              ElementsAre("exp(cloze.optimum_continuation)"));
  EXPECT_THAT(texts_of("cloze.bound_infill", true), ElementsAre("cloze.context_free_infill"));
  EXPECT_THAT(texts_of("cloze.psm_infill", true), ElementsAre("cloze.context_free_infill"));
  EXPECT_THAT(texts_of("infilling.bits_per_byte_from_left", true),
              Contains("infilling.untrained_bits_per_byte"));
  EXPECT_THAT(texts_of("minimal_pairs.accuracy_per_token", true), Contains("minimal_pairs.chance"));
}

TEST(Bounds, MayBeMadeOfTwoMetricsOrOfNone) {
  EXPECT_THAT(texts_of("held_out.excess", true),
              ElementsAre("held_out.context_free minus held_out.optimum",
                          "held_out.untrained_loss minus held_out.optimum"));
  EXPECT_THAT(texts_of("held_out.share_learned", true), ElementsAre("0"));
  EXPECT_THAT(texts_of("label.compression", true), ElementsAre("1"));
}

TEST(Bounds, OfCalibratedAnswersAreOfTheirOwnUnit) {
  EXPECT_THAT(texts_of("prompting.calibrated_16", true), ElementsAre("prompting.chance"));
  EXPECT_THAT(texts_of("prompting.calibrated_macro_f1_16", true),
              ElementsAre("prompting.untrained_macro_f1_16"));
}

TEST(Bounds, AreNoneOfMetricsThatAreReadByThemselves) {
  EXPECT_THAT(bounds_of("generation.distinct_1"), IsEmpty());
  EXPECT_THAT(bounds_of("loss"), IsEmpty()) << "no probe is named";
}

}  // namespace
}  // namespace ablate::reports
