// Measures the time and memory that a training step of a bank takes on a device.

#include "harness/train/calibrate.h"

#include "harness/base/time/stopwatch.h"
#include "harness/train/step/cuda.h"
#include "harness/train/step/device_step.h"
#include "harness/train/step/host_step.h"
#include "harness/train/step/readings.h"

namespace ablate::train {
namespace {

constexpr std::int64_t kWarmUp = 5;     // steps: direct runs, recording, and the first replay
constexpr std::int64_t kMeasured = 15;  // steps
constexpr std::int64_t kDrawn = 4;      // batches that the steps cycle through

/// Makes `count` steps and waits for them.
void make_steps(BankStep& step, const std::vector<std::vector<data::Batch>>& batches,
                std::int64_t first, std::int64_t count, Readings& readings) {
  const std::size_t lanes = batches[0].size(), heads = batches[0][0].scored.size();
  for (std::int64_t i = first; i < first + count; ++i) {
    const auto& read = batches[static_cast<std::size_t>(i % kDrawn)];
    const StepResult result = step.run(
        {i, read, std::vector<float>(heads * lanes, 1e-3f), std::vector<double>(lanes, 1e-6)});
    readings.add(result);
  }
  readings.take();
}

}  // namespace

run::LanePoint measure_bank(const BankSubject& subject, std::size_t lanes) {
  const WorkStream stream(subject.device);
  reset_peak(subject.device);
  const auto network = subject.build(static_cast<std::int64_t>(lanes));
  const std::vector<std::uint64_t> seeds(lanes, 1);
  initialise(*network, seeds);
  FlatParameters parameters(network->parameters());
  AdamW optimizer(parameters, std::vector<AdamWSettings>(lanes), subject.device == "cpu");
  StepSettings settings = {*network,        subject.heads, optimizer,          subject.device,
                           subject.dropout, seeds,         subject.micro_batch};
  settings.loss = subject.loss;
  const auto step = subject.device == "cpu"
                        ? host_step(std::move(settings))
                        : device_step(std::move(settings), recorders(subject.device));
  std::vector<std::vector<data::Batch>> batches;
  for (std::int64_t i = 0; i < kDrawn; ++i) batches.emplace_back(lanes, subject.batch(i));
  Readings readings(static_cast<std::int64_t>(subject.heads), 0, network->lanes(),
                    std::max(kWarmUp, kMeasured), subject.device);
  make_steps(*step, batches, 0, kWarmUp, readings);
  Stopwatch watch;
  make_steps(*step, batches, kWarmUp, kMeasured, readings);
  return {lanes, watch.lap() / static_cast<double>(kMeasured), device_memory(subject.device).peak,
          step->failure()};
}

}  // namespace ablate::train
