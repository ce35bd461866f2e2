// Measuring banks, on the CPU in place of a device.

#include "harness/train/calibrate.h"

#include <gtest/gtest.h>

#include "tests/harness/train/tiny.h"
#include "tests/models/emulated_device.h"

namespace ablate::train {
namespace {

TEST(Calibration, TrainsABankOfEachSizeAndTimesIt) {
  for (const std::string device : {"cpu", "cpu:0"}) {
    if (device == "cpu:0" && at::hasCUDA()) continue;  // no kernels for it
    std::vector<std::int64_t> built;
    BankSubject subject;
    subject.build = [&](std::int64_t lanes) {
      built.push_back(lanes);
      return testing::network(static_cast<std::size_t>(lanes));
    };
    subject.batch = [](std::int64_t step) { return testing::drawn(3, step).batch; };
    subject.dropout = 0.1;
    subject.device = device;
    for (const std::size_t lanes : {1, 4}) {
      const run::LanePoint point = measure_bank(subject, lanes);
      EXPECT_EQ(point.lanes, lanes);
      EXPECT_GT(point.seconds, 0);
      EXPECT_EQ(point.bytes, 0) << "the processor's memory is not a device's";
    }
    EXPECT_EQ(built, (std::vector<std::int64_t>{1, 4}));
  }
}

}  // namespace
}  // namespace ablate::train
