// How copies of one network are fine-tuned as lanes of a bank, whatever the task.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "harness/probes/probe.h"
#include "harness/train/network/network.h"
#include "harness/train/optimizer/adamw.h"

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
  std::vector<double> learning_rates;            // by lane
};

/// Calls `take` with each step of `epochs` passes over `count` items in batches of `batch`. Each
/// lane has its own order of items in each pass. The learning rate warms up over 6 % of the steps
/// and falls to 10 % of its peak along a cosine. Calls `progress` with the fraction of steps made.
void each_tuning_step(std::span<const TuningLane> lanes, std::size_t count, std::int64_t epochs,
                      std::int64_t batch, const std::function<void(const TuningStep&)>& take,
                      const ProgressSink& progress);

/// AdamW's settings of so many lanes: weight decay .01, gradients clipped at norm 1.
std::vector<train::AdamWSettings> tuning_optimizer(std::size_t lanes);

/// A bank whose lanes all have the weights of `network`. Throws std::logic_error where the subject
/// cannot build one.
std::unique_ptr<train::Network> copies_of(const Subject& subject, train::Network& network,
                                          std::size_t lanes);

}  // namespace ablate::probes
