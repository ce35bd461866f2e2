// Staging, telling and recording a step. Has not been run on a CUDA device yet: the tests run it on
// the processor, where copies are immediate and a made-up recorder records.

#include <ATen/ops/empty.h>

#include <algorithm>

#include "harness/train/bank_step.h"
#include "harness/train/feed.h"
#include "harness/train/stopwatch.h"

namespace ablate {
namespace {

constexpr std::int64_t kTableRows = AdamW::kFactors + 1;  // the optimizer's, then the shares

class DeviceStep final : public BankStep {
 public:
  DeviceStep(StepSettings settings, std::unique_ptr<Recorder> recorder)
      : settings_(std::move(settings)),
        device_(settings_.device),
        repeated_(settings_.dropout > 0 ? nullptr : std::move(recorder)) {
    inputs_.dropout = settings_.dropout;
    inputs_.seeds = settings_.seeds;
  }

  StepResult run(const StepOrder& order) override {
    Stopwatch watch;
    stage(order);
    repeated_.run([this] { compute(); });
    StepResult result = result_;
    result.model = watch.lap();
    return result;
  }

  std::string failure() const override { return repeated_.failure(); }

 private:
  /// Has everything that the step reads copied to its place.
  void stage(const StepOrder& order) {
    const std::span<const Batch> lanes = order.lanes;
    scored_ = scored_capacity(most_scored(lanes, 0), scored_, lanes[0].rows * lanes[0].time);
    const Packed packed = pack(lanes, 0, scored_, device_.is_cuda());
    inputs_.step = order.step;
    bool changed = see(packed.visibility);
    changed |= send(packed.inputs, read_);
    changed |= send(packed.targets, predicted_);
    changed |= send(packed.weights, weights_);
    changed |= send(table(order), table_);
    if (!changed) return;
    point_inputs();
    repeated_.reset();
  }

  /// Whether the pattern of visibility is new. One that has changed once stays general, which is
  /// always right.
  bool see(Visibility visibility) {
    const bool first = !read_.defined();
    if (!first && visibility != inputs_.visibility) visibility = Visibility::general;
    const bool changed = first || visibility != inputs_.visibility;
    inputs_.visibility = visibility;
    return changed;
  }

  /// What the update multiplies by and what the gradients are multiplied by: float32 [row, lane].
  at::Tensor table(const StepOrder& order) const {
    const auto lanes = static_cast<std::int64_t>(order.lanes.size());
    const at::Tensor made =
        at::empty({kTableRows, lanes},
                  at::TensorOptions().dtype(at::kFloat).pinned_memory(device_.is_cuda()));
    auto* const out = made.data_ptr<float>();
    settings_.optimizer.write_table(order.step, order.rates, out);
    std::copy(order.shares.begin(), order.shares.end(), out + AdamW::kFactors * lanes);
    return made;
  }

  /// Copies without waiting to where the last one went, or to a new place where the sizes are
  /// others. Returns whether the place is new.
  bool send(const at::Tensor& host, at::Tensor& to) const {
    const bool fresh = !to.defined() || to.sizes() != host.sizes();
    if (fresh) to = at::empty(host.sizes(), at::TensorOptions(device_).dtype(host.scalar_type()));
    to.copy_(host, /*non_blocking=*/true);
    return fresh;
  }

  void point_inputs() {
    inputs_.tokens = read_.select(0, 0);
    inputs_.positions = read_.select(0, 1);
    inputs_.visible_from = read_.select(0, 2);
    inputs_.visible_until = read_.select(0, 3);
    targets_.clear();
    for (std::int64_t lane = 0; lane < weights_.size(0); ++lane)
      targets_.push_back({predicted_.select(0, 0).select(0, lane),
                          predicted_.select(0, 1).select(0, lane), weights_.select(0, lane)});
  }

  void compute() {
    Network& network = settings_.network;
    const at::Tensor totals = network.losses(network.hidden(inputs_), targets_);
    totals.backward(table_.select(0, AdamW::kFactors));
    result_.losses = totals.detach();
    result_.norms = settings_.optimizer.step_by_table(table_.narrow(0, 0, AdamW::kFactors));
    network.parameters_changed();
  }

  const StepSettings settings_;
  const at::Device device_;
  Repeated repeated_;
  std::int64_t scored_ = 0;                        // targets that each lane is filled up to
  at::Tensor read_, predicted_, weights_, table_;  // where each step's are copied to
  Inputs inputs_;                                  // views of them
  std::vector<LaneTargets> targets_;               // the same
  StepResult result_;
};

}  // namespace

std::unique_ptr<BankStep> device_step(StepSettings settings, std::unique_ptr<Recorder> recorder) {
  return std::make_unique<DeviceStep>(std::move(settings), std::move(recorder));
}

}  // namespace ablate
