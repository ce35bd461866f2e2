// A lane goes on from its state as if it had never stopped.

#include "harness/train/lane/lane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/train/tiny.h"

namespace ablate::train {
namespace {

using ::testing::ElementsAre;

/// A lane that writes down which steps it draws.
struct Drawn {
  explicit Drawn(const std::filesystem::path& root) : place(root, testing::trial("t", 1, 9)) {}
  Lane lane() {
    TrainingLane given = place.lane();
    given.phases[0].draw = [this](std::int64_t step) {
      steps.push_back(step);
      return testing::drawn(1, step);
    };
    return Lane(std::move(given));
  }
  testing::Place place;
  std::vector<std::int64_t> steps;
};

/// Makes and accounts for the steps from `from` to `until`.
void train(Lane& lane, std::int64_t from, std::int64_t until) {
  for (std::int64_t step = from; step < until; ++step) {
    lane.draw(step);
    lane.advance();
    lane.commit();
    lane.account({2.5 * static_cast<double>(step + 1)}, 1, 0.5);
  }
}

Json realised(const Lane& lane) { return lane.ledger().at("realised"); }

TEST(RestoredLane, KeepsWhatWasRealisedAndDrawsNothingAgain) {
  TemporaryFolder folder;
  Drawn drawn(folder.path());
  Lane whole = drawn.lane(), first = drawn.lane();
  train(whole, 0, 7);
  train(first, 0, 4);
  const Json state = Json::parse(first.state().dump());
  Lane second = drawn.lane();
  drawn.steps.clear();
  second.restore(state);
  EXPECT_TRUE(drawn.steps.empty());
  train(second, 4, 7);
  EXPECT_THAT(drawn.steps, ElementsAre(4, 5, 6));
  EXPECT_EQ(realised(second), realised(whole));
  EXPECT_EQ(second.state(), whole.state());
}

TEST(RestoredLane, OfACheckpointWithoutWhatWasRealisedCountsItAgain) {
  TemporaryFolder folder;
  Drawn drawn(folder.path());
  Lane first = drawn.lane();
  train(first, 0, 4);
  Json state = first.state();
  state.erase("realised");
  Lane second = drawn.lane();
  second.restore(state);
  EXPECT_EQ(second.state(), first.state());
}

}  // namespace
}  // namespace ablate::train
