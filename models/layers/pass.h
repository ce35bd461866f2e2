// What a forward pass hands from layer to layer.

#pragma once

#include "models/operations/operations.h"

namespace ablate::models {

/// The residual stream between two layers. The output of the previous layer is kept apart, so that
/// the next norm can add it in the same pass over memory.
struct ResidualStream {
  at::Tensor stream;  // float32 [lane, batch, time, width]
  at::Tensor delta;   // to be added, same shape; undefined: nothing

  /// stream + delta, float32 [lane, batch, time, width].
  at::Tensor sum() const;

  /// The stream at positions (int64 [chosen], row * time + t) of every lane: [lane, 1, chosen, width].
  ResidualStream at(const at::Tensor& positions) const;
};

/// The positions whose final states are wanted.
struct Wanted {
  at::Tensor positions;     // int64 [chosen]: row * time + t, of every lane
  std::int64_t blocks = 0;  // that are still to run before those states
};

/// The output of an encoder, and the part of it that each position of a decoder sees.
struct Memory {
  at::Tensor states;   // [lane, batch, source time, width], after the encoder's norm; undefined in
                       // steps after the first one, in which what is made of them is kept
  AttentionMask mask;  // see with_source()
};

/// Where a step of decoding continues rows.
struct DecodingStep {
  train::DecodingState& state;
  std::size_t mixer = 0;  // number of the next layer that keeps something
  at::Tensor places;      // int64 [batch, time]: where the positions stand in their rows
  at::Tensor read;        // bool [batch, time]: false at padding
  at::Tensor before;      // int64 [batch]: positions read before
  std::int64_t end = 0;   // above all places
  bool first = false;     // whether nothing was read before

  /// What the next layer keeps: a mixer, or cross-attention; no tensors before the first step.
  std::vector<at::Tensor>& next() { return state.mixers.at(mixer++); }
};

/// The state of one forward pass.
struct Pass {
  const Operations& operations;
  const train::Inputs& inputs;
  AttentionMask mask;            // prepared
  at::ScalarType type;           // of activations
  std::int64_t layer = 0;        // index of the next dropout
  DecodingStep* step = nullptr;  // null: the inputs are whole rows
  Wanted* wanted = nullptr;      // null: the final states of all positions

  /// Layers with experts add their choices to it; null: they are not wanted.
  std::vector<train::ChosenExperts>* routes = nullptr;

  /// What the first RWKV-7 layer of a stack hands to the later ones: its values, by part of the lanes and
  /// direction.
  std::vector<at::Tensor> handed = {};

  /// `x` after dropout, keyed by lane seed, step and `layer`, which it increments.
  at::Tensor dropped(const at::Tensor& x);
};

}  // namespace ablate::models
