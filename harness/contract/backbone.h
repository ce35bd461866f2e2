// What the planner knows of a backbone: what it offers, and the formulas for what it costs.
// Building one needs LibTorch and is done in models/.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/contract/params.h"

namespace ablate {

/// What a backbone can host.
struct Offer {
  bool causal = true;         // can restrict each position to the past
  bool bidirectional = true;  // can let all inputs see each other
  bool in_place = true;       // can predict at the inputs
  bool continuation = true;   // can predict what follows the inputs
  bool encoder = false;       // reads the inputs in a separate stack
};

/// What a backbone is built for, in addition to its own parameters.
struct Hosting {
  Vocabulary vocabulary;
  Needs needs;     // as adapted to the backbone by hosted()
  RowShape shape;  // positions in the longest row
};

/// Number of parameters, exact: a test compares the formula with the built model.
struct ParameterCount {
  std::int64_t total = 0;
  std::int64_t embeddings = 0;    // token and position tables, and an output head that is not tied
  std::int64_t at_inference = 0;  // without the heads that only training uses
  std::int64_t idle = 0;          // of those at inference, what a position does not read
  std::int64_t idle_in_training = 0;  // the same of all

  /// Those that a position reads at inference.
  std::int64_t active() const { return at_inference - idle; }
};

/// Floating-point operations of training. A multiply-add counts as 2, the backward pass as twice
/// the forward pass.
struct FlopCount {
  double trunk_per_token = 0;   // forward and backward, per position of a row
  double head_per_target = 0;   // forward and backward, per scored token
  double source_per_token = 0;  // forward and backward, per position that an encoder reads
};

/// What a training step of one lane holds in the memory of a GPU, in bytes, beside weights, moments
/// and logits: an estimate from the tensors that wait for the backward pass.
struct MemoryCount {
  double per_token = 0;         // per position of a row
  double per_source_token = 0;  // per position that an encoder reads
  double per_target = 0;        // per scored token
  double fixed = 0;
};

/// One row of the table of backbones.
struct BackboneSpec {
  std::string_view name;     // as written in experiment files
  std::string_view summary;  // one line
  std::vector<Param> params;
  Offer offer;

  /// The exact number of parameters of the model that would be built.
  ParameterCount (*parameters)(const Params& model, const Hosting& hosting);

  /// Training FLOPs per token and per target of that model.
  FlopCount (*flops)(const Params& model, const Hosting& hosting);

  /// What its training step holds in the memory of a GPU, with activations in bfloat16 or float32.
  /// Null: not known.
  MemoryCount (*memory)(const Params& model, const Hosting& hosting, bool bfloat16);

  /// How many numbers it keeps at inference of a row that it has read step by step: keys and values, or
  /// sums. Null: it reads whole rows.
  std::int64_t (*state)(const Params& model, const Hosting& hosting);

  /// Why parameters that are each in range do not go together, such as a width that is not
  /// divisible by the number of heads; empty if they do. Null if they always do.
  std::string (*refusal)(const Params& model);

  /// Why a model of these sizes cannot meet the needs, such as more heads than blocks; empty if it
  /// can. Null if every size can.
  std::string (*cannot_host)(const Params& model, const Needs& needs) = nullptr;

  /// Whether a model of these sizes chooses experts for each position. Null: none does.
  bool (*routes)(const Params& model) = nullptr;

  /// Its resolved section in the form that is recorded and hashed: settings that say the same are the
  /// same there, and one that says what its absence says is absent. Null: as it was resolved.
  Json (*canonical)(Json model) = nullptr;

  int version = 1;  // raised when its numbers change; part of every trial's id
};

/// A kind of layer that blocks of a backbone can be made of, as experiment files name it.
struct LayerKind {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view source;   // the paper that defines it, with its section
};

}  // namespace ablate
