// Networks with several heads in a bank: coefficients of each lane's own, which may change on the way,
// and phases that train some of the heads.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/harness/train/tiny.h"

namespace ablate::train {
namespace {

using testing::kTime;
using testing::Place;

/// A token head and one for two tokens ahead.
std::vector<HeadNeed> two_heads(double coefficient) {
  return {HeadNeed{},
          {.kind = "future_tokens",
           .params = {{"architecture", "linear"}},
           .coefficient = coefficient}};
}

std::unique_ptr<Network> two_headed(std::size_t lanes) {
  NetworkSettings settings;
  settings.model = Params(models::transformer_spec().params,
                          {{"depth", 2}, {"width", 32}, {"heads", 2}, {"context", kTime}});
  settings.hosting.vocabulary = testing::kWords;
  settings.hosting.needs.heads = two_heads(1);
  settings.lanes = static_cast<std::int64_t>(lanes);
  return models::build_network("transformer", settings);
}

/// The tiny trials' batches; where `both`, the second head predicts the first one's targets, too.
data::SampledBatch drawn(std::int64_t seed, std::int64_t step, bool both) {
  data::SampledBatch made = testing::drawn(seed, step);
  made.batch.scored.resize(2);
  if (both) made.batch.scored[1] = made.batch.scored[0];
  return made;
}

/// A trial's lane in which the heads have these needs and are both trained from step `from` on.
TrainingLane lane_of(Place& place, const std::vector<HeadNeed>& heads, std::int64_t from = 0) {
  TrainingLane lane = place.lane();
  lane.phases[0].heads = heads;
  lane.phases[0].draw = [seed = place.trial.seed, from](std::int64_t step) {
    return drawn(seed, step, step >= from);
  };
  return lane;
}

void train_lanes(std::vector<TrainingLane> lanes) {
  const auto network = two_headed(lanes.size());
  train(*network, std::move(lanes), 0, {});
}

/// Trains one trial alone; returns the bits of its weights.
std::string alone(const std::vector<HeadNeed>& heads, std::int64_t seed, std::int64_t from = 0) {
  TemporaryFolder folder;
  Place place(folder.path(), testing::trial("t", seed, 12));
  train_lanes({lane_of(place, heads, from)});
  return testing::weights(place);
}

TEST(HeadsTraining, EachLaneHasItsOwnCoefficients) {
  TemporaryFolder folder;
  std::vector<std::unique_ptr<Place>> places;
  std::vector<TrainingLane> lanes;
  const double coefficients[] = {0, 0.3, 1};
  for (const double coefficient : coefficients) {
    const std::string name = "lane" + std::to_string(places.size());
    places.push_back(std::make_unique<Place>(folder.path() / name, testing::trial("t", 1, 12)));
    lanes.push_back(lane_of(*places.back(), two_heads(coefficient)));
  }
  train_lanes(std::move(lanes));
  std::set<std::string> all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_EQ(testing::weights(*places[i]), alone(two_heads(coefficients[i]), 1));
    all.insert(testing::weights(*places[i]));
  }
  EXPECT_EQ(all.size(), 3u);
}

TEST(HeadsTraining, ACoefficientMayChangeOnTheWay) {
  std::vector<HeadNeed> never = two_heads(0.3), at_once = two_heads(1), later = two_heads(0.3);
  never[1].later = {0.9, 2};
  at_once[1].later = {0.3, 0};
  later[1].later = {0.9, 0.5};
  EXPECT_EQ(alone(never, 1), alone(two_heads(0.3), 1));
  EXPECT_EQ(alone(at_once, 1), alone(two_heads(0.3), 1));
  EXPECT_NE(alone(later, 1), alone(two_heads(0.3), 1));
  EXPECT_NE(alone(later, 1), alone(two_heads(0.9), 1));
}

TEST(HeadsTraining, AHeadThatAPhaseDoesNotScoreChangesNothingElse) {
  TemporaryFolder folder;
  Place one(folder.path(), testing::trial("one", 1, 12)),
      two(folder.path(), testing::trial("two", 1, 12));
  train_lanes({lane_of(one, two_heads(1), 99)});
  train_lanes({lane_of(two, two_heads(0), 0)});
  EXPECT_EQ(one.curve(), two.curve()) << "trained by the first head alone";
  for (const Json& point : one.events("curve"))
    EXPECT_EQ(point.at("further_losses"), Json::array({nullptr}));
}

TEST(HeadsTraining, TheCurveShowsTheHeadThatThePhaseShows) {
  TemporaryFolder folder;
  Place first(folder.path() / "one", testing::trial("t", 1, 12)),
      second(folder.path() / "two", testing::trial("t", 1, 12));
  train_lanes({lane_of(first, two_heads(1))});
  TrainingLane other = lane_of(second, two_heads(1));
  other.phases[0].draw = [draw = other.phases[0].draw](std::int64_t step) {
    data::SampledBatch made = draw(step);
    made.batch.primary = 1;
    return made;
  };
  train_lanes({std::move(other)});
  EXPECT_EQ(testing::weights(first), testing::weights(second)) << "what is shown trains nothing";
  const auto shown = first.events("curve"), of_other = second.events("curve");
  ASSERT_EQ(shown.size(), of_other.size());
  ASSERT_FALSE(shown.empty());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    EXPECT_NE(shown[i].at("loss"), of_other[i].at("loss"));
    EXPECT_EQ(of_other[i].at("further_losses").at(0).is_null(), false);
  }
}

}  // namespace
}  // namespace ablate::train
