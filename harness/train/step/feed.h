// From batches to tensors: the lanes of a bank side by side.

#pragma once

#include <span>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/train/network/network.h"

namespace ablate::train {

/// What the two integers of every position amount to: causal or full where that holds of all of
/// them, those of padding among them.
Visibility visibility_of(std::span<const data::Batch> lanes);

/// The batches of all lanes as one input, on the device, lanes in order. Throws
/// std::logic_error where rows or time differ.
Inputs to_inputs(std::span<const data::Batch> lanes, const std::string& device);

/// What each lane's head number `head` predicts. On the CPU each lane has its own count; elsewhere
/// all are filled up to the longest with targets of weight 0, so that lanes can be batched.
std::vector<LaneTargets> to_targets(std::span<const data::Batch> lanes, std::size_t head,
                                    const std::string& device);

/// What a bank reads and predicts in one step, on the host, in few tensors: few copies to a device.
struct Packed {
  at::Tensor inputs;  // int64 [4 or 6, lane, rows, time]: tokens, positions, visible from and
                      // until, and which of the source is seen, where there is one
  at::Tensor source;  // int64 [4, lane, rows, source time]: the same four; undefined: none
  struct Head {
    at::Tensor targets;  // int64 [2, lane, scored]: where, and which token
    at::Tensor weights;  // float32 [lane, scored]
  };
  std::vector<Head> heads;
  Visibility visibility = Visibility::general;
};

/// The batches of all lanes, those of head h each filled up to scored[h] targets with such of
/// weight 0. `pinned`: in memory that a CUDA device copies by itself. Throws std::logic_error where
/// rows or time differ, or a lane predicts more.
Packed pack(std::span<const data::Batch> lanes, const std::vector<std::int64_t>& scored,
            bool pinned);

/// The inputs that `packed` (or copies of it elsewhere) holds, without copying.
Inputs unpacked(const at::Tensor& inputs, const at::Tensor& source, Visibility visibility);

/// The most that one of the lanes predicts with head number `head`.
std::int64_t max_scored(std::span<const data::Batch> lanes, std::size_t head);

/// How many targets a lane is filled up to: `present` where that is enough, else a round number
/// somewhat above `needed`, at most `positions` where those are enough, so that a device's step
/// seldom changes its shape.
std::int64_t scored_capacity(std::int64_t needed, std::int64_t present, std::int64_t positions);

}  // namespace ablate::train
