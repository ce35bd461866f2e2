// Saves and loads a bank's tensors, one lane at a time.

#pragma once

#include <vector>

#include "harness/train/checkpoint/checkpoints.h"
#include "harness/train/lane/lane.h"
#include "harness/train/network/network.h"
#include "harness/train/optimizer/adamw.h"
#include "harness/train/ranks/ranks.h"

namespace ablate::train {

/// Reads and writes the checkpoints and weights of a bank's lanes. Lanes are in the network's
/// order.
class BankStore {
 public:
  /// Requires: network, parameters and optimizer outlive the store.
  BankStore(Network& network, FlatParameters& parameters, AdamW& optimizer)
      : network_(network), parameters_(parameters), optimizer_(optimizer) {}

  /// Sets each lane to its initial weights, or to the weights of the file that it starts from.
  /// Throws as load_start().
  void begin(const std::vector<Lane>& lanes);

  /// Restores every lane from its checkpoint of `step`. Throws as load_checkpoint().
  void restore(std::vector<Lane>& lanes, std::int64_t step);

  /// Gives every rank the values and moments of the first one. Throws RankLost.
  void share(Ranks& ranks);

  /// Writes a checkpoint of every lane that is still training.
  void save(const std::vector<Lane>& lanes, std::int64_t step) const;

  /// Stores the weights that lane `index` has at the end of a phase.
  void keep_phase(const Lane& lane, std::size_t index, std::size_t phase);

  /// Stores the weights that lane `index` has on the way, after the steps accounted for.
  void keep_snapshot(const Lane& lane, std::size_t index);

  /// Stores the final weights of lane `index` and removes its checkpoints.
  void keep_final(const Lane& lane, std::size_t index, std::int64_t step);

  /// Releases the copy of the bank that the functions above made on the host. Call it before the weights change.
  void release_copy() { host_values_.reset(); }

 private:
  /// All lanes' values on the host, copied there once for all lanes that end together.
  const at::Tensor& host_values();

  Network& network_;
  FlatParameters& parameters_;
  AdamW& optimizer_;
  at::Tensor host_values_;  // undefined where there is no copy
};

}  // namespace ablate::train
