// When work runs directly, is recorded and is replayed, with a recorder that counts.

#include "harness/train/step/repeated.h"

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace ablate::train {
namespace {

struct Counts {
  int recorded = 0, replayed = 0;
};

/// Records by remembering; a replay does the work, as a device would.
class Tape final : public Recorder {
 public:
  explicit Tape(Counts& counts, bool broken = false) : counts_(counts), broken_(broken) {}
  void record(const std::function<void()>& work) override {
    ++counts_.recorded;
    if (broken_) throw std::runtime_error("no tape");
    work_ = work;
  }
  void replay() override {
    ++counts_.replayed;
    work_();
  }

 private:
  Counts& counts_;
  bool broken_;
  std::function<void()> work_;
};

TEST(Repeated, WarmsUpRecordsOnceAndRepeats) {
  Counts counts;
  Repeated repeated(std::make_unique<Tape>(counts));
  int done = 0;
  for (int i = 1; i <= 10; ++i) {
    repeated.run([&] { ++done; });
    EXPECT_EQ(done, i);
    EXPECT_EQ(counts.replayed, std::max(0, i - Repeated::kWarmUp));
  }
  EXPECT_EQ(counts.recorded, 1);
}

TEST(Repeated, RecordsAnewAfterAReset) {
  Counts counts;
  Repeated repeated(std::make_unique<Tape>(counts));
  int old = 0, fresh = 0;
  for (int i = 0; i < 5; ++i) repeated.run([&] { ++old; });
  repeated.reset();
  for (int i = 0; i < 5; ++i) repeated.run([&] { ++fresh; });
  EXPECT_EQ(old, 5);
  EXPECT_EQ(fresh, 5);
  EXPECT_EQ(counts.recorded, 2);
}

TEST(Repeated, DoesTheWorkWhereRecordingFailsAndSaysWhy) {
  Counts counts;
  Repeated repeated(std::make_unique<Tape>(counts, true));
  int done = 0;
  for (int i = 0; i < 10; ++i) repeated.run([&] { ++done; });
  EXPECT_EQ(done, 10);
  EXPECT_EQ(counts.recorded, 1);
  EXPECT_EQ(repeated.failure(), "no tape");
}

TEST(Repeated, DoesNotTryAgainDirectlyWhereMemoryEnds) {
  /// Runs out of memory.
  class Full final : public Recorder {
    void record(const std::function<void()>&) override {
      C10_THROW_ERROR(OutOfMemoryError, "out of memory");
    }
    void replay() override {}
  };
  Repeated repeated(std::make_unique<Full>());
  int done = 0;
  for (int i = 0; i < Repeated::kWarmUp; ++i) repeated.run([&] { ++done; });
  EXPECT_THROW(repeated.run([&] { ++done; }), c10::OutOfMemoryError);
  EXPECT_EQ(done, Repeated::kWarmUp);
}

TEST(Repeated, DoesTheWorkWhereNothingCanBeRecorded) {
  Repeated repeated(nullptr);
  int done = 0;
  for (int i = 0; i < 10; ++i) repeated.run([&] { ++done; });
  EXPECT_EQ(done, 10);
  EXPECT_EQ(repeated.failure(), "");
}

}  // namespace
}  // namespace ablate::train
