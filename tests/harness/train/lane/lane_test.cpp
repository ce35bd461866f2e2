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

TEST(Lane, WritesDownAStepThatSpikedWithItsDocuments) {
  TemporaryFolder folder;
  testing::Place place(folder.path(), testing::trial("t", 1, 60));
  TrainingLane given = place.lane();
  given.phases[0].draw = [](std::int64_t step) {
    data::SampledBatch made = testing::drawn(1, step);
    for (const std::int64_t document : {step + 7, step, step + 7}) {
      made.examples.push_back(made.examples[0]);
      made.examples.back().text.document = document;
      made.examples.back().text.corpus = document > step;
    }
    made.examples.erase(made.examples.begin());
    return made;
  };
  Lane lane(std::move(given));
  for (std::int64_t step = 0; step < 60; ++step) {
    lane.draw(step);
    lane.advance();
    lane.commit();
    lane.account({(step == 40 ? 90.0 : 60.0 + static_cast<double>(step % 3)) *
                  static_cast<double>(testing::kRows)},
                 1, 0.5);
  }
  const std::vector<Json> spikes = place.events("spike");
  ASSERT_EQ(spikes.size(), 1u);
  EXPECT_EQ(spikes[0].at("step"), 41) << "as the points of the curve count steps";
  EXPECT_EQ(spikes[0].at("documents"), Json::parse("[[0, 40], [1, 47]]"));
  EXPECT_GT(spikes[0].at("loss"), 1);
}

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
