#include "harness/train/checkpoint/bank_store.h"

#include <c10/core/GradMode.h>

namespace ablate::train {
namespace {

TrialFiles files_of(const Lane& lane) {
  return {lane.given().trial->id, lane.given().folder, *lane.given().journal};
}

}  // namespace

void BankStore::begin(const std::vector<Lane>& lanes) {
  std::vector<std::uint64_t> seeds;
  for (const Lane& lane : lanes) seeds.push_back(lane.seed());
  initialise(network_, seeds);
  const BankState bank = host_copy(parameters_, optimizer_);
  bool started = false;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::filesystem::path& start = lanes[lane].given().start;
    if (start.empty()) continue;
    load_start(start, parameters_, bank.values, static_cast<std::int64_t>(lane));
    started = true;
  }
  if (!started) return;
  const c10::NoGradGuard no_gradient;
  parameters_.values().copy_(bank.values);
  network_.parameters_changed();
}

void BankStore::restore(std::vector<Lane>& lanes, std::int64_t step) {
  const BankState bank = host_copy(parameters_, optimizer_);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    lanes[lane].restore(load_checkpoint(files_of(lanes[lane]), parameters_, bank,
                                        static_cast<std::int64_t>(lane), step));
  const c10::NoGradGuard no_gradient;
  parameters_.values().copy_(bank.values);
  optimizer_.mean().copy_(bank.mean);
  optimizer_.square().copy_(bank.square);
  network_.parameters_changed();
}

void BankStore::share(Ranks& ranks) {
  const c10::NoGradGuard no_gradient;
  for (const at::Tensor& tensor : {parameters_.values(), optimizer_.mean(), optimizer_.square()})
    ranks.share(tensor);
  network_.parameters_changed();
}

void BankStore::save(const std::vector<Lane>& lanes, std::int64_t step) const {
  const BankState bank = host_copy(parameters_, optimizer_);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    if (lanes[lane].active())
      save_checkpoint(files_of(lanes[lane]), parameters_, bank, static_cast<std::int64_t>(lane),
                      step, lanes[lane].state());
}

const at::Tensor& BankStore::host_values() {
  if (!host_values_.defined()) host_values_ = parameters_.values().cpu();
  return host_values_;
}

void BankStore::keep_phase(const Lane& lane, std::size_t index, std::size_t phase) {
  save_phase(files_of(lane), parameters_, host_values(), static_cast<std::int64_t>(index), phase,
             lane.steps_spent(), lane.given().trial->config);
}

void BankStore::keep_snapshot(const Lane& lane, std::size_t index) {
  save_snapshot(files_of(lane), parameters_, host_values(), static_cast<std::int64_t>(index),
                lane.used_so_far(), lane.given().trial->config);
}

void BankStore::keep_final(const Lane& lane, std::size_t index, std::int64_t step) {
  save_weights(files_of(lane), parameters_, host_values(), static_cast<std::int64_t>(index), step,
               lane.given().trial->config);
}

}  // namespace ablate::train
