// Linear attention: a feature map of queries and keys takes the place of the softmax, so that sums over
// what was read are all that a position needs of it. It has the projections of attention.
//
// Source: Katharopoulos et al. 2020, "Transformers are RNNs", arXiv:2006.16236, section 3.

#include "models/layers/layer.h"

namespace ablate::models {
namespace {

class LinearAttentionMixer final : public Mixer {
 public:
  explicit LinearAttentionMixer(const LayerSite& site) : parameters_(site.parameters) {
    const std::int64_t width = site.shape.width;
    qkv_ = site.parameters.add_matrix(site.name + "qkv", 3 * width, width);
    out_ = site.parameters.add_matrix(site.name + "out", width, width, site.output_scale);
  }

  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor seen =
        op.linear_attention(op.linear(normed, parameters_.matrix(qkv_)), pass.mask);
    return op.linear(seen, parameters_.matrix(out_));
  }

  /// Keeps the sums of products of keys and values, and of keys.
  at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                     std::vector<at::Tensor>& kept) const override {
    const Operations& op = pass.operations;
    const at::Tensor qkv = op.linear(normed, parameters_.matrix(qkv_));
    const DecodingStep& step = *pass.step;
    return op.linear(linear_attention_step(qkv, pass.mask, {step.before, step.read}, kept),
                     parameters_.matrix(out_));
  }

 private:
  const Parameters& parameters_;
  std::size_t qkv_ = 0, out_ = 0;
};

}  // namespace

std::unique_ptr<const Mixer> build_linear_attention_mixer(const LayerSite& site) {
  return std::make_unique<LinearAttentionMixer>(site);
}

}  // namespace ablate::models
