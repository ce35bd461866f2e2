// The gated feed-forward layer, SwiGLU: the units of one matrix pass through SiLU and scale those of another.
// Both stand in one matrix, the gate first.
//
// Source: Shazeer 2020, "GLU Variants Improve Transformer", arXiv:2002.05202, section 2.

#include "models/layers/layer.h"

namespace ablate::models {
namespace {

class GatedFeedForward final : public FeedForward {
 public:
  GatedFeedForward(const LayerSite& site, std::int64_t hidden) : parameters_(site.parameters) {
    const std::int64_t width = site.shape.width;
    up_ = site.parameters.add_matrix(site.name + "up", 2 * hidden, width);
    down_ = site.parameters.add_matrix(site.name + "down", width, hidden, site.output_scale);
  }

  at::Tensor fed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor units = op.activated(normed, parameters_.matrix(up_), Activation::swiglu);
    return op.linear(units, parameters_.matrix(down_));
  }

 private:
  const Parameters& parameters_;
  std::size_t up_ = 0, down_ = 0;
};

}  // namespace

std::unique_ptr<const FeedForward> build_gated_feed_forward(const LayerSite& site,
                                                            const FeedForwardSpec& spec) {
  return std::make_unique<GatedFeedForward>(site, spec.hidden(site.shape));
}

}  // namespace ablate::models
