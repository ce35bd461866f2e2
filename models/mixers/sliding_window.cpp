// Attention to the nearest positions.
//
// Position i sees what it would see without a window, but nothing `window` positions away or further: the
// own position and window - 1 before it, and where it may see what follows, as many behind it.
//
// Source: Beltagy et al. 2020, "Longformer", arXiv:2004.05150, section 3.1 (there `window` counts both
// sides together); causal, as in De et al. 2024, "Griffin", arXiv:2402.19427, section 2.3.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/layers/layer.h"
#include "models/layers/mixing/query_key_norm.h"
#include "models/operations/attention.h"

namespace ablate::models {
namespace {

class SlidingWindowMixer final : public Mixer {
 public:
  explicit SlidingWindowMixer(const LayerSite& site)
      : parameters_(site.parameters), norm_(site), window_(site.shape.window) {
    const std::int64_t width = site.shape.width;
    qkv_ = site.parameters.add_matrix(site.name + "qkv", 3 * width, width);
    out_ = site.parameters.add_matrix(site.name + "out", width, width, site.output_scale);
  }

  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const Operations& op = pass.operations;
    const at::Tensor qkv = norm_.normed(op, op.linear(normed, parameters_.matrix(qkv_)));
    const bool all = window_ >= qkv.size(2);  // the mask is prepared then
    return written(op, all ? op.attention(qkv, pass.mask) : attended(op, qkv, pass.mask));
  }

  // What is kept are the keys and values of the last window - 1 positions that were read, the latest one
  // last, so that its size does not grow.
  at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                     std::vector<at::Tensor>& kept) const override {
    const Operations& op = pass.operations;
    const at::Tensor qkv = norm_.normed(op, op.linear(normed, parameters_.matrix(qkv_)));
    const DecodingStep& step = *pass.step;
    const AttentionHeads heads = heads_of(qkv, pass.mask);
    const bool first = kept.empty();
    if (first) kept = {before_any(heads.keys), before_any(heads.values)};
    const at::Tensor keys = at::cat({kept[0], heads.keys}, 3);
    const at::Tensor values = at::cat({kept[1], heads.values}, 3);
    const at::Tensor counts = step.read.sum({1});  // [batch]
    kept = {latest(keys, counts), latest(values, counts)};
    if (first) return written(op, attended(op, qkv, pass.mask));
    const AttentionMask seen = seen_behind(pass.mask, step, keys.size(3));
    const at::Tensor out = plain_attention(heads.queries, keys, values, seen);
    return written(op, out.transpose(2, 3).reshape(normed.sizes()).to(normed.scalar_type()));
  }

 private:
  /// `mask` within the window, not prepared.
  AttentionMask windowed(AttentionMask mask) const {
    const at::Tensor places = at::arange(mask.visible_from.size(2), mask.visible_from.options());
    mask.visible_from = at::maximum(mask.visible_from, places - (window_ - 1));
    mask.visible_until = at::minimum(mask.visible_until, places + window_);
    mask.visibility = train::Visibility::general;
    return mask;
  }

  /// Attention of whole rows within the window.
  at::Tensor attended(const Operations& op, const at::Tensor& qkv,
                      const AttentionMask& mask) const {
    return op.attention(qkv, op.prepared(windowed(mask), qkv.scalar_type()));
  }

  /// What is kept before any position was read; nobody sees it.
  at::Tensor before_any(const at::Tensor& x) const {
    std::vector<std::int64_t> sizes = x.sizes().vec();
    sizes[3] = window_ - 1;
    return at::zeros(sizes, x.options());
  }

  /// The last window - 1 of what was kept and of the `counts` positions behind it that were read.
  at::Tensor latest(const at::Tensor& all, const at::Tensor& counts) const {
    const at::Tensor ends = counts.unsqueeze(1) + at::arange(window_ - 1, counts.options());
    return all.gather(3, ends.view({1, all.size(1), 1, window_ - 1, 1})
                             .expand({all.size(0), -1, all.size(2), -1, all.size(4)}));
  }

  /// What a step's positions see of the `count` kept and own positions, counted from the first one kept.
  AttentionMask seen_behind(const AttentionMask& mask, const DecodingStep& step,
                            std::int64_t count) const {
    const at::Tensor shift = (window_ - 1 - step.before).view({1, -1, 1});
    const at::Tensor own = at::arange(step.places.size(1), step.places.options());
    const at::Tensor from = at::maximum(mask.visible_from + shift, own);
    const at::Tensor until = at::minimum(mask.visible_until + shift, own + (2 * window_ - 1));
    return with_source(from, until, count, mask.heads);
  }

  at::Tensor written(const Operations& op, const at::Tensor& attended) const {
    return op.linear(attended, parameters_.matrix(out_));
  }

  const Parameters& parameters_;
  QueryKeyNorm norm_;
  std::int64_t window_;
  std::size_t qkv_ = 0, out_ = 0;
};

}  // namespace

std::unique_ptr<const Mixer> build_sliding_window_mixer(const LayerSite& site) {
  return std::make_unique<SlidingWindowMixer>(site);
}

}  // namespace ablate::models
