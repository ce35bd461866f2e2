// Training by several ranks is training by one, up to rounding; and for a number of ranks it is the same bits
// in every run, interrupted or not.

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/train/step/across_ranks.h"
#include "tests/harness/train/ranks/rank_threads.h"
#include "tests/harness/train/tiny.h"
#include "tests/models/emulated_device.h"

namespace ablate::train {
namespace {

using testing::as_ranks;
using testing::Place;
using testing::train_bank;
using testing::trial;

const Json kDropout = {{"dropout", 0.2}};

/// A bank of lanes that differ as those of `tiny.h` do.
struct RankedBank {
  explicit RankedBank(Json train = kDropout, std::int64_t steps = 50) {
    for (const std::int64_t seed : {1, 3})
      places.push_back(std::make_unique<Place>(
          folder.path(), trial(fmt::format("t{}", seed), seed, steps, train)));
  }

  /// Trains it by so many ranks; on all but the first without a journal.
  void train_by(std::int64_t size, std::int64_t from = 0, const TrainingSettings& settings = {}) {
    as_ranks(size, [&](Ranks& ranks) { train_as(ranks, from, settings); });
  }

  /// What one of the ranks does.
  void train_as(Ranks& ranks, std::int64_t from, TrainingSettings settings) {
    settings.ranks = &ranks;
    if (!ranks.leads()) settings.stop = nullptr;
    std::vector<TrainingLane> lanes;
    for (const auto& place : places) {
      lanes.push_back(place->lane());
      if (ranks.leads()) continue;
      lanes.back().journal = nullptr;
      lanes.back().folder.clear();
    }
    const auto model = testing::network(places.size(), settings.device);
    train(*model, std::move(lanes), from, settings);
  }

  /// Trains it by this process alone.
  void train_alone(std::int64_t from = 0, const TrainingSettings& settings = {}) {
    train_bank({places[0].get(), places[1].get()}, from, settings);
  }

  std::vector<std::string> weights() const {
    std::vector<std::string> all;
    for (const auto& place : places) all.push_back(testing::weights(*place));
    return all;
  }

  TemporaryFolder folder;
  std::vector<std::unique_ptr<Place>> places;
};

/// Expects the curves of `a` to be those that one process trains with these settings.
void expect_as_alone(const RankedBank& a, double tolerance, const Json& train = kDropout) {
  RankedBank b(train);
  b.train_alone();
  for (std::size_t lane = 0; lane < a.places.size(); ++lane) {
    const auto one = a.places[lane]->curve(), two = b.places[lane]->curve();
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_NEAR(one[i], two[i], tolerance * one[i]) << i;
  }
}

class RankedTraining : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(RankedTraining, TrainsAsOneProcessDoes) {
  RankedBank several;
  several.train_by(GetParam());
  expect_as_alone(several, 1e-4);
  const Json ledger = several.places[0]->events("ledger").at(0);
  EXPECT_EQ(ledger.at("ranks"), GetParam());
  EXPECT_GT(ledger.at("time_shares").at("exchange").get<double>(), 0);
}

TEST_P(RankedTraining, IsTheSameBitsInEveryRun) {
  RankedBank one, two;
  one.train_by(GetParam());
  two.train_by(GetParam());
  EXPECT_EQ(one.weights(), two.weights());
}

TEST_P(RankedTraining, ContinuesWithTheSameBits) {
  RankedBank whole, stopped;
  whole.train_by(GetParam());
  stopped.train_by(GetParam(), 0, testing::stopping_after(17));
  EXPECT_THAT(resumable_steps(stopped.places[1]->files()), ::testing::ElementsAre(17));
  stopped.train_by(GetParam(), 17);
  EXPECT_EQ(stopped.weights(), whole.weights());
  EXPECT_EQ(stopped.places[0]->curve(), whole.places[0]->curve());
}

TEST_P(RankedTraining, GoesOnFromWhereOneProcessStopped) {
  RankedBank bank;
  bank.train_alone(0, testing::stopping_after(17));
  bank.train_by(GetParam(), 17);
  expect_as_alone(bank, 1e-4);
}

TEST_P(RankedTraining, AgreesOnABudgetInSeconds) {
  RankedBank bank({{"budget", {{"seconds", 0.3}}}}, 0);
  bank.train_by(GetParam());
  for (const auto& place : bank.places) EXPECT_EQ(place->events("ledger").size(), 1);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RankedTraining, ::testing::Values(2, 3));

TEST(RankedTraining, ByTwoIsABatchInTwoParts) {
  // Of three rows the first rank takes one and the second two; parts of one process are of two and one.
  RankedBank ranked;
  ranked.train_by(2);
  expect_as_alone(ranked, 1e-5, {{"dropout", 0.2}, {"micro_batch", 2}});
}

TEST(RankedTraining, InPartsIsTheSameTraining) {
  RankedBank ranked({{"dropout", 0.2}, {"micro_batch", 1}});
  ranked.train_by(2);
  expect_as_alone(ranked, 1e-4);
}

// A rank whose rows had nothing to count, such as no masked token, has no facts.
TEST(RankedTraining, CountsFactsThatOneRankLacks) {
  as_ranks(2, [](Ranks& ranks) {
    const at::Tensor gradient = at::ones({2, 5});
    Totals totals{.losses = at::ones({1, 2}), .facts = {}};
    if (ranks.leads()) totals.facts = at::full({4, 2}, 3.0);
    EXPECT_TRUE(add_across(ranks, gradient, 4, totals, ranks.leads()));
    ASSERT_TRUE(totals.facts.defined());
    EXPECT_EQ(totals.facts[3][1].item<double>(), 3);
    EXPECT_EQ(totals.losses[0][1].item<double>(), 2);
    EXPECT_EQ(gradient[1][4].item<double>(), 2);
  });
}

TEST(RankedTraining, OnlyTheFirstRankStopsAll) {
  as_ranks(2, [](Ranks& ranks) {
    Totals totals{.losses = at::ones({1, 1}), .facts = {}};
    EXPECT_FALSE(add_across(ranks, at::ones({1, 1}), 0, totals, !ranks.leads()));
  });
}

using RankedTrainingOnADevice = ablate::testing::EmulatedDevice;

TEST_F(RankedTrainingOnADevice, TrainsAsTheProcessorDoes) {
  RankedBank ranked;
  TrainingSettings settings;
  settings.device = "cpu:0";
  testing::as_forked_ranks(2, [&](Ranks& ranks) { ranked.train_as(ranks, 0, settings); });
  expect_as_alone(ranked, 1e-3);
}

}  // namespace
}  // namespace ablate::train
