// The processes that train one bank together, each on a part of the rows of every step: data parallelism.

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ablate::train {

/// Another rank has ended, stands still or cannot be reached. What was being computed is void: all ranks
/// begin again from the last checkpoint.
struct RankLost : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Where ranks find each other.
struct Meeting {
  std::filesystem::path file;     // seen by all of them; absent before, and gone when they have met
  bool on_one_machine = true;     // then they listen on its loopback device alone
  double patience_seconds = 300;  // for a rank that is late, here and in every exchange
  std::function<void()> waiting =
      {};  // called while the first rank waits for the others; may throw
};

/// One of several processes that train together. All of them call the same functions in the same order. Every
/// function throws RankLost where another rank does not take part. Results are the same bits on all ranks and,
/// for a given number of ranks, in every run. By c10d and Gloo; tensors on a device go through the host.
class Ranks {
 public:
  /// Meets the others. Requires: 0 <= rank < size, 1 < size; SIGPIPE is ignored, since Gloo may write to a rank
  /// that has just gone. Throws std::invalid_argument where this build has no Gloo, or where another machine
  /// could not reach this one.
  Ranks(std::int64_t rank, std::int64_t size, const Meeting& meeting);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::int64_t rank() const { return rank_; }
  std::int64_t size() const { return size_; }

  /// Whether it is the first rank, which decides, writes journals and checkpoints, and measures.
  bool leads() const { return rank_ == 0; }

  /// Sets each of the tensors (float32, contiguous) to its sum over the ranks.
  void sum(const std::vector<at::Tensor>& tensors);

  /// Sets the tensor (contiguous) to that of the first rank.
  void share(const at::Tensor& tensor);

  /// The text that the first rank has.
  std::string shared_text(std::string text);

  /// The number that the first rank has.
  double shared_number(double number);

  /// Throws std::logic_error, on all ranks, where the tensor (float32, contiguous) has not the same bits on all.
  void check_alike(const at::Tensor& tensor);

 private:
  struct Group;  // of c10d, whose headers are large

  std::int64_t rank_, size_;
  std::unique_ptr<Group> group_;
};

/// Why this build cannot train with several ranks; empty where it can.
std::string ranks_refusal();

}  // namespace ablate::train
