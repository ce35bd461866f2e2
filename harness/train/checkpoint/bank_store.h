// A bank's tensors to the disk and back, lane by lane.

#pragma once

#include <vector>

#include "harness/train/checkpoint/checkpoints.h"
#include "harness/train/lane/lane.h"
#include "harness/train/network/network.h"
#include "harness/train/optimizer/adamw.h"

namespace ablate::train {

/// What it is made of outlives it. Lanes are those of the network, in its order.
class BankStore {
 public:
  BankStore(Network& network, FlatParameters& parameters, AdamW& optimizer)
      : network_(network), parameters_(parameters), optimizer_(optimizer) {}

  /// Initial weights, or those that a lane starts from. Throws as load_start().
  void begin(const std::vector<Lane>& lanes);

  /// All lanes as their checkpoints of that step left them. Throws as load_checkpoint().
  void restore(std::vector<Lane>& lanes, std::int64_t step);

  /// A checkpoint of every lane that goes on.
  void save(const std::vector<Lane>& lanes, std::int64_t step) const;

  /// A lane's weights at the end of a phase, and of its training.
  void keep_phase(const Lane& lane, std::size_t index, std::size_t phase) const;
  void keep_final(const Lane& lane, std::size_t index, std::int64_t step) const;

 private:
  Network& network_;
  FlatParameters& parameters_;
  AdamW& optimizer_;
};

}  // namespace ablate::train
