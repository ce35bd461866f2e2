// Attention: softmax of the scores of what a position sees.
//
// Source: Vaswani et al. 2017, "Attention Is All You Need", arXiv:1706.03762, section 3.2.

#include "models/layers/layer.h"
#include "models/layers/mixing/query_key_norm.h"

namespace ablate::models {
namespace {

class AttentionMixer final : public Mixer {
 public:
  explicit AttentionMixer(const LayerSite& site) : parameters_(site.parameters), norm_(site) {
    const std::int64_t width = site.shape.width;
    qkv_ = site.parameters.add_matrix(site.name + "qkv", 3 * width, width);
    out_ = site.parameters.add_matrix(site.name + "out", width, width, site.output_scale);
  }

  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor seen =
        op.attention(norm_.normed(op, op.linear(normed, parameters_.matrix(qkv_))), pass.mask);
    return op.linear(seen, parameters_.matrix(out_));
  }

  at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                     std::vector<at::Tensor>& kept) const override {
    const Operations& op = pass.operations;
    const at::Tensor qkv = norm_.normed(op, op.linear(normed, parameters_.matrix(qkv_)));
    const DecodingStep& step = *pass.step;
    const at::Tensor seen =
        op.attention_step(qkv, pass.mask, {step.places, step.end, step.first}, kept);
    return op.linear(seen, parameters_.matrix(out_));
  }

 private:
  const Parameters& parameters_;
  QueryKeyNorm norm_;
  std::size_t qkv_ = 0, out_ = 0;
};

}  // namespace

std::unique_ptr<const Mixer> build_attention_mixer(const LayerSite& site) {
  return std::make_unique<AttentionMixer>(site);
}

}  // namespace ablate::models
