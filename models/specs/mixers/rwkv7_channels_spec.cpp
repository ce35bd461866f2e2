// RWKV-7's channel mixing, for planning.

#include "models/specs/mixers/rwkv7_sizes.h"

namespace ablate::models {
namespace {

std::int64_t parameters(const Shape& shape, bool) {
  return shape.width * (2 * rwkv7_channel_units(shape) + 1);
}

double multiply_adds(const Shape& shape, std::int64_t, bool) {
  return static_cast<double>(2 * shape.width * rwkv7_channel_units(shape));
}

// The position before, the mix, their difference and what is projected from; the units and their squares.
double bytes(const Shape& shape, double unit) {
  return unit * static_cast<double>(4 * shape.width + 3 * rwkv7_channel_units(shape));
}

// The position before.
std::int64_t state(const Shape& shape, std::int64_t) { return shape.width; }

}  // namespace

MixerSpec rwkv7_channels_mixer_spec() {
  return {
      .name = "rwkv7_channels",
      .summary =
          "the squared units of a position and the one before it (RWKV-7's channel mixing, which "
          "follows its time mixing in a block of its own, without a feed-forward layer). Both "
          "directions share their weights, and their results are added; cannot host inputs that "
          "see each other before a continuation in the same stack",
      .source = "Peng et al. 2025, \"RWKV-7 Goose\", arXiv:2503.14456, section 4.3",
      .parameters = parameters,
      .multiply_adds = multiply_adds,
      .bytes = bytes,
      .state = state,
      .truncates = false,
      .prefix = false,
      .two_intervals = false};
}

}  // namespace ablate::models
