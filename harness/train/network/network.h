// A bank of models: every parameter has a leading lane dimension, every activation is
// [lane, batch, time, width]. A single model is a bank of one lane.
//
// This is the interface through which the trainer and the probes use a model; models/ implements
// it.

#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/backbone.h"
#include "harness/contract/params.h"
#include "harness/contract/training_loss.h"
#include "harness/train/network/decoding_state.h"

namespace ablate::train {

/// Draws the initial values of one lane of a parameter, in its order.
using InitialDistribution = std::function<void(Rng& rng, std::span<float> values)>;

/// One parameter of every lane.
struct Parameter {
  std::string name;     // keys its initial values: adding a parameter changes no other's
  at::Tensor value;     // float32 [lane, ...], a leaf that requires a gradient
  double deviation;     // of the initial values (normal); 0: constant `initial`
  double initial = 0;   // where deviation is 0
  bool decayed = true;  // whether weight decay applies: matrices yes, norms and embeddings no
  double at_most = std::numeric_limits<double>::infinity();  // what an update leaves of a value
  InitialDistribution distribution =
      {};           // draws the initial values, in place of the above; empty: none
  double rate = 1;  // its learning rate, as a multiple of the lane's
};

/// The attention pattern of all rows, known on the host without reading tensors back from a device.
enum class Visibility {
  general,  // given by the two integers of each position alone
  causal,   // every position sees its row up to and including itself
  full,     // every position sees its complete row
};

/// What a bank reads in one step. All integers are int64 on the network's device.
struct Inputs {
  at::Tensor tokens;                            // [lane, batch, time], in [0, vocabulary size)
  at::Tensor positions;                         // [lane, batch, time], in [0, context)
  at::Tensor visible_from;                      // [lane, batch, time], in [0, time]
  at::Tensor visible_until;                     // [lane, batch, time], in [0, time]
  Visibility visibility = Visibility::general;  // of all rows of all lanes

  // [lane, batch, time]; undefined: no place has a second interval, all second positions are 0.
  at::Tensor also_from, also_until;  // in [0, time]: see data::Batch
  at::Tensor inner;                  // in [0, context)

  /// Inputs of an encoder, where there is one, and which of them each decoder position sees.
  struct Source {
    at::Tensor tokens;                       // [lane, batch, source time]; undefined: none
    at::Tensor positions;                    // [lane, batch, source time]
    at::Tensor visible_from, visible_until;  // [lane, batch, source time], in [0, source time]
    at::Tensor seen_from, seen_until;        // [lane, batch, time], in [0, source time]
  };
  Source source;

  /// What random numbers within a step are keyed by, beside what they are for: dropout keys each
  /// unit by (the seed of its lane, step, layer, its index among the step's rows), and not by the
  /// number of its lane.
  std::vector<std::uint64_t> seeds;  // by lane; empty: nothing is random
  std::int64_t step = 0;
  std::int64_t first_row = 0;  // the number, in the step, of the first row that is read
  at::Tensor keys;     // int64 [2 + lane] on a device: step, first row, seeds; CPU: undefined
  double dropout = 0;  // probability; above 0 only with seeds

  /// How much the targets of each place weigh in the loss, float32 [lane, batch, time]: what layers add to
  /// the loss for a document weighs as much as its targets. Set by the network in a training step;
  /// undefined: layers add nothing.
  at::Tensor target_weights;
};

/// Calls `visit(of)` for every tensor of inputs that has a lane dimension, in a fixed order, where
/// `of(inputs)` is that tensor; not for target_weights, which a network sets itself. What moves, joins or compares inputs goes through this, so that no
/// field is forgotten in one place.
template <class Visit>
void each_tensor(const Visit& visit) {
  const auto own = [&](at::Tensor Inputs::*field) {
    visit([field](auto& inputs) -> auto& { return inputs.*field; });
  };
  const auto of_source = [&](at::Tensor Inputs::Source::*field) {
    visit([field](auto& inputs) -> auto& { return inputs.source.*field; });
  };
  own(&Inputs::tokens);
  own(&Inputs::positions);
  own(&Inputs::visible_from);
  own(&Inputs::visible_until);
  own(&Inputs::also_from);
  own(&Inputs::also_until);
  own(&Inputs::inner);
  of_source(&Inputs::Source::seen_from);
  of_source(&Inputs::Source::seen_until);
  of_source(&Inputs::Source::tokens);
  of_source(&Inputs::Source::positions);
  of_source(&Inputs::Source::visible_from);
  of_source(&Inputs::Source::visible_until);
}

/// The targets of one lane.
struct LaneTargets {
  at::Tensor positions;  // int64 [scored]: row * time + t of the hidden state, ascending
  at::Tensor targets;    // int64 [scored]: token ids, or the classes of a pair
  at::Tensor weights;    // float32 [scored]: the cost of each target
  at::Tensor shown =
      {};  // int64 [scored]: the tokens at these places; undefined unless the head reads them
  TrainingLoss loss = {};  // that is minimised, of heads that predict tokens; the same in all lanes
};

/// The targets of one head, by lane.
using HeadTargets = std::vector<LaneTargets>;

/// What a forward and backward pass of all heads comes to, without gradient.
struct Totals {
  at::Tensor losses;  // float32 [head, lane]: total loss of the targets, in nats
  at::Tensor facts;   // float32 [2 * fact, lane]: sum and count of each of HeadSpec::facts, of all
                      // heads in their order; undefined: there are none
};

/// A batch whose masks are filled: what the backbone reads, and what its heads are scored on.
struct Filled {
  Inputs inputs;
  std::vector<HeadTargets> targets;  // by head
};

/// The experts that a layer has chosen.
struct ChosenExperts {
  at::Tensor chosen;         // int64 [lane, batch, time, chosen]
  std::int64_t experts = 0;  // that it chooses from
};

/// What a pass through the heads of a network has come to: float32 [lane, batch, time, width].
struct HeadStreams {
  at::Tensor trunk;  // the residual stream at the end of the trunk; undefined: not computed yet
  at::Tensor last;   // that at the end of the head that was asked last, before the final norm
};

/// The costs of some targets of a lane, by target.
struct TargetCosts {
  at::Tensor nats;   // float64: -log p or, of a head that has another one, its loss; unweighted
  at::Tensor right;  // bool: whether the target is the model's first choice
};

/// A bank of models of one architecture.
class Network {
 public:
  virtual ~Network() = default;

  /// All parameters, in a fixed order.
  virtual std::vector<Parameter>& parameters() = 0;

  /// The number of lanes, at least 1.
  virtual std::int64_t lanes() const = 0;

  /// The hidden states of the first head, after the final norm: [lane, batch, time, width];
  /// differentiable.
  virtual at::Tensor hidden(const Inputs& inputs) = 0;

  /// hidden() at chosen positions (int64 [chosen], row * time + t) of every lane, without gradient: [lane, 1,
  /// chosen, width]. Cheaper than all of them where few are wanted: what comes after the last layer in which
  /// positions read each other is computed for these alone.
  virtual at::Tensor hidden_at(const Inputs& inputs, const at::Tensor& positions);

  /// Forward and backward through all heads: returns the total loss of each head's targets, and adds
  /// to the parameters' gradients those of the sum over heads and lanes of scales[head][lane] * total.
  /// Where a head fills the masks, the others read and are scored on what filled() gives. `targets`: by
  /// head; `scales`: float32 [head, lane], on the network's device.
  virtual Totals accumulate(const Inputs& inputs, const std::vector<HeadTargets>& targets,
                            const at::Tensor& scales) = 0;

  /// The batch after the head that fills has replaced its targets' tokens by a sample, keyed by the
  /// seeds, the step and the first row of the inputs; as it is where no head fills or none of its
  /// targets is there. Requires: seeds, where a head fills.
  virtual Filled filled(const Inputs& inputs, std::vector<HeadTargets> targets) {
    return {inputs, std::move(targets)};
  }

  /// The hidden states of head number `head`, after the final norm: [lane, batch, time, width];
  /// differentiable. `streams`: empty before the first call for these inputs; where heads continue
  /// each other, all are asked, in their order. A head that fills reads inputs with their masks, and
  /// leaves the streams as they are.
  virtual at::Tensor head_hidden(std::size_t head, const Inputs& inputs, HeadStreams& streams) = 0;

  /// The costs of a lane's targets of head number `head`, whose hidden states are `hidden`.
  /// Log-probabilities are normalised in double.
  virtual TargetCosts costs(std::size_t head, const at::Tensor& hidden, std::int64_t lane,
                            const LaneTargets& targets) = 0;

  /// Total loss of each lane's targets of the first head in nats, float32 [lane]; differentiable.
  /// Only scored positions reach the output table. On the CPU, output table and loss run lane by
  /// lane.
  virtual at::Tensor losses(const at::Tensor& hidden, const HeadTargets& targets) = 0;

  /// Token logits at chosen positions (int64 [chosen], row * time + t) of one lane: float32
  /// [chosen, vocabulary].
  virtual at::Tensor logits(const at::Tensor& hidden, std::int64_t lane,
                            const at::Tensor& positions) = 0;

  /// The hidden states of documents that are read and not continued, after the final norm: the last
  /// of layers(), but differentiable. [lane, batch, time, width]. Of an encoder where there is one.
  virtual at::Tensor document_states(const Inputs& inputs) { return hidden(inputs); }

  /// The hidden states after the embedding, after each block and after the final norm: depth + 2
  /// tensors [lane, batch, time, width], float32, without gradient. Used by probes.
  virtual std::vector<at::Tensor> layers(const Inputs& inputs) = 0;

  /// The experts that each layer with experts chooses for documents that are read and not continued, from
  /// the first one on, without gradient; empty where no layer has any.
  virtual std::vector<ChosenExperts> routes(const Inputs& inputs) {
    static_cast<void>(inputs);
    return {};
  }

  /// A state in which nothing has been read of `rows` rows; none where the network cannot read step by step.
  virtual std::optional<DecodingState> decoding(std::int64_t rows) const {
    static_cast<void>(rows);
    return std::nullopt;
  }

  /// Reads what follows the rows of a state, and adds it to the state. Of row r the first counts[r] of the
  /// positions in `inputs` [lane, batch, time] are read; the others are padding. Visibility is counted
  /// from the first position of a row. Returns the hidden states that hidden() has at these positions if it
  /// is given the whole rows, up to rounding: [lane, batch, time, width], without gradient. Throws
  /// std::logic_error where the sizes differ. Requires: a state of this network, whose parameters have not
  /// changed since; no position sees beyond what its row has read then, and none a later one where the
  /// state does not truncate. A network with an encoder is given the source in the step in which nothing was
  /// read before, and in all steps what positions see of it.
  virtual at::Tensor step(DecodingState& state, const Inputs& inputs,
                          const std::vector<std::int64_t>& counts) {
    static_cast<void>(state), static_cast<void>(inputs), static_cast<void>(counts);
    throw std::logic_error("step: the network cannot read step by step");
  }

  /// Called after the parameters have changed, so that bfloat16 copies of them can be updated.
  virtual void parameters_changed() {}
};

/// What a network is built from.
struct NetworkSettings {
  Params model;     // the backbone's parameters
  Hosting hosting;  // vocabulary, needs and the shape of a row
  std::int64_t lanes = 1;
  bool bfloat16 = false;       // matrix products and activations; parameters stay float32
  std::string device = "cpu";  // or "cuda:0"
  bool fused = true;  // fused kernels where the device has them; false: plain ATen operations
};

/// Builds a network. The worker makes one from the registry of models/.
using NetworkBuilder = std::function<std::unique_ptr<Network>(const NetworkSettings&)>;

/// The costs of targets under logits [target, class]; in double.
TargetCosts costs_under(const at::Tensor& logits, const at::Tensor& targets);

/// Fills the parameters with their initial values, keyed by each lane's seed and each parameter's
/// name. Throws std::invalid_argument where there is not one seed for each lane.
void initialise(Network& network, const std::vector<std::uint64_t>& seeds);

}  // namespace ablate::train
