// Work that is recorded once and then repeated, where the device can.

#pragma once

#include <functional>
#include <memory>
#include <string>

namespace ablate::train {

/// Records what a device is told to do, and tells it again.
class Recorder {
 public:
  virtual ~Recorder() = default;

  /// Records all that `work` tells the device, which does none of it yet. Throws std::exception
  /// where that cannot be; what was recorded before is lost.
  virtual void record(const std::function<void()>& work) = 0;

  /// Has the device do what was recorded, with what its inputs hold now.
  virtual void replay() = 0;
};

/// A step of training, told to the device as it is or by a recording. A recording reads and writes
/// the same memory each time: the work keeps its inputs and outputs where they are.
class Repeated {
 public:
  /// `recorder`: null where nothing can be recorded.
  explicit Repeated(std::unique_ptr<Recorder> recorder) : recorder_(std::move(recorder)) {}

  /// Does `work` once. The first kWarmUp times after a reset as it is, so that libraries have set
  /// themselves up and memory is at hand; then it is recorded.
  void run(const std::function<void()>& work);

  /// To be called when the shape of the work or the place of its inputs has changed.
  void reset();

  /// Why nothing is recorded any more; empty where nothing has failed.
  const std::string& failure() const { return failure_; }

  static constexpr int kWarmUp = 3;

 private:
  std::unique_ptr<Recorder> recorder_;
  int done_ = 0;  // since the last reset, at most kWarmUp
  bool recorded_ = false;
  std::string failure_;
};

}  // namespace ablate::train
