// Staging, queueing and recording a step. tests/gpu runs it on a CUDA device; the other tests run
// it on the CPU, where copies are immediate, with a fake recorder.

#include "harness/train/step/device_step.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

#include "harness/base/time/stopwatch.h"
#include "harness/train/step/across_ranks.h"
#include "harness/train/step/feed.h"
#include "harness/train/step/micro_batches.h"

namespace ablate::train {
namespace {

class DeviceStep final : public BankStep {
 public:
  DeviceStep(StepSettings settings, const NewRecorder& recorder)
      : settings_(std::move(settings)),
        device_(settings_.device),
        repeated_(recorder()),
        in_parts_(settings_.micro_batch > 0 || settings_.ranks != nullptr),
        repeated_update_(in_parts_ ? recorder() : nullptr) {
    inputs_.dropout = settings_.dropout;
    inputs_.seeds = settings_.seeds;
  }

  StepResult run(const StepOrder& order) override {
    Stopwatch watch;
    if (!in_parts_) {
      stage(order, order.lanes, 0);
      repeated_.run([this] {
        Totals totals = accumulate();
        result_.losses = std::move(totals.losses);
        result_.facts = std::move(totals.facts);
        update();
      });
    } else {
      run_in_parts(order);
    }
    StepResult result = result_;
    result.model = watch.lap() - result.exchange;
    return result;
  }

  std::string failure() const override {
    return repeated_.failure().empty() ? repeated_update_.failure() : repeated_.failure();
  }

 private:
  void run_in_parts(const StepOrder& order) {
    if (!result_.losses.defined())
      result_.losses = at::empty({heads(), std::ssize(order.lanes)},
                                 at::TensorOptions(device_).dtype(at::kFloat));
    result_.losses.zero_();
    if (result_.facts.defined()) result_.facts.zero_();
    each_micro_batch(order.lanes, settings_.own_rows(order.lanes[0].rows), settings_.micro_batch,
                     [&](std::span<const data::Batch> lanes, std::int64_t first) {
                       stage(order, lanes, first);
                       repeated_.run([this] { add(accumulate()); });
                     });
    if (settings_.ranks != nullptr) {
      Stopwatch watch;
      Totals totals = {result_.losses, result_.facts};
      result_.stop = add_across(*settings_.ranks, settings_.optimizer.gradient(), settings_.facts,
                                totals, order.stop);
      result_.facts = totals.facts;
      result_.exchange = watch.lap();
    }
    repeated_update_.run([this] { update(); });
  }

  /// Copies everything that the step reads of these rows to the device.
  void stage(const StepOrder& order, std::span<const data::Batch> lanes, std::int64_t first_row) {
    inputs_.first_row = first_row;
    scored_.resize(settings_.heads);
    for (std::size_t head = 0; head < scored_.size(); ++head)
      scored_[head] =
          scored_capacity(max_scored(lanes, head), scored_[head], most_scored(lanes[0], head));
    const Packed packed = pack(lanes, scored_, device_.is_cuda());
    inputs_.step = order.step;
    bool changed = see(packed.visibility);
    fields_ = packed.fields;
    changed |= send(packed.inputs, read_);
    if (packed.source.defined()) changed |= send(packed.source, source_);
    heads_.resize(packed.heads.size());
    for (std::size_t head = 0; head < heads_.size(); ++head) {
      changed |= send(packed.heads[head].targets, heads_[head].targets);
      changed |= send(packed.heads[head].weights, heads_[head].weights);
    }
    changed |= send(table(order), table_);
    changed |= send(keys(order.step), keys_);
    if (!changed) return;
    point_inputs();
    repeated_.reset();
  }

  /// Returns whether the attention pattern has changed. Once it has, it stays general, which is
  /// always correct.
  bool see(Visibility visibility) {
    const bool first = !read_.defined();
    if (!first && visibility != inputs_.visibility) visibility = Visibility::general;
    const bool changed = first || visibility != inputs_.visibility;
    inputs_.visibility = visibility;
    return changed;
  }

  /// The update's factors, then the gradient scales: float32 [row, lane].
  at::Tensor table(const StepOrder& order) const {
    const auto lanes = static_cast<std::int64_t>(order.lanes.size());
    const at::Tensor made =
        at::empty({AdamW::kFactors + heads(), lanes},
                  at::TensorOptions().dtype(at::kFloat).pinned_memory(device_.is_cuda()));
    auto* const out = made.data_ptr<float>();
    settings_.optimizer.write_table(order.step, order.learning_rates, out);
    std::copy(order.gradient_scales.begin(), order.gradient_scales.end(),
              out + AdamW::kFactors * lanes);
    return made;
  }

  /// The step, its first row and the seeds: see Inputs::keys.
  at::Tensor keys(std::int64_t step) const {
    const std::int64_t count = 2 + std::ssize(settings_.seeds);
    const at::Tensor made =
        at::empty({count}, at::TensorOptions().dtype(at::kLong).pinned_memory(device_.is_cuda()));
    auto* const out = made.data_ptr<std::int64_t>();
    out[0] = step;
    out[1] = inputs_.first_row;
    std::copy(settings_.seeds.begin(), settings_.seeds.end(), out + 2);
    return made;
  }

  std::int64_t heads() const { return static_cast<std::int64_t>(settings_.heads); }

  /// Copies `host` to `to` without waiting. Allocates `to` where the sizes have changed, and
  /// returns whether it did.
  bool send(const at::Tensor& host, at::Tensor& to) const {
    const bool fresh = !to.defined() || to.sizes() != host.sizes();
    if (fresh) to = at::empty(host.sizes(), at::TensorOptions(device_).dtype(host.scalar_type()));
    to.copy_(host, /*non_blocking=*/true);
    return fresh;
  }

  void point_inputs() {
    Inputs inputs = unpacked(read_, source_, inputs_.visibility, fields_);
    inputs.dropout = inputs_.dropout;
    inputs.seeds = inputs_.seeds;
    inputs.step = inputs_.step;
    inputs.first_row = inputs_.first_row;
    inputs.keys = keys_;
    inputs_ = std::move(inputs);
    targets_.clear();
    for (const PackedTargets& head : heads_) {
      HeadTargets& own = targets_.emplace_back();
      for (std::int64_t lane = 0; lane < head.weights.size(0); ++lane)
        own.emplace_back(lane_targets(head, lane)).loss = settings_.loss;
    }
  }

  /// Adds the totals of a part of the rows. The sums stay where they are, for recordings.
  void add(const Totals& part) {
    result_.losses.add_(part.losses);
    if (!part.facts.defined()) return;
    if (!result_.facts.defined()) result_.facts = at::zeros_like(part.facts);
    result_.facts.add_(part.facts);
  }

  Totals accumulate() {
    return settings_.network.accumulate(inputs_, targets_,
                                        table_.narrow(0, AdamW::kFactors, heads()));
  }

  void update() {
    result_.norms = settings_.optimizer.step_by_table(table_.narrow(0, 0, AdamW::kFactors));
    settings_.network.parameters_changed();
  }

  const StepSettings settings_;
  const at::Device device_;
  Repeated repeated_;                        // all of a step, or the gradients of a part of it
  const bool in_parts_;                      // gradients and update are recorded one by one
  Repeated repeated_update_;                 // the update of a step in parts
  std::vector<std::int64_t> scored_;         // by head: the targets that each lane is padded to
  at::Tensor read_, source_, table_, keys_;  // each step's inputs, on the device
  std::vector<PackedTargets> heads_;         // each step's targets, on the device
  Fields fields_;                            // of read_
  Inputs inputs_;                            // views of read_ and source_
  std::vector<HeadTargets> targets_;         // views of heads_
  StepResult result_;
};

}  // namespace

std::unique_ptr<BankStep> device_step(StepSettings settings, const NewRecorder& recorder) {
  return std::make_unique<DeviceStep>(std::move(settings), recorder);
}

}  // namespace ablate::train
