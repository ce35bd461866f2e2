// The layers that a block is made of: a mixer, in which positions read each other, and a feed-forward
// layer, which reads each position by itself. Each is a family: models/mixers/ and
// models/feed_forwards/ hold a file for each member.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/layers/parameters.h"
#include "models/layers/pass.h"
#include "models/specs/layers/shape.h"

namespace ablate::models {

/// What a layer is built on.
struct LayerSite {
  Parameters& parameters;  // that it adds its own to; they outlive the layer
  const Shape& shape;
  std::string name;  // what the names of its parameters begin with, such as "block.3."
  double output_scale =
      1;  // of the initial weights of its output, so that the stream does not grow

  // Of the layers of its kind in its stack.
  std::int64_t before = 0;  // those before it
  std::int64_t count = 1;   // all of them
};

/// A layer in which positions read each other, no further than the visibility of the pass says. A
/// position that sees nothing gets zeros.
class Mixer {
 public:
  virtual ~Mixer() = default;

  /// What is added to the stream before dropout, given the norm of the stream; both [lane, batch, time,
  /// width].
  virtual at::Tensor mixed(Pass& pass, const at::Tensor& normed) const = 0;

  /// As mixed() in a step of decoding, without gradient. `kept`: what stepped() has left there of the
  /// positions before; no tensors at first.
  virtual at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                             std::vector<at::Tensor>& kept) const = 0;
};

/// A layer that reads each position by itself.
class FeedForward {
 public:
  virtual ~FeedForward() = default;

  /// As Mixer::mixed.
  virtual at::Tensor fed(Pass& pass, const at::Tensor& normed) const = 0;
};

/// Builds the mixer of one line of models/specs/mixers.inc.
std::unique_ptr<const Mixer> build_mixer(const MixerSpec& spec, const LayerSite& site);

/// Builds the feed-forward layer of one line of models/specs/feed_forwards.inc.
std::unique_ptr<const FeedForward> build_feed_forward(const FeedForwardSpec& spec,
                                                      const LayerSite& site);

}  // namespace ablate::models
