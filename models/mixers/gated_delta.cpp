// Gated DeltaNet: a state of constant size for each head, in which a key's value replaces what the key
// held, and which decays as each position says; behind a short convolution, and a gate.
//
// Two directions share their weights: the mixer reads a document from its start and from its end, and the
// outputs are added up before norm and gate.
//
// Source: Yang, Kautz and Hatamizadeh 2024, "Gated Delta Networks: Improving Mamba2 with Delta Rule",
// arXiv:2412.06464, section 3.3; initial values as in Mamba-2. There keys have 3/4 of the width and values
// 3/2; here both have all of it, so that states have the size of those of linear attention.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>

#include "models/layers/initial_distributions.h"
#include "models/layers/layer.h"
#include "models/layers/mixing/step_rows.h"
#include "models/operations/scan/beside_rows.h"
#include "models/operations/scan/delta_rule.h"
#include "models/operations/scan/directions.h"
#include "models/operations/scan/state_space.h"
#include "models/operations/sums.h"
#include "models/specs/mixers/decay_distributions.h"

namespace ablate::models {
namespace {

constexpr std::int64_t kDeltaTaps = 4;  // positions that the convolution reads

/// What is made of positions, in the type of sums.
struct DeltaParts {
  at::Tensor
      channels;  // [lane, batch, time, 3 * width]: reads, keys and values before the convolution
  at::Tensor gates;   // [lane, batch, time, width]
  at::Tensor rates;   // [lane, batch, time, heads]
  at::Tensor decays;  // the same: logarithms
};

/// Of length 1, but for vectors near 0.
at::Tensor unit_length(const at::Tensor& x) {
  return x * (x.square().sum({-1}, true) + 1e-6).rsqrt();
}

class GatedDeltaMixer final : public Mixer {
 public:
  explicit GatedDeltaMixer(const LayerSite& site)
      : parameters_(site.parameters),
        width_(site.shape.width),
        heads_(site.shape.heads),
        head_width_(site.shape.head_width) {
    Parameters& all = site.parameters;
    in_ = all.add_matrix(site.name + "in", 4 * width_ + 2 * heads_, width_);
    taps_ = all.add(site.name + "convolution", {3 * width_, kDeltaTaps},
                    {.distribution = each_by(draw_tap)});
    tap_bias_ = all.add(site.name + "convolution_bias", {3 * width_},
                        {.decayed = false, .distribution = each_by(draw_tap)});
    rates_ = all.add(site.name + "rate", {heads_},
                     {.decayed = false, .distribution = each_by(draw_rate)});
    bias_ = all.add(site.name + "step", {heads_},
                    {.decayed = false, .distribution = each_by(draw_step)});
    gain_ = all.add_gain(site.name + "head_norm", head_width_);
    out_ = all.add_matrix(site.name + "out", width_, width_, site.output_scale);
  }

  /// Lane by lane on the processor, so that a lane's bits do not depend on the others.
  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor projected = op.linear(normed, parameters_.matrix(in_));
    const std::int64_t together = normed.is_cpu() ? 1 : normed.size(0);
    std::vector<at::Tensor> open;
    for (const at::Tensor& part : projected.split(together, 0)) {
      const std::int64_t lane = together * std::ssize(open);
      const SeenRows seen(pass.mask.visible_from, pass.mask.visible_until, lane, together);
      const DeltaParts parts = parts_of(part, seen.blind, lane);
      const ShortConvolution taps = convolution(lane, together, parts.channels.scalar_type());
      const auto one_way = [&](const at::Tensor& from, bool turned) {
        const DeltaParts own = turned ? turned_around(parts) : parts;
        return op.delta_rule(
            rows_of(op.activated_convolution(own.channels, taps, from), own, from));
      };
      open.push_back(
          opened(op, both_ways(seen, pass.mask.visibility == train::Visibility::causal, one_way),
                 parts.gates, lane));
    }
    return written(op, open.size() == 1 ? open.front() : at::cat(open), normed.scalar_type());
  }

  /// Keeps the state, and the channels that the next convolution reads.
  at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                     std::vector<at::Tensor>& kept) const override {
    const Operations& op = pass.operations;
    const StepRows past(pass.mask, *pass.step, normed.size(0));
    const DeltaParts parts = parts_of(op.linear(normed, parameters_.matrix(in_)), past.blind, 0);
    at::Tensor state, before;
    if (!kept.empty()) state = kept[0], before = kept[1];
    if (!before.defined())
      before = at::zeros({normed.size(0), normed.size(1), kDeltaTaps - 1, 3 * width_},
                         parts.channels.options());
    const ShortConvolution taps = convolution(0, normed.size(0), before.scalar_type());
    const at::Tensor channels = at::silu(convolved(parts.channels, taps, past.from, before));
    const at::Tensor read = delta_rule_scan(rows_of(channels, parts, past.from), state);
    kept = {state, past.latest(before, parts.channels)};
    return written(op, opened(op, read, parts.gates, 0), normed.scalar_type());
  }

 private:
  /// Of the lanes from number `first` on. A blind position leaves the state as it is.
  DeltaParts parts_of(const at::Tensor& projected, const at::Tensor& blind,
                      std::int64_t first) const {
    const std::int64_t lanes = projected.size(0);
    const at::ScalarType type = sums_of(projected.scalar_type());
    const std::vector<at::Tensor> parts =
        projected.to(type).split_with_sizes({3 * width_, width_, heads_, heads_}, -1);
    const at::Tensor unseen = blind.unsqueeze(-1);
    const at::Tensor steps =
        at::softplus(parts[3] + beside_rows(weight(bias_, first, lanes, type)));
    const at::Tensor decays = steps * beside_rows(-weight(rates_, first, lanes, type).exp());
    return {parts[0], parts[1], parts[2].sigmoid().masked_fill(unseen, 0),
            decays.masked_fill(unseen, 0)};
  }

  static DeltaParts turned_around(const DeltaParts& parts) {
    return {mirrored(parts.channels), {}, mirrored(parts.rates), mirrored(parts.decays)};
  }

  ShortConvolution convolution(std::int64_t first, std::int64_t lanes, at::ScalarType type) const {
    return {weight(taps_, first, lanes, type), weight(tap_bias_, first, lanes, type)};
  }

  /// What the recurrence reads, given the channels after their convolution.
  DeltaRows rows_of(const at::Tensor& channels, const DeltaParts& parts,
                    const at::Tensor& from) const {
    const std::vector<at::Tensor> by_head =
        channels.unflatten(-1, {3, heads_, head_width_}).unbind(3);
    const double scale = 1 / std::sqrt(static_cast<double>(head_width_));
    return {unit_length(by_head[0]) * scale,
            unit_length(by_head[1]),
            by_head[2],
            parts.decays,
            parts.rates,
            from};
  }

  /// What was read of the state, after its norm by head and its gate: [lane, batch, time, width].
  at::Tensor opened(const Operations& op, const at::Tensor& read, const at::Tensor& gates,
                    std::int64_t first) const {
    const at::Tensor gain = parameters_.value(gain_).narrow(0, first, read.size(0));
    const Normed norm = op.add_norm(read.flatten(2, 3), {}, gain, Norm::rms, read.scalar_type());
    return norm.normed.reshape(gates.sizes()) * at::silu(gates);
  }

  /// What is added to the stream.
  at::Tensor written(const Operations& op, const at::Tensor& open, at::ScalarType type) const {
    return op.linear(open.to(type), parameters_.matrix(out_));
  }

  at::Tensor weight(std::size_t index, std::int64_t first, std::int64_t lanes,
                    at::ScalarType type) const {
    return parameters_.value(index).narrow(0, first, lanes).to(type);
  }

  const Parameters& parameters_;
  std::int64_t width_, heads_, head_width_;
  std::size_t in_ = 0, taps_ = 0, tap_bias_ = 0, rates_ = 0, bias_ = 0, gain_ = 0, out_ = 0;
};

}  // namespace

std::unique_ptr<const Mixer> build_gated_delta_mixer(const LayerSite& site) {
  return std::make_unique<GatedDeltaMixer>(site);
}

}  // namespace ablate::models
