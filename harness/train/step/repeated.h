// Device work that is recorded once and then replayed, where the device supports it.

#pragma once

#include <functional>
#include <memory>
#include <string>

namespace ablate::train {

/// Records the work that is queued on a device, and replays it.
class Recorder {
 public:
  virtual ~Recorder() = default;

  /// Records the device work that `work` queues, without executing it. Replaces the previous
  /// recording. Throws std::exception where it cannot be recorded.
  virtual void record(const std::function<void()>& work) = 0;

  /// Queues the recorded work on the device; it reads the current contents of its inputs.
  virtual void replay() = 0;
};

/// Makes a recorder; null where nothing can be recorded.
using NewRecorder = std::function<std::unique_ptr<Recorder>()>;

/// Work that is repeated on a device, by a recording where that is possible. A recording reads and
/// writes the same memory each time, so the work must keep its inputs and outputs where they are.
class Repeated {
 public:
  /// `recorder`: null where nothing can be recorded.
  explicit Repeated(std::unique_ptr<Recorder> recorder) : recorder_(std::move(recorder)) {}

  /// Runs `work` once: directly for the first kWarmUp times after a reset, so that libraries are
  /// initialised and memory is allocated; after that it is recorded and replayed. Throws
  /// c10::OutOfMemoryError where memory ends while it is recorded: running it directly would need
  /// as much.
  void run(const std::function<void()>& work);

  /// Call it when the shape of the work or the memory of its inputs has changed.
  void reset();

  /// Why recording has failed; empty where it has not. After a failure nothing is recorded.
  const std::string& failure() const { return failure_; }

  static constexpr int kWarmUp = 3;  // runs

 private:
  std::unique_ptr<Recorder> recorder_;
  int done_ = 0;  // direct runs since the last reset, at most kWarmUp
  bool recorded_ = false;
  std::string failure_;
};

}  // namespace ablate::train
