// Training on a CUDA device as the worker does it: recorded steps, read every so often, against the
// processor. Skipped where LibTorch has no device.

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <deque>

#include "harness/train/calibrate.h"
#include "tests/harness/train/tiny.h"

namespace ablate {

namespace testing = train::testing;
namespace {

using testing::Place;
using testing::trial;

class GpuTraining : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!at::hasCUDA()) GTEST_SKIP() << "this LibTorch sees no CUDA device";
  }
};

/// Four lanes of which two predict fewer targets, so that their number changes from step to step.
struct Bank {
  explicit Bank(train::TrainingSettings settings, const Json& train = Json::object()) {
    for (const std::int64_t seed : {1, 3, 4, 6})
      places.emplace_back(folder.path(), trial("t" + std::to_string(seed), seed, 60, train));
    settings.note = [this](const std::string& words) { notes.push_back(words); };
    testing::train_bank({&places[0], &places[1], &places[2], &places[3]}, 0, settings);
  }
  TemporaryFolder folder;
  std::deque<Place> places;
  std::vector<std::string> notes;
};

void expect_alike(const Bank& found, const Bank& expected) {
  for (std::size_t lane = 0; lane < found.places.size(); ++lane) {
    const auto a = found.places[lane].curve(), b = expected.places[lane].curve();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-2 * b[i]) << lane;
  }
}

TEST_F(GpuTraining, RecordsItsStepsAndLearnsWhatTheProcessorLearns) {
  train::TrainingSettings settings;
  settings.device = "cuda:0";
  const Bank found(settings), expected{train::TrainingSettings()};
  EXPECT_TRUE(found.notes.empty()) << found.notes.at(0);
  expect_alike(found, expected);
  EXPECT_GT(found.places[0].events("ledger").at(0).at("peak_device_memory_bytes"), 0);
}

// cuBLAS keeps a workspace for every stream: banks that each had one would hold ever more memory.
TEST_F(GpuTraining, ABankHoldsNoMoreThanTheOneBefore) {
  train::TrainingSettings settings;
  settings.device = "cuda:0";
  const auto held = [&] {
    const Bank bank(settings);
    return bank.places[0].events("ledger").at(0).at("peak_device_memory_bytes").get<double>();
  };
  const double first = held();
  EXPECT_LT(held(), first + 0x1p23);
}

TEST_F(GpuTraining, DropsTheUnitsThatTheProcessorDrops) {
  train::TrainingSettings settings;
  settings.device = "cuda:0";
  const Json train = {{"dropout", 0.1}};
  expect_alike(Bank(settings, train), Bank(train::TrainingSettings(), train));
}

TEST_F(GpuTraining, MeasuresTheMemoryOfABank) {
  train::BankSubject subject;
  subject.device = "cuda:0";
  subject.build = [](std::int64_t lanes) {
    return testing::network(static_cast<std::size_t>(lanes), "cuda:0");
  };
  subject.batch = [](std::int64_t step) { return testing::drawn(3, step).batch; };
  // LibTorch takes memory by segments of 2 MiB and more: eight lanes of so small a model fit into those
  // of one.
  const run::LanePoint one = train::measure_bank(subject, 1),
                       many = train::measure_bank(subject, 1024);
  EXPECT_GT(one.bytes, 0);
  EXPECT_GT(many.bytes, one.bytes);
}

}  // namespace
}  // namespace ablate
