// Attention: softmax of the scores of what a position sees.
//
// Groups of heads may share keys and values, which are then laid beside each of their heads; a text keeps
// them once.
//
// Source: Vaswani et al. 2017, "Attention Is All You Need", arXiv:1706.03762, section 3.2; groups: Ainslie et
// al. 2023, "GQA", arXiv:2305.13245, section 2.2.

#include <ATen/Functions.h>

#include "models/layers/layer.h"
#include "models/layers/mixing/query_key_norm.h"

namespace ablate::models {
namespace {

class AttentionMixer final : public Mixer {
 public:
  explicit AttentionMixer(const LayerSite& site)
      : parameters_(site.parameters),
        norm_(site),
        width_(site.shape.width),
        head_width_(site.shape.head_width),
        group_(site.shape.group) {
    qkv_ = site.parameters.add_matrix(site.name + "qkv", width_ + 2 * width_ / group_, width_);
    out_ = site.parameters.add_matrix(site.name + "out", width_, width_, site.output_scale);
  }

  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor seen = op.attention(projected(op, normed), pass.mask);
    return op.linear(seen, parameters_.matrix(out_));
  }

  at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                     std::vector<at::Tensor>& kept) const override {
    const Operations& op = pass.operations;
    const at::Tensor qkv = projected(op, normed);
    const DecodingStep& step = *pass.step;
    const at::Tensor seen =
        op.attention_step(qkv, pass.mask, {step.places, step.end, step.first, group_}, kept);
    return op.linear(seen, parameters_.matrix(out_));
  }

 private:
  /// Queries, keys and values of each head, [lane, batch, time, 3 * width].
  at::Tensor projected(const Operations& op, const at::Tensor& normed) const {
    const at::Tensor made = op.linear(normed, parameters_.matrix(qkv_));
    return norm_.normed(op, group_ == 1 ? made : of_heads(made));
  }

  /// `made`, in which each group has its keys and values once, with those of each head.
  at::Tensor of_heads(const at::Tensor& made) const {
    const at::Tensor queries = made.narrow(-1, 0, width_);
    const at::Tensor kept =
        made.narrow(-1, width_, 2 * width_ / group_).unflatten(-1, {2, -1, 1, head_width_});
    std::vector<std::int64_t> sizes = kept.sizes().vec();
    sizes[5] = group_;
    return at::cat({queries, kept.expand(sizes).flatten(3)}, -1);
  }

  const Parameters& parameters_;
  QueryKeyNorm norm_;
  std::int64_t width_, head_width_, group_;
  std::size_t qkv_ = 0, out_ = 0;
};

}  // namespace

std::unique_ptr<const Mixer> build_attention_mixer(const LayerSite& site) {
  return std::make_unique<AttentionMixer>(site);
}

}  // namespace ablate::models
