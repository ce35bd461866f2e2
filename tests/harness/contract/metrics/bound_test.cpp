// What metrics are read against.

#include "harness/contract/metrics/bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/contract/metrics/metric.h"

namespace ablate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Bound, IsWrittenAsItIsComputed) {
  EXPECT_EQ(Bound::untrained("topic.untrained").text(), "topic.untrained");
  EXPECT_EQ(Bound::no_context("a.context_free").minus("a.optimum").text(),
            "a.context_free minus a.optimum");
  EXPECT_EQ(Bound::no_context("a.context_free").exponential().text(), "exp(a.context_free)");
  EXPECT_EQ(Bound::chance(0.5).text(), "0.5");
  EXPECT_EQ(Bound::floor(0.0).text(), "0");
}

TEST(Bound, OfTheSameLossInBitsPerByteNeedsTheLoss) {
  const Bound converted = Bound::no_context("a.context_free").per_byte("a.loss");
  EXPECT_EQ(converted.text(), "a.context_free, in bits/byte");
  EXPECT_THAT(converted.metrics(), ElementsAre("a.context_free", "a.loss"));
  EXPECT_THAT(Bound::floor(1.0).metrics(), IsEmpty());
}

TEST(Bound, IsAFloorUnlessItIsACeiling) {
  EXPECT_FALSE(Bound::ceiling("topic.bayes").is_floor());
  EXPECT_TRUE(Bound::majority("topic.majority").is_floor());
  EXPECT_EQ(words_of(BoundKind::majority), "the most frequent answer");
  EXPECT_EQ(words_of(BoundKind::floor), "its floor");
}

TEST(Metric, IsReadAgainstMetricsOfItsProbe) {
  Metric metric{.name = "cloze.bits_per_byte_infill"};
  metric.read_against({Bound::no_context("context_free_infill").per_byte("loss_infill"),
                       std::nullopt, Bound::chance(0.5)});
  ASSERT_EQ(metric.bounds.size(), 2u);
  EXPECT_THAT(metric.bounds[0].metrics(),
              ElementsAre("cloze.context_free_infill", "cloze.loss_infill"));
  EXPECT_THAT(metric.bounds[1].metrics(), IsEmpty());
}

TEST(Metric, OfAFamilyHasANInPlaceOfItsNumber) {
  Metric metric{.name = "set_1.macro_f1_1",
                .label = "set 1 1-shot macro F1",
                .description = "the F1 after 1 demonstrations, of 10; 1: one"};
  metric.indexed_by(1);
  EXPECT_EQ(metric.index->value, 1);
  EXPECT_EQ(metric.index->name, "set_1.macro_f1_N");
  EXPECT_EQ(metric.index->label, "set 1 N-shot macro F1");
  EXPECT_EQ(metric.index->description, "the F1 after N demonstrations, of 10; N: one");
}

}  // namespace
}  // namespace ablate
