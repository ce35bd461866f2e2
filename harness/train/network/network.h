// A bank of models: every parameter has a leading lane dimension, every activation is
// [lane, batch, time, width]. One lane is the ordinary case.
//
// This is what the trainer and the probes know of a model; models/ makes one.

#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/backbone.h"
#include "harness/contract/params.h"

namespace ablate::train {

/// One parameter of every lane.
struct Parameter {
  std::string name;     // keys its initial values, so that a second head shifts no other
  at::Tensor value;     // float32 [lane, ...], a leaf that requires a gradient
  double deviation;     // of the initial values (normal); 0: constant `initial`
  double initial = 0;   // where deviation is 0
  bool decayed = true;  // whether weight decay applies: matrices yes, norms and embeddings no
};

/// What the host knows of who sees whom, so that nothing need wait for a device to find out.
enum class Visibility {
  general,  // nothing but the two integers of each position
  causal,   // every position sees all of its row up to itself
  full,     // every position sees all of its row
};

/// What a bank reads in one step. All integers are int64 on the network's device.
struct Inputs {
  at::Tensor tokens;                            // [lane, batch, time], in [0, vocabulary size)
  at::Tensor positions;                         // [lane, batch, time], in [0, context)
  at::Tensor visible_from;                      // [lane, batch, time], in [0, time]
  at::Tensor visible_until;                     // [lane, batch, time], in [0, time]
  Visibility visibility = Visibility::general;  // what holds of all rows of all lanes

  /// Where an encoder reads inputs apart: what it reads, and which of that each position sees.
  struct Source {
    at::Tensor tokens;                       // [lane, batch, source time]; undefined: none
    at::Tensor positions;                    // [lane, batch, source time]
    at::Tensor visible_from, visible_until;  // [lane, batch, source time], in [0, source time]
    at::Tensor seen_from, seen_until;        // [lane, batch, time], in [0, source time]
  };
  Source source;

  /// Dropout by key: a unit is dropped by (seed of its lane, step, layer, its index), never by
  /// lane.
  double dropout = 0;
  std::vector<std::uint64_t> seeds;  // by lane; read where dropout > 0
  std::int64_t step = 0;
};

/// What one lane predicts: which hidden states, what, at which weight.
struct LaneTargets {
  at::Tensor positions;  // int64 [scored], row * time + t, ascending
  at::Tensor targets;    // int64 [scored]
  at::Tensor weights;    // float32 [scored]
};

/// What one head makes of the stream that it starts from, both [lane, batch, time, width].
struct HeadState {
  at::Tensor stream;  // float32, before the last norm
  at::Tensor hidden;  // after it: what its output table reads
};

class Network {
 public:
  virtual ~Network() = default;

  virtual std::vector<Parameter>& parameters() = 0;
  virtual std::int64_t lanes() const = 0;

  /// Last hidden states, after the final norm: [lane, batch, time, width]; differentiable.
  virtual at::Tensor hidden(const Inputs& inputs) = 0;

  /// Total cost of the scored targets of each lane in nats, float32 [lane]; differentiable. Only
  /// scored positions reach the output head; head and loss run per lane on the CPU.
  virtual at::Tensor losses(const at::Tensor& hidden, const std::vector<LaneTargets>& targets) = 0;

  /// What the model says of chosen positions of one lane: [chosen, vocabulary], float32 logits.
  virtual at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                            const at::Tensor& positions) = 0;

  /// The same of the classes of a pair: [chosen, 2]; differentiable.
  virtual at::Tensor pair_logits(const at::Tensor& hidden, std::int64_t lane,
                                 const at::Tensor& positions);

  /// The residual stream that all heads start from, float32 [lane, batch, time, width], and the
  /// state of one head of the needs: `hidden` is that of the first, made in one go.
  virtual at::Tensor trunk(const Inputs& inputs);
  virtual HeadState state(std::size_t head, const at::Tensor& from, const Inputs& inputs);

  /// Whether a head that predicts further ahead starts from the former one's stream.
  virtual bool chained() const { return false; }

  /// Hidden states after the embedding and after each block, and the last ones after the final
  /// norm: depth + 2 tensors [lane, batch, time, width], float32, without gradient. Read by probes.
  virtual std::vector<at::Tensor> layers(const Inputs& inputs) = 0;

  /// Called after each optimizer step, so that low-precision copies of the weights can be renewed.
  virtual void parameters_changed() {}
};

struct NetworkSettings {
  Params model;  // the backbone's parameters
  Hosting hosting;
  std::int64_t lanes = 1;
  bool bfloat16 = false;       // products and activations; parameters stay float32
  std::string device = "cpu";  // or "cuda:0"
  bool fused = true;  // fused kernels where the device has them; false: plain ATen operations
};

/// Builders of the backbones, by name; the worker composes it from models/.
using NetworkBuilder = std::function<std::unique_ptr<Network>(const NetworkSettings&)>;

/// Fills the parameters with their initial values, lane i keyed by seeds[i] and each parameter's
/// name.
void initialise(Network& network, const std::vector<std::uint64_t>& seeds);

}  // namespace ablate::train
