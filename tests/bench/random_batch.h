// Rows of random tokens, drawn anew for every step: what a model reads and what it is to predict.

#pragma once

#include <vector>

#include "harness/base/rng.h"
#include "harness/train/network/network.h"
#include "tests/bench/sizes.h"

namespace ablate::bench {

struct RandomBatch {
  train::Inputs inputs;
  std::vector<train::LaneTargets> targets;
  double scored = 0;  // targets of one lane
};

/// Every position sees its past where the scoring is causal, else everything. Each lane scores as
/// many targets, at places of its own.
RandomBatch random_batch(const Size& size, const Scoring& scoring, std::int64_t lanes, Rng& rng);

/// The same on a device.
RandomBatch on_device(RandomBatch batch, const std::string& device);

}  // namespace ablate::bench
