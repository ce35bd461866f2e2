#include "models/mixers/rwkv7/weights.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>

#include "models/layers/initial_distributions.h"
#include "models/operations/scan/beside_rows.h"
#include "models/operations/sums.h"

namespace ablate::models {
namespace {

/// The length of what an orthogonal matrix of a pair is made of: more where the rank exceeds the width.
double up_gain(std::int64_t width, std::int64_t rank) {
  return 0.1 * std::sqrt(std::max(1.0, static_cast<double>(rank) / static_cast<double>(width)));
}

constexpr at::Tensor Rwkv7Weights::*kWeights[] = {
    &Rwkv7Weights::in,       &Rwkv7Weights::decay_up, &Rwkv7Weights::rate_up,
    &Rwkv7Weights::value_up, &Rwkv7Weights::gate_up,  &Rwkv7Weights::decay,
    &Rwkv7Weights::rate,     &Rwkv7Weights::value,    &Rwkv7Weights::removed_key,
    &Rwkv7Weights::key_rate, &Rwkv7Weights::bonus,    &Rwkv7Weights::head_norm,
    &Rwkv7Weights::head_bias};

}  // namespace

std::vector<Rwkv7Weights> Rwkv7Weights::split(std::int64_t together) const {
  std::vector<Rwkv7Weights> parts(static_cast<std::size_t>(in.size(0) / together));
  for (const auto weight : kWeights) {
    if (!(this->*weight).defined()) continue;  // the first layer has none
    const std::vector<at::Tensor> own = (this->*weight).split(together, 0);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].*weight = own.at(i);
  }
  return parts;
}

Rwkv7Parameters::Rwkv7Parameters(const LayerSite& site)
    : parameters_(site.parameters),
      width_(site.shape.width),
      first_(site.before == 0),
      ranks_(site.shape.width) {
  const Rwkv7Tables tables(width_, site.shape.head_width, site.before, site.count);
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

std::vector<std::int64_t> Rwkv7Parameters::stream_widths() const {
  std::vector<std::int64_t> widths = {width_,       width_,      width_,
                                      ranks_.decay, ranks_.rate, ranks_.gate};
  if (!first_) widths.push_back(ranks_.value);
  return widths;
}

Rwkv7Weights Rwkv7Parameters::weights(at::ScalarType activations) const {
  const at::ScalarType type = sums_of(activations);
  const auto vector = [&](std::size_t index) {
    return beside_rows(parameters_.value(index).to(type));
  };
  Rwkv7Weights all = {.in = streams(activations),
                      .decay_up = parameters_.matrix(decays_.up),
                      .rate_up = parameters_.matrix(rates_.up),
                      .value_up = {},
                      .gate_up = parameters_.matrix(gates_.up),
                      .decay = vector(decay_),
                      .rate = vector(rate_),
                      .value = {},
                      .removed_key = vector(removed_key_),
                      .key_rate = vector(key_rate_),
                      .bonus = vector(bonus_),
                      .head_norm = vector(head_norm_),
                      .head_bias = vector(head_bias_)};
  if (first_) return all;
  all.value_up = parameters_.matrix(values_.up);
  all.value = vector(first_value_);
  return all;
}

at::Tensor Rwkv7Parameters::streams(at::ScalarType activations) const {
  const std::vector<at::Tensor> shifts = parameters_.value(shift_).unsqueeze(2).unbind(1);
  std::vector<at::Tensor> own, earlier;
  const auto add = [&](std::size_t matrix, std::size_t stream) {
    at::Tensor weight = parameters_.matrix(matrix);
    if (activations == at::kDouble) weight = weight.to(activations);
    earlier.push_back(weight * shifts[stream].to(weight.scalar_type()));
    own.push_back(weight - earlier.back());
  };
  add(receptance_, 0);
  add(key_, 2);
  add(value_, 3);
  add(decays_.down, 1);
  add(rates_.down, 4);
  add(gates_.down, 5);
  if (!first_) add(values_.down, 3);
  return at::cat({at::cat(own, 1), at::cat(earlier, 1)}, 2);
}

}  // namespace ablate::models
