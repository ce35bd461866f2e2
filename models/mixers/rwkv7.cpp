// RWKV-7's time mixing: a state of constant size for each head, in which each unit decays as each position
// says and what a key holds is partly replaced; each stream reads the position before as well.
//
// Two directions share their weights: the mixer reads a document from its start and from its end, and what
// has passed the gates is added up. Later layers mix in the values of the first one of their stack.
//
// Source: Peng et al. 2025, "RWKV-7 Goose", arXiv:2503.14456, section 4; its code (RWKV-LM,
// RWKV-v7/train_temp) for initial values, rates and what decays. As its author says, the layer without
// these is not RWKV-7.
//
// Differs: the ranks of pairs are multiples of 8 below a width of 512, because the code's minimum of 32 would
// be half of the layer at width 64.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>

#include "models/layers/layer.h"
#include "models/layers/mixing/shifted.h"
#include "models/layers/mixing/step_rows.h"
#include "models/mixers/rwkv7/weights.h"
#include "models/operations/scan/directions.h"
#include "models/operations/scan/generalised_delta.h"
#include "models/operations/sums.h"

namespace ablate::models {
namespace {

constexpr double kSlowest = 0.6065306597126334;  // e^(-1/2): what log decays are at most times -1
constexpr double kHeadEpsilon = 64e-5;           // added to a head's variance in its norm

/// What a direction reads beside the positions themselves.
struct Rwkv7Reading {
  at::Tensor from;          // [lane, batch, time]: the first position of a document; ascending
  at::Tensor blind;         // [lane, batch, time]
  at::Tensor first_values;  // [lane, batch, time, width]: of the first layer; undefined: this is it
};

/// What the recurrence is given, and what is made of its outputs.
struct Rwkv7Parts {
  GeneralisedDeltaRows rows;
  at::Tensor gates;       // [lane, batch, time, width]
  at::Tensor own_values;  // the same: before those of the first layer are mixed in
};

class Rwkv7Mixer final : public Mixer {
 public:
  explicit Rwkv7Mixer(const LayerSite& site)
      : parameters_(site), heads_(site.shape.heads), head_width_(site.shape.head_width) {}

  /// Lane by lane on the processor, so that a lane's bits do not depend on the others.
  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const std::int64_t together = normed.is_cpu() ? 1 : normed.size(0);
    const std::vector<Rwkv7Weights> weights =
        parameters_.weights(normed.scalar_type()).split(together);
    const std::vector<at::Tensor> inputs = normed.split(together, 0);
    const bool causal = pass.mask.visibility == train::Visibility::causal;
    const std::size_t directions = causal ? 1 : 2;
    if (parameters_.first()) pass.handed.assign(weights.size() * directions, {});
    std::vector<at::Tensor> open;
    for (std::size_t part = 0; part < weights.size(); ++part) {
      const auto lane = static_cast<std::int64_t>(part) * together;
      const SeenRows seen(pass.mask.visible_from, pass.mask.visible_until, lane, together);
      const at::Tensor& own = inputs[part];
      const auto one_way = [&](const at::Tensor& from, bool turned) {
        at::Tensor& values = pass.handed.at(part * directions + (turned ? 1 : 0));
        const Rwkv7Reading reading = {from, turned ? mirrored(seen.blind) : seen.blind,
                                      parameters_.first() ? at::Tensor() : values};
        const Rwkv7Parts parts =
            parts_of(op, turned ? mirrored(own) : own, {}, reading, weights[part]);
        if (parameters_.first()) values = parts.own_values;
        return opened(op.generalised_delta(parts.rows), parts, weights[part]);
      };
      open.push_back(both_ways(seen, causal, one_way));
    }
    return written(op, open.size() == 1 ? open.front() : at::cat(open), normed.scalar_type());
  }

  /// Keeps the state, and the position before.
  at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                     std::vector<at::Tensor>& kept) const override {
    const Operations& op = pass.operations;
    const StepRows past(pass.mask, *pass.step, normed.size(0));
    const Rwkv7Weights weights = parameters_.weights(normed.scalar_type());
    at::Tensor state, before;
    if (!kept.empty()) state = kept[0], before = kept[1];
    if (!before.defined()) before = at::zeros_like(normed.narrow(2, 0, 1));
    if (parameters_.first()) pass.handed.assign(1, {});
    const Rwkv7Parts parts = parts_of(
        op, normed, before,
        {past.from, past.blind, parameters_.first() ? at::Tensor() : pass.handed.at(0)}, weights);
    if (parameters_.first()) pass.handed[0] = parts.own_values;
    const at::Tensor read = generalised_delta_scan(parts.rows, state);
    kept = {state, past.latest(before, normed)};
    return written(op, opened(read, parts, weights), normed.scalar_type());
  }

 private:
  /// What is made of positions. `before`: as of shifted(). A blind position leaves the state as it is.
  Rwkv7Parts parts_of(const Operations& op, const at::Tensor& normed, const at::Tensor& before,
                      const Rwkv7Reading& reading, const Rwkv7Weights& weights) const {
    const at::ScalarType type = sums_of(normed.scalar_type());
    const at::Tensor both = at::cat({normed, shifted(normed, reading.from, before)}, -1);
    const std::vector<at::Tensor> made =
        op.linear(both, weights.in).split_with_sizes(parameters_.stream_widths(), -1);
    const auto up = [&](const at::Tensor& x, const at::Tensor& weight) {
      return op.linear(x, weight).to(type);
    };
    const at::Tensor unseen = reading.blind.unsqueeze(-1);
    const at::Tensor decays =
        (weights.decay + up(made[3].tanh(), weights.decay_up)).sigmoid() * -kSlowest;
    const at::Tensor rates = (weights.rate + up(made[4], weights.rate_up)).sigmoid();
    const at::Tensor own_values = made[2].to(type), keys = made[1].to(type);
    at::Tensor values = own_values;
    if (!parameters_.first())
      values = at::lerp(values, reading.first_values,
                        (weights.value + up(made[6], weights.value_up)).sigmoid());
    const at::Tensor removed = unit_length(by_head(keys * weights.removed_key));
    const at::Tensor writes = keys * ((rates - 1) * weights.key_rate + 1);
    return {{by_head(made[0].to(type)), removed, removed * by_head(rates.masked_fill(unseen, 0)),
             by_head(writes.masked_fill(unseen, 0)), by_head(values),
             by_head(decays.masked_fill(unseen, 0)), reading.from},
            up(made[5].sigmoid(), weights.gate_up),
            own_values};
  }

  /// What was read of the state, after its norm by head, with the values that a position reads of itself,
  /// behind the gate: [lane, batch, time, width].
  at::Tensor opened(const at::Tensor& read, const Rwkv7Parts& parts,
                    const Rwkv7Weights& weights) const {
    const at::Tensor from_mean = read - read.mean({-1}, true);
    const at::Tensor normed =
        from_mean * (from_mean.square().mean({-1}, true) + kHeadEpsilon).rsqrt();
    const at::Tensor own =
        (parts.rows.reads * parts.rows.writes * by_head(weights.bonus)).sum({-1}, true) *
        parts.rows.values;
    return (normed.flatten(3) * weights.head_norm + weights.head_bias + own.flatten(3)) *
           parts.gates;
  }

  /// What is added to the stream.
  at::Tensor written(const Operations& op, const at::Tensor& open, at::ScalarType type) const {
    return op.linear(open.to(type), parameters_.out());
  }

  at::Tensor by_head(const at::Tensor& x) const { return x.unflatten(-1, {heads_, head_width_}); }

  static at::Tensor unit_length(const at::Tensor& x) {
    return x * (x.square().sum({-1}, true) + 1e-24).rsqrt();
  }

  Rwkv7Parameters parameters_;
  std::int64_t heads_, head_width_;
};

}  // namespace

std::unique_ptr<const Mixer> build_rwkv7_mixer(const LayerSite& site) {
  return std::make_unique<Rwkv7Mixer>(site);
}

}  // namespace ablate::models
