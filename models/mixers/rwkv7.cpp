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

#include <algorithm>
#include <cmath>

#include "models/layers/initial_distributions.h"
#include "models/layers/layer.h"
#include "models/layers/mixing/shifted.h"
#include "models/layers/mixing/step_rows.h"
#include "models/operations/scan/directions.h"
#include "models/operations/scan/generalised_delta.h"
#include "models/specs/mixers/rwkv7_sizes.h"

namespace ablate::models {
namespace {

constexpr double kSlowest = 0.6065306597126334;  // e^(-1/2): what log decays are at most times -1
constexpr double kHeadEpsilon = 64e-5;           // added to a head's variance in its norm

/// The length of what an orthogonal matrix of a pair is made of: more where the rank exceeds the width.
double up_gain(std::int64_t width, std::int64_t rank) {
  return 0.1 * std::sqrt(std::max(1.0, static_cast<double>(rank) / static_cast<double>(width)));
}

at::Tensor beside_rows(const at::Tensor& of_lanes) { return of_lanes.unsqueeze(1).unsqueeze(1); }

/// The weights of some lanes; vectors [lane, 1, 1, width] in the type of sums.
struct Rwkv7Weights {
  at::Tensor in;  // [lane, projected, 2 * width]: of a position, and of the one before it
  at::Tensor decay_up, rate_up, value_up, gate_up;  // [lane, width, rank]
  at::Tensor decay, rate, value, removed_key, key_rate, bonus, head_norm, head_bias;
};

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
      : parameters_(site.parameters),
        width_(site.shape.width),
        heads_(site.shape.heads),
        head_width_(site.shape.head_width),
        first_(site.before == 0),
        ranks_(site.shape.width) {
    const Rwkv7Tables tables(width_, head_width_, site.before, site.count);
    Parameters& all = site.parameters;
    const auto add = [&](const char* name, std::vector<std::int64_t> sizes, Initial initial) {
      return all.add(site.name + name, std::move(sizes), std::move(initial));
    };
    const auto square = [&](const char* name, double gain) {
      return add(name, {width_, width_}, {.distribution = orthogonal(width_, width_, gain)});
    };
    const auto vector = [&](const char* name, std::vector<double> table, double rate = 1) {
      return add(name, {width_},
                 {.decayed = false, .distribution = from_table(std::move(table)), .rate = rate});
    };
    const auto constant = [&](const char* name, double value) {
      return add(name, {width_}, {.constant = value, .decayed = false});
    };
    const auto pair = [&](const std::string& name, std::int64_t rank) {
      return Pair{
          add((name + "_down").c_str(), {rank, width_}, {.decayed = false}),
          add((name + "_up").c_str(), {width_, rank},
              {.decayed = false, .distribution = orthogonal(width_, rank, up_gain(width_, rank))})};
    };
    shift_ = add("shift", {static_cast<std::int64_t>(Rwkv7Tables::kStreams), width_},
                 {.decayed = false, .distribution = from_table(tables.shift())});
    receptance_ = square("receptance", 1);
    key_ = square("key", 0.1);
    value_ = square("value", 1);
    decays_ = pair("decay", ranks_.decay);
    rates_ = pair("rate", ranks_.rate);
    gates_ = pair("gate", ranks_.gate);
    if (!first_) {
      values_ = pair("first_value", ranks_.value);
      first_value_ = vector("first_value", tables.value());
    }
    decay_ = vector("decay", tables.decay(), 2);
    rate_ = vector("rate", tables.rate());
    removed_key_ = vector("removed_key", tables.removed_key());
    key_rate_ = constant("key_rate", Rwkv7Tables::kKeyRate);
    bonus_ = constant("bonus", Rwkv7Tables::kBonus);
    head_norm_ = constant("head_norm", tables.head_norm());
    head_bias_ = constant("head_norm_bias", 0);
    out_ = add("out", {width_, width_}, {});
  }

  /// Lane by lane on the processor, so that a lane's bits do not depend on the others.
  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const std::int64_t lanes = normed.size(0), together = normed.is_cpu() ? 1 : lanes;
    const std::vector<Rwkv7Weights> weights = weights_of(normed.scalar_type(), together);
    const bool causal = pass.mask.visibility == train::Visibility::causal;
    const std::size_t directions = causal ? 1 : 2;
    if (first_) pass.handed.assign(weights.size() * directions, {});
    std::vector<at::Tensor> open;
    for (std::size_t part = 0; part < weights.size(); ++part) {
      const auto lane = static_cast<std::int64_t>(part) * together;
      const SeenRows seen(pass.mask.visible_from, pass.mask.visible_until, lane, together);
      const at::Tensor own = normed.narrow(0, lane, together);
      const auto one_way = [&](const at::Tensor& from, bool turned) {
        at::Tensor& values = pass.handed.at(part * directions + (turned ? 1 : 0));
        const Rwkv7Reading reading = {from, turned ? mirrored(seen.blind) : seen.blind,
                                      first_ ? at::Tensor() : values};
        const Rwkv7Parts parts =
            parts_of(op, turned ? mirrored(own) : own, {}, reading, weights[part]);
        if (first_) values = parts.own_values;
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
    const Rwkv7Weights weights = weights_of(normed.scalar_type(), normed.size(0)).front();
    at::Tensor state, before;
    if (!kept.empty()) state = kept[0], before = kept[1];
    if (!before.defined()) before = at::zeros_like(normed.narrow(2, 0, 1));
    if (first_) pass.handed.assign(1, {});
    const Rwkv7Parts parts =
        parts_of(op, normed, before,
                 {past.from, past.blind, first_ ? at::Tensor() : pass.handed.at(0)}, weights);
    if (first_) pass.handed[0] = parts.own_values;
    const at::Tensor read = generalised_delta_scan(parts.rows, state);
    kept = {state, past.latest(before, normed)};
    return written(op, opened(read, parts, weights), normed.scalar_type());
  }

 private:
  /// The two matrices of a product of low rank.
  struct Pair {
    std::size_t down = 0, up = 0;
  };

  /// By `together` lanes. What a stream reads of the position before goes into its matrix, so that one
  /// product makes all streams.
  std::vector<Rwkv7Weights> weights_of(at::ScalarType activations, std::int64_t together) const {
    const at::ScalarType type = sums_of(activations);
    const std::vector<at::Tensor> shifts = parameters_.value(shift_).unsqueeze(2).unbind(1);
    std::vector<at::Tensor> own, earlier;
    const auto add = [&](std::size_t matrix, std::size_t stream) {
      at::Tensor weight = parameters_.matrix(matrix);
      if (type == at::kDouble) weight = weight.to(type);
      const at::Tensor shift = shifts[stream].to(weight.scalar_type());
      earlier.push_back(weight * shift);
      own.push_back(weight - earlier.back());
    };
    add(receptance_, 0);
    add(key_, 2);
    add(value_, 3);
    add(decays_.down, 1);
    add(rates_.down, 4);
    add(gates_.down, 5);
    if (!first_) add(values_.down, 3);
    const auto parts = [&](const at::Tensor& of_lanes) { return of_lanes.split(together, 0); };
    const auto vectors = [&](std::size_t index) {
      return parts(beside_rows(parameters_.value(index).to(type)));
    };
    const auto in = parts(at::cat({at::cat(own, 1), at::cat(earlier, 1)}, 2));
    const auto decay_up = parts(parameters_.matrix(decays_.up)),
               rate_up = parts(parameters_.matrix(rates_.up)),
               gate_up = parts(parameters_.matrix(gates_.up));
    const auto decay = vectors(decay_), rate = vectors(rate_), removed_key = vectors(removed_key_),
               key_rate = vectors(key_rate_), bonus = vectors(bonus_),
               head_norm = vectors(head_norm_), head_bias = vectors(head_bias_);
    std::vector<Rwkv7Weights> all;
    for (std::size_t i = 0; i < in.size(); ++i)
      all.push_back({.in = in[i],
                     .decay_up = decay_up[i],
                     .rate_up = rate_up[i],
                     .value_up = {},
                     .gate_up = gate_up[i],
                     .decay = decay[i],
                     .rate = rate[i],
                     .value = {},
                     .removed_key = removed_key[i],
                     .key_rate = key_rate[i],
                     .bonus = bonus[i],
                     .head_norm = head_norm[i],
                     .head_bias = head_bias[i]});
    if (first_) return all;
    const auto value_up = parts(parameters_.matrix(values_.up)), value = vectors(first_value_);
    for (std::size_t i = 0; i < in.size(); ++i) {
      all[i].value_up = value_up[i];
      all[i].value = value[i];
    }
    return all;
  }

  /// What is made of positions. `before`: as of shifted(). A blind position leaves the state as it is.
  Rwkv7Parts parts_of(const Operations& op, const at::Tensor& normed, const at::Tensor& before,
                      const Rwkv7Reading& reading, const Rwkv7Weights& weights) const {
    const at::ScalarType type = sums_of(normed.scalar_type());
    const at::Tensor both = at::cat({normed, shifted(normed, reading.from, before)}, -1);
    std::vector<std::int64_t> sizes = {width_,       width_,      width_,
                                       ranks_.decay, ranks_.rate, ranks_.gate};
    if (!first_) sizes.push_back(ranks_.value);
    const std::vector<at::Tensor> made = op.linear(both, weights.in).split_with_sizes(sizes, -1);
    const auto up = [&](const at::Tensor& x, const at::Tensor& weight) {
      return op.linear(x, weight).to(type);
    };
    const at::Tensor unseen = reading.blind.unsqueeze(-1);
    const at::Tensor decays =
        (weights.decay + up(made[3].tanh(), weights.decay_up)).sigmoid() * -kSlowest;
    const at::Tensor rates = (weights.rate + up(made[4], weights.rate_up)).sigmoid();
    const at::Tensor own_values = made[2].to(type), keys = made[1].to(type);
    at::Tensor values = own_values;
    if (!first_)
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
    return op.linear(open.to(type), parameters_.matrix(out_));
  }

  at::Tensor by_head(const at::Tensor& x) const { return x.unflatten(-1, {heads_, head_width_}); }

  static at::Tensor unit_length(const at::Tensor& x) {
    return x * (x.square().sum({-1}, true) + 1e-24).rsqrt();
  }

  static at::ScalarType sums_of(at::ScalarType activations) {
    return activations == at::kDouble ? at::kDouble : at::kFloat;
  }

  const Parameters& parameters_;
  std::int64_t width_, heads_, head_width_;
  bool first_;  // of its kind in its stack
  Rwkv7Ranks ranks_;
  Pair decays_, rates_, values_, gates_;
  std::size_t shift_ = 0, receptance_ = 0, key_ = 0, value_ = 0, first_value_ = 0, decay_ = 0,
              rate_ = 0, removed_key_ = 0, key_rate_ = 0, bonus_ = 0, head_norm_ = 0,
              head_bias_ = 0, out_ = 0;
};

}  // namespace

std::unique_ptr<const Mixer> build_rwkv7_mixer(const LayerSite& site) {
  return std::make_unique<Rwkv7Mixer>(site);
}

}  // namespace ablate::models
