// Implements Operations with our own device kernels.

#include "models/operations/device/device_operations.h"

#include "models/operations/device/dropout.h"
#include "models/operations/device/loss.h"
#include "models/operations/device/norm.h"
#include "models/operations/plain_operations.h"

namespace ablate::models {
namespace {

class DeviceOperations final : public Operations {
 public:
  explicit DeviceOperations(std::int64_t part_bytes) : part_bytes_(part_bytes) {}

  at::Tensor embed(const at::Tensor& table, const at::Tensor& ids) const override {
    return plain_->embed(table, ids);
  }
  at::Tensor linear(const at::Tensor& x, const at::Tensor& weight) const override {
    return plain_->linear(x, weight);
  }
  Normed add_norm(const at::Tensor& residual, const at::Tensor& delta, const at::Tensor& gain,
                  Norm norm, at::ScalarType type) const override {
    return device::add_norm(residual, delta, gain, norm, type);
  }
  AttentionMask prepared(AttentionMask mask, at::ScalarType type) const override {
    return plain_->prepared(std::move(mask), type);
  }
  at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask) const override {
    return plain_->attention(qkv, mask);
  }
  at::Tensor cross_attention(const at::Tensor& q, const at::Tensor& kv,
                             const AttentionMask& mask) const override {
    return plain_->cross_attention(q, kv, mask);
  }
  at::Tensor activated(const at::Tensor& x, const at::Tensor& weight,
                       Activation kind) const override {
    return plain_->activated(x, weight, kind);
  }
  at::Tensor dropped(const at::Tensor& x, const DropoutKey& key) const override {
    return key.dropped > 0 ? device::drop(x, key) : x;
  }
  at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                    const std::vector<train::LaneTargets>& targets) const override {
    return device::losses(hidden, head, targets, part_bytes_);
  }

 private:
  const std::unique_ptr<Operations> plain_ =
      plain_operations(/*batched=*/true, /*library_attention=*/true);
  const std::int64_t part_bytes_;
};

}  // namespace

std::unique_ptr<Operations> device_operations(std::int64_t part_bytes) {
  return std::make_unique<DeviceOperations>(part_bytes);
}

}  // namespace ablate::models
