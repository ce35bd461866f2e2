// Measures several trained models of one shape at once: what probes ask of them runs as a bank.

#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/probes/together/turns.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// A forward pass that a probe asks for.
struct Pass {
  enum class Kind { hidden, head, layers, document_states };

  Kind kind = Kind::hidden;
  train::Network* network = nullptr;  // of one lane
  const train::Inputs* inputs = nullptr;
  std::size_t head = 0;             // Kind::head: its number
  train::HeadStreams streams = {};  // Kind::head: as for Network::head_hidden
  std::int64_t member = 0;          // the number of the network among those that were joined

  std::vector<at::Tensor> made = {};  // the network's answer; empty until there is one
  double seconds = 0;                 // its part of the time of the bank that answered
};

/// Forward passes of models of one shape, run as passes of a bank wherever several models wait for
/// passes of the same kind and shape. On the CPU an answer is bit for bit that of the model alone. A
/// probe needs to know nothing of it: it runs as it would on a model alone. What a task spends
/// (time_spent()) is its own time, and its part of the passes that it shares.
class SharedPasses {
 public:
  /// Builds a bank of this many lanes; its parameters have no values yet.
  using Build = std::function<std::unique_ptr<train::Network>(std::int64_t lanes)>;

  /// Receives a sentence for the log.
  using Note = std::function<void(const std::string& words)>;

  SharedPasses(Build build, Note note);

  /// The network, with forward passes that are shared while run() runs. Its weights must not change
  /// in between. This object outlives it.
  std::unique_ptr<train::Network> join(std::unique_ptr<train::Network> network);

  /// Whether several tasks run: one alone has nobody to share passes with.
  bool shares() const { return tasks_ > 1; }

  /// Runs tasks that use networks which joined, each in its turn; see Turns::run().
  void run(std::span<const std::function<void()>> tasks);

  /// Answers the pass, together with others where there are any.
  void ask(Pass& pass);

  /// How many passes banks have answered, each of one lane.
  std::int64_t shared() const { return shared_; }

 private:
  /// A bank, and by lane the network whose weights it has: its number, and how often it was written.
  struct Bank {
    std::vector<std::pair<std::int64_t, std::int64_t>> members;
    std::unique_ptr<train::Network> network;
  };

  void serve(std::span<Pass* const> passes);
  void run_as_bank(std::span<Pass* const> passes);
  train::Network& bank_of(std::span<Pass* const> passes);

  Build build_;
  Note note_;
  Turns<Pass> turns_;
  std::deque<Bank> banks_;  // the last used first
  std::int64_t joined_ = 0;
  std::int64_t shared_ = 0;
  std::size_t tasks_ = 0;  // that run
};

}  // namespace ablate::probes
