// Copies of one network that are fine-tuned together as lanes of a bank, whatever the task.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/probes/probe.h"
#include "harness/train/network/network.h"
#include "harness/train/small_trainer.h"

namespace ablate::probes {

/// What one copy is fine-tuned with.
struct TuningLane {
  double learning_rate = 0;  // the peak of its schedule
  std::uint64_t seed = 0;    // of what the task draws, and of the order of items
};

/// What a bank reads in one step.
struct TuningStep {
  std::int64_t number = 0;                       // from 0
  std::vector<std::vector<std::size_t>> chosen;  // items, by lane; equally many in all lanes
};

/// Copies of one network, each with what a task adds to it.
///
/// Every parameter is trained, by AdamW with weight decay .01 and gradients clipped at norm 1. The
/// learning rate warms up over 6 % of the steps and falls to 10 % of its peak along a cosine; the
/// last step's weights are kept. Source of the recipe: Devlin et al. 2019, arXiv:1810.04805,
/// appendix A.3; of the schedule: the BabyLM challenge's evaluation of 2025.
class TunedBank {
 public:
  /// `network`: a bank of as many lanes as are given, with the weights to start from. `added`: the
  /// task's own parameters, [lane, ...]. Throws std::invalid_argument where the numbers of lanes
  /// differ.
  TunedBank(std::unique_ptr<train::Network> network, std::vector<TuningLane> lanes,
            const std::vector<train::Parameter>& added = {});

  train::Network& network() const { return *network_; }

  /// Trains every lane in `epochs` passes over `count` items, `batch` of them a step; each lane has its
  /// own order of items in each pass. `losses`: those of a step, as SmallTrainer::Losses. Calls
  /// `progress` with the fraction of steps made.
  void fine_tune(std::size_t count, std::int64_t epochs, std::int64_t batch,
                 const std::function<at::Tensor(const TuningStep&)>& losses,
                 const ProgressSink& progress);

  /// `count` of the lanes, from `first` on. Throws std::invalid_argument where there are not as many.
  std::vector<TuningLane> lanes_from(std::size_t first, std::int64_t count) const;

  /// Copies the weights of the lanes of `whole` from `first` on, the task's own among them. Requires:
  /// this is a bank of the same task for lanes_from(first, ...) of it.
  void copy_from(const TunedBank& whole, std::size_t first);

 private:
  std::unique_ptr<train::Network> network_;
  std::vector<TuningLane> lanes_;
  std::vector<train::Parameter> parameters_;  // of the network, then those added
  train::SmallTrainer trainer_;
};

/// A bank whose lanes all have the weights of `network`. Throws std::logic_error where the subject
/// cannot build one.
std::unique_ptr<train::Network> copies_of(const Subject& subject, train::Network& network,
                                          std::size_t lanes);

}  // namespace ablate::probes
