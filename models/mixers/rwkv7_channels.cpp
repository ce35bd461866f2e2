// RWKV-7's channel mixing: the squared units of a position and of the one before it.
//
// Two directions share their weights: each position reads the one before it and the one after it, and the
// two are added up.
//
// Source: Peng et al. 2025, "RWKV-7 Goose", arXiv:2503.14456, section 4.3; its code (RWKV-LM,
// RWKV-v7/train_temp) for initial values.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/layers/initial_distributions.h"
#include "models/layers/layer.h"
#include "models/layers/mixing/shifted.h"
#include "models/layers/mixing/step_rows.h"
#include "models/operations/scan/directions.h"
#include "models/specs/mixers/rwkv7_sizes.h"

namespace ablate::models {
namespace {

class Rwkv7ChannelMixer final : public Mixer {
 public:
  explicit Rwkv7ChannelMixer(const LayerSite& site) : parameters_(site.parameters) {
    const std::int64_t width = site.shape.width, units = rwkv7_channel_units(site.shape);
    const Rwkv7Tables tables(width, site.shape.head_width, site.before, site.count);
    shift_ =
        site.parameters.add(site.name + "shift", {width},
                            {.decayed = false, .distribution = from_table(tables.channel_shift())});
    key_ = site.parameters.add(site.name + "key", {units, width},
                               {.distribution = orthogonal(units, width, 1)});
    value_ = site.parameters.add(site.name + "value", {width, units}, {});
  }

  at::Tensor mixed(Pass& pass, const at::Tensor& normed) const override {
    const SeenRows seen(pass.mask.visible_from, pass.mask.visible_until, 0, normed.size(0));
    const auto one_way = [&](const at::Tensor& from, bool turned) {
      return units_of(pass.operations, turned ? mirrored(normed) : normed, from, {});
    };
    return written(pass.operations,
                   both_ways(seen, pass.mask.visibility == train::Visibility::causal, one_way));
  }

  /// Keeps the position before.
  at::Tensor stepped(Pass& pass, const at::Tensor& normed,
                     std::vector<at::Tensor>& kept) const override {
    const StepRows past(pass.mask, *pass.step, normed.size(0));
    const at::Tensor before = kept.empty() ? at::zeros_like(normed.narrow(2, 0, 1)) : kept[0];
    const at::Tensor units = units_of(pass.operations, normed, past.from, before);
    kept = {past.latest(before, normed)};
    return written(pass.operations, units);
  }

 private:
  /// One direction: [lane, batch, time, units].
  at::Tensor units_of(const Operations& op, const at::Tensor& normed, const at::Tensor& from,
                      const at::Tensor& before) const {
    const at::Tensor shift =
        parameters_.value(shift_).unsqueeze(1).unsqueeze(1).to(normed.scalar_type());
    const at::Tensor mix = at::lerp(normed, shifted(normed, from, before), shift);
    return op.linear(mix, parameters_.matrix(key_)).relu().square();
  }

  at::Tensor written(const Operations& op, const at::Tensor& units) const {
    return op.linear(units, parameters_.matrix(value_));
  }

  const Parameters& parameters_;
  std::size_t shift_ = 0, key_ = 0, value_ = 0;
};

}  // namespace

std::unique_ptr<const Mixer> build_rwkv7_channels_mixer(const LayerSite& site) {
  return std::make_unique<Rwkv7ChannelMixer>(site);
}

}  // namespace ablate::models
