#include "models/layers/mixing/query_key_norm.h"

#include <ATen/Functions.h>

#include "models/operations/sums.h"

namespace ablate::models {

QueryKeyNorm::QueryKeyNorm(const LayerSite& site)
    : parameters_(site.parameters),
      head_width_(site.shape.head_width),
      present_(site.shape.query_key_norm) {
  if (!present_) return;
  queries_ = site.parameters.add_gain(site.name + "query_norm", head_width_);
  keys_ = site.parameters.add_gain(site.name + "key_norm", head_width_);
}

at::Tensor QueryKeyNorm::normed(const Operations& op, const at::Tensor& qkv) const {
  if (!present_) return qkv;
  const std::int64_t width = qkv.size(-1) / 3;
  std::vector<at::Tensor> parts = qkv.split(width, -1);
  const at::ScalarType sums = sums_of(qkv.scalar_type());
  const auto norm = [&](at::Tensor& part, std::size_t gain) {
    const at::Tensor by_head = part.reshape({qkv.size(0), qkv.size(1), -1, head_width_}).to(sums);
    part = op.add_norm(by_head, {}, parameters_.value(gain), Norm::rms, qkv.scalar_type())
               .normed.view(part.sizes());
  };
  norm(parts[0], queries_);
  norm(parts[1], keys_);
  return at::cat(parts, -1);
}

}  // namespace ablate::models
