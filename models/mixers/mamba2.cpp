// Mamba-2: a state of constant size for each head, whose decay every position sets, behind a short
// convolution, and a gate.
//
// Two directions share their weights: the mixer reads a document from its start and from its end, and the
// outputs are added up before the gate.
//
// Source: Dao and Gu 2024, "Transformers are SSMs", arXiv:2405.21060, sections 6 and 7; its code
// (mamba2_simple) for the initial values. Heads share what they are written and read by (one group).

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>

#include "models/layers/initial_distributions.h"
#include "models/layers/layer.h"
#include "models/layers/mixing/step_rows.h"
#include "models/operations/scan/beside_rows.h"
#include "models/operations/scan/directions.h"
#include "models/operations/scan/state_space.h"
#include "models/operations/sums.h"
#include "models/specs/mixers/decay_distributions.h"
#include "models/specs/mixers/mamba2_sizes.h"

namespace ablate::models {
namespace {

/// What is made of positions, and weights, in the type of sums.
struct Projected {
  at::Tensor gates;     // [lane, batch, time, inner]
  at::Tensor channels;  // [lane, batch, time, channels]
  at::Tensor steps;     // [lane, batch, time, heads]: step sizes
};

struct Weights {
  ShortConvolution convolution;
  at::Tensor rates;  // [lane, heads]: of decay, at most 0
  at::Tensor bias;   // of step sizes, before softplus, [lane, heads]
  at::Tensor skip;   // [lane, heads]
};

class Mamba2Mixer final : public Mixer {
 public:
  explicit Mamba2Mixer(const LayerSite& site) : parameters_(site.parameters), sizes_(site.shape) {
    Parameters& all = site.parameters;
    const std::int64_t heads = sizes_.heads();
    in_ = all.add_matrix(site.name + "in", sizes_.projected(), sizes_.width);
    taps_ = all.add(site.name + "convolution", {sizes_.channels(), Mamba2Sizes::kTaps},
                    {.distribution = each_by(draw_tap)});
    tap_bias_ = all.add(site.name + "convolution_bias", {sizes_.channels()},
                        {.decayed = false, .distribution = each_by(draw_tap)});
    rates_ = all.add(site.name + "rate", {heads},
                     {.decayed = false, .distribution = each_by(draw_rate)});
    bias_ = all.add(site.name + "step", {heads},
                    {.decayed = false, .distribution = each_by(draw_step)});
    skip_ = all.add(site.name + "skip", {heads}, {.constant = 1, .decayed = false});
    gain_ = all.add_gain(site.name + "gate_norm", sizes_.inner);
    out_ = all.add_matrix(site.name + "out", sizes_.width, sizes_.inner, site.output_scale);
  }

  /// Lane by lane on the processor, so that a lane's bits do not depend on the others.
  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor projected = op.linear(normed, parameters_.matrix(in_));
    const std::int64_t together = normed.is_cpu() ? 1 : normed.size(0);
    std::vector<at::Tensor> open;
    for (const at::Tensor& part : projected.split(together, 0))
      open.push_back(gated(op, part, pass.mask, together * std::ssize(open)));
    return written(op, open.size() == 1 ? open.front() : at::cat(open), normed.scalar_type());
  }

  /// Keeps the state, and the channels that the next convolution reads.
  at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                     std::vector<at::Tensor>& kept) const override {
    const Operations& op = pass.operations;
    const at::Tensor projected = op.linear(normed, parameters_.matrix(in_));
    const std::int64_t lanes = normed.size(0);
    const StepRows past(pass.mask, *pass.step, lanes);
    const Weights weights = weights_of(0, lanes, normed.scalar_type());
    const Projected parts = parts_of(projected, weights, past.blind);
    at::Tensor state, before;
    if (!kept.empty()) state = kept[0], before = kept[1];
    if (!before.defined())
      before = at::zeros({lanes, projected.size(1), Mamba2Sizes::kTaps - 1, sizes_.channels()},
                         parts.channels.options());
    const at::Tensor channels =
        at::silu(convolved(parts.channels, weights.convolution, past.from, before));
    const at::Tensor out =
        state_space_scan(rows_of(channels, parts, weights, past.from), state).flatten(3);
    kept = {state, past.latest(before, parts.channels)};
    return written(op, out * at::silu(parts.gates), normed.scalar_type());
  }

 private:
  Weights weights_of(std::int64_t first, std::int64_t lanes, at::ScalarType activations) const {
    const at::ScalarType type = sums_of(activations);
    const auto own = [&](std::size_t index) {
      return parameters_.value(index).narrow(0, first, lanes).to(type);
    };
    return {{own(taps_), own(tap_bias_)}, -own(rates_).exp(), own(bias_), own(skip_)};
  }

  Projected parts_of(const at::Tensor& projected, const Weights& weights,
                     const at::Tensor& blind) const {
    const std::vector<at::Tensor> parts =
        projected.to(weights.rates.scalar_type())
            .split_with_sizes({sizes_.inner, sizes_.channels(), sizes_.heads()}, -1);
    // A step of size 0 leaves the state as it is.
    const at::Tensor steps = at::softplus(parts[2] + beside_rows(weights.bias));
    return {parts[0], parts[1], steps.masked_fill(blind.unsqueeze(-1), 0)};
  }

  /// What the recurrence reads, given the channels after their convolution.
  StateSpaceRows rows_of(const at::Tensor& channels, const Projected& parts, const Weights& weights,
                         const at::Tensor& from) const {
    const std::vector<at::Tensor> all =
        channels.split_with_sizes({sizes_.inner, sizes_.state, sizes_.state}, -1);
    return {all[0].unflatten(-1, {sizes_.heads(), sizes_.head_width}),
            parts.steps,
            weights.rates,
            weights.skip,
            all[1],
            all[2],
            from};
  }

  /// One direction: [lane, batch, time, inner].
  at::Tensor scanned(const Operations& op, const Projected& parts, const Weights& weights,
                     const at::Tensor& from) const {
    const at::Tensor channels = op.activated_convolution(parts.channels, weights.convolution, from);
    return op.state_space(rows_of(channels, parts, weights, from)).flatten(3);
  }

  /// What is added to the stream, given what has passed the gate.
  at::Tensor written(const Operations& op, const at::Tensor& open, at::ScalarType type) const {
    const Normed norm = op.add_norm(open, {}, parameters_.value(gain_), Norm::rms, type);
    return op.linear(norm.normed, parameters_.matrix(out_));
  }

  /// What some lanes' positions get from what they see, behind the gate; `first`: number of the first
  /// lane.
  at::Tensor gated(const Operations& op, const at::Tensor& projected, const AttentionMask& mask,
                   std::int64_t first) const {
    const SeenRows seen(mask.visible_from, mask.visible_until, first, projected.size(0));
    const Weights weights = weights_of(first, projected.size(0), projected.scalar_type());
    const Projected parts = parts_of(projected, weights, seen.blind);
    const auto read = [&](const at::Tensor& from, bool turned) {
      if (!turned) return scanned(op, parts, weights, from);
      return scanned(op, {{}, mirrored(parts.channels), mirrored(parts.steps)}, weights, from);
    };
    return both_ways(seen, mask.visibility == train::Visibility::causal, read) *
           at::silu(parts.gates);
  }

  const Parameters& parameters_;
  Mamba2Sizes sizes_;
  std::size_t in_ = 0, taps_ = 0, tap_bias_ = 0, rates_ = 0, bias_ = 0, skip_ = 0, gain_ = 0,
              out_ = 0;
};

}  // namespace

std::unique_ptr<const Mixer> build_mamba2_mixer(const LayerSite& site) {
  return std::make_unique<Mamba2Mixer>(site);
}

}  // namespace ablate::models
