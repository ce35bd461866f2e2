// Models that are measured together: bit for bit as each alone, in passes of a bank.

#include "harness/probes/together/shared_passes.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "harness/base/time/stopwatch.h"
#include "harness/base/time/time_spent.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using ::testing::HasSubstr;
using testing::measured;
using testing::SmallWorld;

/// A model of width 32, as the fixture's trials are measured with.
std::unique_ptr<train::Network> network_of(const SmallWorld& world, const plan::Trial& trial,
                                           std::int64_t lanes) {
  const plan::ResolvedModel model = testing::any_model(world.vocabulary());
  const plan::ResolvedPhase phase = testing::phase_of(trial, model);
  train::NetworkSettings settings;
  settings.model = Params(models::transformer_spec().params,
                          {{"width", 32}, {"depth", 2}, {"heads", 2}, {"context", phase.context}});
  settings.hosting = {world.vocabulary(), phase.objective.needs, phase.shape};
  settings.lanes = lanes;
  return models::build_network("transformer", settings);
}

/// Trials of one shape, their objectives and seeds apart, and what is measured of each.
class Together : public ::testing::Test {
 protected:
  explicit Together(const Json& objective = {{"type", "causal_lm"}})
      : trial(testing::trial_of(objective)) {}

  std::unique_ptr<train::Network> lane(std::uint64_t seed) const {
    auto network = network_of(world, trial, 1);
    train::initialise(*network, {seed});
    return network;
  }

  /// What `probes` say of models with the seeds 1 to 3, measured together.
  std::vector<Measurement> together(SharedPasses& passes, const std::vector<Json>& asked) {
    std::vector<Measurement> made(3 * asked.size());
    std::vector<std::function<void()>> tasks;
    for (std::size_t i = 0; i < 3; ++i)
      tasks.emplace_back([&, i] {
        const auto network = passes.join(lane(i + 1));
        for (std::size_t j = 0; j < asked.size(); ++j)
          made[i * asked.size() + j] = measured(world, trial, *network, asked[j]);
      });
    passes.run(tasks);
    return made;
  }

  void expect_as_alone(const std::vector<Measurement>& made, const std::vector<Json>& asked) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < asked.size(); ++j) {
        const Measurement alone = measured(world, trial, *lane(i + 1), asked[j]);
        const Measurement& one = made[i * asked.size() + j];
        EXPECT_FALSE(alone.metrics.empty());
        EXPECT_EQ(one.metrics, alone.metrics) << asked[j] << " of seed " << i + 1;
        EXPECT_EQ(one.samples, alone.samples);
      }
  }

  SmallWorld world;
  plan::Trial trial;
  std::vector<std::string> notes;
  int banks = 0;
  const std::vector<Json> probes = {{{"type", "held_out"}},
                                    {{"type", "generation"}, {"samples", 5}},
                                    {{"type", "hidden_state"},
                                     {"training_tokens", 100},
                                     {"development_tokens", 100},
                                     {"test_tokens", 100}}};
};

TEST_F(Together, ModelsAreMeasuredAsEachAlone) {
  SharedPasses passes(
      [&](std::int64_t lanes) {
        ++banks;
        return network_of(world, trial, lanes);
      },
      [&](const std::string& words) { notes.push_back(words); });
  expect_as_alone(together(passes, probes), probes);
  EXPECT_GE(passes.shared(), 9) << "of three models, on three splits of documents";
  EXPECT_GE(banks, 1);
  EXPECT_TRUE(notes.empty());
}

TEST_F(Together, EachIsGivenItsOwnPartOfTheTime) {
  SharedPasses passes([&](std::int64_t lanes) { return network_of(world, trial, lanes); },
                      [&](const std::string& words) { notes.push_back(words); });
  std::vector<TimeSpent> spent(3);
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < 3; ++i)
    tasks.emplace_back([&, i] {
      const TimeSpent before = time_spent();
      measured(world, trial, *passes.join(lane(i + 1)), {{"type", "generation"}, {"samples", 5}});
      measured(world, trial, *passes.join(lane(i + 1)), {{"type", "held_out"}});
      spent[i] = time_spent() - before;
    });
  Stopwatch watch;
  passes.run(tasks);
  const double wall = watch.lap();
  double all = 0;
  for (const TimeSpent& one : spent) {
    EXPECT_GT(one.on(Activity::passes), 0);
    EXPECT_GT(one.on(Activity::text), 0);
    EXPECT_EQ(one.on(Activity::fits), 0);
    EXPECT_GE(one.seconds, one.on(Activity::passes) + one.on(Activity::text));
    all += one.seconds;
  }
  EXPECT_LE(all, wall) << "nothing is counted for two of them";
}

/// Models whose generator fills what they are scored on.
class TogetherWithGenerators : public Together {
 protected:
  TogetherWithGenerators()
      : Together({{"type", "replaced_token_detection"},
                  {"generator", "learned"},
                  {"generator_width", 0.5}}) {}
};

TEST_F(TogetherWithGenerators, ModelsAreMeasuredAsEachAlone) {
  SharedPasses passes([&](std::int64_t lanes) { return network_of(world, trial, lanes); },
                      [&](const std::string& words) { notes.push_back(words); });
  const std::vector<Json> held_out = {{{"type", "held_out"}}};
  expect_as_alone(together(passes, held_out), held_out);
  EXPECT_GE(passes.shared(), 6) << "of three models, each in passes of generator and backbone";
  EXPECT_TRUE(notes.empty());
}

TEST_F(Together, ABankThatFailsIsNotedAndReplacedByTheModels) {
  SharedPasses passes(
      [](std::int64_t) -> std::unique_ptr<train::Network> {
        throw std::runtime_error("out of memory");
      },
      [&](const std::string& words) { notes.push_back(words); });
  expect_as_alone(together(passes, probes), probes);
  EXPECT_EQ(passes.shared(), 0);
  ASSERT_FALSE(notes.empty());
  EXPECT_THAT(notes.front(), HasSubstr("is run model by model: out of memory"));
}

TEST_F(Together, OneAloneSharesWithNobody) {
  SharedPasses passes([&](std::int64_t lanes) { return network_of(world, trial, lanes); },
                      [&](const std::string& words) { notes.push_back(words); });
  std::vector<bool> shares = {passes.shares()};
  const std::function<void()> task = [&] {
    shares.push_back(passes.shares());
    measured(world, trial, *passes.join(lane(1)), probes.back());
  };
  passes.run(std::vector{task});
  EXPECT_EQ(passes.shared(), 0);
  passes.run(std::vector{task, task});
  EXPECT_GT(passes.shared(), 0);
  shares.push_back(passes.shares());
  EXPECT_EQ(shares, (std::vector<bool>{false, false, true, true, false}));
}

TEST_F(Together, PassesOfOtherShapesAreNotMixed) {
  SharedPasses passes([&](std::int64_t lanes) { return network_of(world, trial, lanes); },
                      [&](const std::string& words) { notes.push_back(words); });
  const std::vector<Json> few = {{{"type", "generation"}, {"samples", 2}}},
                          many = {{{"type", "generation"}, {"samples", 7}}};
  std::vector<Measurement> made(2);
  const std::vector<std::function<void()>> tasks = {
      [&] { made[0] = measured(world, trial, *passes.join(lane(1)), few[0]); },
      [&] { made[1] = measured(world, trial, *passes.join(lane(2)), many[0]); }};
  passes.run(tasks);
  EXPECT_EQ(made[0].metrics, measured(world, trial, *lane(1), few[0]).metrics);
  EXPECT_EQ(made[1].metrics, measured(world, trial, *lane(2), many[0]).metrics);
}

TEST_F(Together, WeightsThatChangedAreReadAnew) {
  const at::NoGradGuard no_gradients;
  SharedPasses passes([&](std::int64_t lanes) { return network_of(world, trial, lanes); },
                      [&](const std::string& words) { notes.push_back(words); });
  std::vector<std::optional<Measurement>> before(2), after(2);
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < 2; ++i)
    tasks.emplace_back([&, i] {
      const auto network = passes.join(lane(i + 1));
      before[i] = measured(world, trial, *network, probes[0]);
      const at::NoGradGuard in_this_thread;
      for (train::Parameter& parameter : network->parameters()) parameter.value.mul_(0.5);
      network->parameters_changed();
      after[i] = measured(world, trial, *network, probes[0]);
    });
  passes.run(tasks);
  EXPECT_NE(before[0]->metrics, after[0]->metrics);
  const auto halved = lane(1);
  for (train::Parameter& parameter : halved->parameters()) parameter.value.mul_(0.5);
  halved->parameters_changed();
  EXPECT_EQ(after[0]->metrics, measured(world, trial, *halved, probes[0]).metrics);
}

}  // namespace
}  // namespace ablate::probes
