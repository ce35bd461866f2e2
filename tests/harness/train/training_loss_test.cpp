// Training by a shaped loss: in parts, in banks and on a device as by the plain one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/train/tiny.h"
#include "tests/models/emulated_device.h"

namespace ablate::train {
namespace {

using testing::Place;
using testing::train_bank;
using testing::trial;

const Json kTrainedShapes[] = {{{"label_smoothing", .2}},
                               {{"focal", 2.0}},
                               {{"entropy_weight", 1.0}},
                               {{"z", .01}},
                               {{"focal", 1.0}, {"z", .01}}};

/// A trial that is trained by a loss.
struct TrainedBy {
  explicit TrainedBy(const Json& loss, Json train = Json::object(),
                     const std::string& device = "cpu") {
    if (!loss.empty()) train["loss"] = loss;
    place = std::make_unique<Place>(folder.path(), trial("t", 3, 30, train));
    TrainingSettings settings;
    settings.device = device;
    train_bank({place.get()}, 0, settings);
  }
  TemporaryFolder folder;
  std::unique_ptr<Place> place;
};

void expect_alike(const TrainedBy& a, const TrainedBy& b, double tolerance) {
  const std::vector<double> one = a.place->curve(), two = b.place->curve();
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], two[i], tolerance * one[i]) << i;
}

// The curve is that of the plain loss: at first it is the same, whatever is minimised.
TEST(TrainingLoss, IsNotWhatTheCurveShows) {
  const TrainedBy plain(Json::object());
  for (const Json& loss : kTrainedShapes) {
    const TrainedBy shaped(loss);
    EXPECT_NEAR(shaped.place->curve().front(), plain.place->curve().front(), 1e-2) << loss;
    EXPECT_NE(testing::weights(*shaped.place), testing::weights(*plain.place)) << loss;
  }
}

TEST(TrainingLoss, IsTheSameInParts) {
  for (const Json& loss : kTrainedShapes)
    expect_alike(TrainedBy(loss), TrainedBy(loss, {{"micro_batch", 1}}), 1e-5);
}

TEST(TrainingLoss, OfALaneDoesNotDependOnTheOthers) {
  for (const Json& loss : kTrainedShapes) {
    TemporaryFolder folder;
    const Json train = {{"loss", loss}};
    Place one(folder.path() / "one", trial("t", 1, 30, train)),
        two(folder.path() / "two", trial("t", 3, 30, train));
    train_bank({&one, &two});
    EXPECT_EQ(testing::weights(two), testing::weights(*TrainedBy(loss).place)) << loss;
  }
}

TEST(TrainingLoss, IsRefusedInABankOfAnother) {
  TemporaryFolder folder;
  Place one(folder.path() / "one", trial("t", 1, 30)),
      two(folder.path() / "two", trial("t", 1, 30, {{"loss", kTrainedShapes[0]}}));
  EXPECT_THAT(
      [&] {
        train_bank({&one, &two});
      },
      ::testing::ThrowsMessage<std::invalid_argument>(::testing::HasSubstr("different losses")));
}

using TrainingLossOnADevice = ablate::testing::EmulatedDevice;

TEST_F(TrainingLossOnADevice, TrainsAsOnTheProcessor) {
  for (const Json& loss : kTrainedShapes)
    expect_alike(TrainedBy(loss), TrainedBy(loss, Json::object(), "cpu:0"), 1e-3);
}

}  // namespace
}  // namespace ablate::train
