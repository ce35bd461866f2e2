// The sizes and initial values of RWKV-7's layers. Used by planning and by the builders.
//
// Source: Peng et al. 2025, "RWKV-7 Goose with Expressive Dynamic State Evolution", arXiv:2503.14456,
// section 4 and appendices; the values as its code has them (RWKV-LM, RWKV-v7/train_temp, model.py).

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/specs/layers/shape.h"

namespace ablate::models {

/// The units of a layer that mixes channels: as many as of a dense feed-forward layer.
inline std::int64_t rwkv7_channel_units(const Shape& shape) {
  return std::max<std::int64_t>(
      1, std::llround(shape.hidden_multiple * static_cast<double>(shape.width)));
}

/// The ranks of the pairs of matrices that make a number for each unit.
struct Rwkv7Ranks {
  std::int64_t decay, rate, value, gate;

  /// As the code suggests, in steps of 32; below a width of 512 in steps of 8, because four ranks of 32 would
  /// be half of the layer at width 64.
  explicit Rwkv7Ranks(std::int64_t width)
      : decay(rank(width, 2.5)),
        rate(rank(width, 2.5)),
        value(rank(width, 1.7)),
        gate(rank(width, 5)) {}

  /// Of those that a layer has: the first one mixes no values.
  std::int64_t sum(bool first) const { return decay + rate + gate + (first ? 0 : value); }

 private:
  static std::int64_t rank(std::int64_t width, double factor) {
    const std::int64_t step = width < 512 ? 8 : 32;
    const double steps = factor * std::sqrt(static_cast<double>(width)) / static_cast<double>(step);
    return step * std::max<std::int64_t>(1, std::llround(steps));
  }
};

/// The initial values of a time-mixing layer, by unit.
class Rwkv7Tables {
 public:
  static constexpr std::size_t kStreams = 6;  // receptance, decay, key, value, rate, gate

  /// Of the layer with `before` of `count` layers before it.
  Rwkv7Tables(std::int64_t width, std::int64_t head_width, std::int64_t before, std::int64_t count)
      : width_(width), head_width_(head_width) {
    depth_ = count > 1 ? static_cast<double>(before) / static_cast<double>(count - 1) : 0;
    rest_ = 1 - static_cast<double>(before) / static_cast<double>(count);
    head_norm_ = std::pow(static_cast<double>(before + 1) / static_cast<double>(count), 0.7);
  }

  /// How much of the position before each stream reads, [stream, unit].
  std::vector<double> shift() const {
    std::vector<double> all;
    for (const double power : {0.2, 0.9, 0.7, 0.7, 0.9, 0.2})
      for (std::int64_t n = 0; n < width_; ++n) all.push_back(shift_of(n, power * rest_));
    return all;
  }

  /// The same of the layer that mixes channels.
  std::vector<double> channel_shift() const {
    return by_unit([&](std::int64_t n) { return shift_of(n, std::pow(rest_, 4)); });
  }

  std::vector<double> decay() const {
    return by_unit([&](std::int64_t n) {
      const double power = 1 + (depth_ > 0 ? std::pow(depth_, 0.3) : 0);
      return -6 + 6 * std::pow(0.5 + linear(n), power) + 0.5 + 2.5 * zigzag(n);
    });
  }
  std::vector<double> rate() const {
    return by_unit([&](std::int64_t n) { return -0.19 + 0.3 * zigzag(n) + 0.4 * linear(n); });
  }
  std::vector<double> value() const {
    return by_unit([&](std::int64_t n) { return 0.73 - 0.4 * linear(n); });
  }
  std::vector<double> removed_key() const {
    return by_unit([&](std::int64_t n) { return 0.71 - 0.1 * linear(n); });
  }

  static constexpr double kKeyRate = 1.02, kBonus = -0.04;

  double head_norm() const { return head_norm_; }

 private:
  template <class Value>
  std::vector<double> by_unit(const Value& value) const {
    std::vector<double> all;
    for (std::int64_t n = 0; n < width_; ++n) all.push_back(value(n));
    return all;
  }

  double shift_of(std::int64_t n, double power) const {
    return 1 - std::pow(static_cast<double>(n) / static_cast<double>(width_), power);
  }

  /// From -1/2 to 1/2 over the units.
  double linear(std::int64_t n) const {
    return width_ > 1 ? static_cast<double>(n) / static_cast<double>(width_ - 1) - 0.5 : 0;
  }

  /// From -1 to 1 over the units of each head, with the sign of its square.
  double zigzag(std::int64_t n) const {
    const double half = static_cast<double>(head_width_ - 1) / 2;
    if (half == 0) return 0;
    const double x = (static_cast<double>(n % head_width_) - half) / half;
    return x * std::abs(x);
  }

  std::int64_t width_, head_width_;
  double depth_, rest_;  // how much of the stack is below the layer, and how much from it on
  double head_norm_;
};

}  // namespace ablate::models
