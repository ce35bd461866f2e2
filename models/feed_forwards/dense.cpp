// The feed-forward layer of two matrices with GELU in between.
//
// Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.3; GELU: Hendrycks & Gimpel 2016,
// arXiv:1606.08415.

#include "models/layers/layer.h"

namespace ablate::models {
namespace {

class DenseFeedForward final : public FeedForward {
 public:
  DenseFeedForward(const LayerSite& site, std::int64_t hidden) : parameters_(site.parameters) {
    const std::int64_t width = site.shape.width;
    up_ = site.parameters.add_matrix(site.name + "up", hidden, width);
    down_ = site.parameters.add_matrix(site.name + "down", width, hidden, site.output_scale);
  }

  at::Tensor fed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor units = op.activated(normed, parameters_.matrix(up_), Activation::gelu);
    return op.linear(units, parameters_.matrix(down_));
  }

 private:
  const Parameters& parameters_;
  std::size_t up_ = 0, down_ = 0;
};

}  // namespace

std::unique_ptr<const FeedForward> build_dense_feed_forward(const LayerSite& site,
                                                            const FeedForwardSpec& spec) {
  return std::make_unique<DenseFeedForward>(site, spec.hidden(site.shape));
}

}  // namespace ablate::models
