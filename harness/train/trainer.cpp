// The training loop.

#include "harness/train/trainer.h"

#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "harness/train/adamw.h"
#include "harness/train/checkpoints.h"
#include "harness/train/device.h"
#include "harness/train/feed.h"
#include "harness/train/stopwatch.h"

namespace ablate {
namespace {

class Trainer {
 public:
  Trainer(Network& network, std::vector<TrainingLane> lanes, const TrainingSettings& settings);
  void start(std::int64_t from);
  std::vector<TrainingResult> run();

 private:
  std::vector<AdamWSettings> adamw_settings() const;
  TrialFiles files(const Lane& lane) const;
  bool any_active() const;
  void draw(std::int64_t step);
  void advance();
  Inputs inputs() const;
  at::Tensor forward_and_backward();
  at::Tensor update();
  void account(const at::Tensor& losses, const at::Tensor& norms);
  void end(std::size_t lane);
  void save();
  Json time_shares() const;

  Network& network_;
  const TrainingSettings& settings_;
  std::vector<Lane> lanes_;
  FlatParameters parameters_;
  AdamW optimizer_;
  std::int64_t step_ = 0;  // updates made
  std::vector<Batch> batches_;
  Stopwatch step_watch_;
  Stopwatch part_watch_;
  double since_checkpoint_ = 0;
  double data_ = 0, model_ = 0, update_ = 0, all_ = 0;  // seconds of this attempt
};

Trainer::Trainer(Network& network, std::vector<TrainingLane> lanes,
                 const TrainingSettings& settings)
    : network_(network),
      settings_(settings),
      lanes_(std::make_move_iterator(lanes.begin()), std::make_move_iterator(lanes.end())),
      parameters_(network),
      optimizer_(parameters_, adamw_settings()),
      batches_(lanes_.size()) {
  if (static_cast<std::int64_t>(lanes_.size()) != network.lanes())
    throw std::logic_error(
        join("train: ", lanes_.size(), " trials for ", network.lanes(), " lanes"));
  for (const Lane& lane : lanes_)
    if (lane.train().number("dropout") != lanes_[0].train().number("dropout"))
      reject("train: the trials of a bank have different dropout; train them apart");
}

std::vector<AdamWSettings> Trainer::adamw_settings() const {
  std::vector<AdamWSettings> all;
  for (const Lane& lane : lanes_) all.push_back(adamw_settings_of(lane.train()));
  return all;
}

TrialFiles Trainer::files(const Lane& lane) const {
  return {lane.given().trial->id, lane.given().folder, *lane.given().journal};
}

bool Trainer::any_active() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.active(); });
}

void Trainer::start(std::int64_t from) {
  step_ = from;
  if (from == 0) {
    std::vector<std::uint64_t> seeds;
    for (const Lane& lane : lanes_) seeds.push_back(lane.seed());
    initialise(network_, seeds);
    return;
  }
  const BankState bank = host_copy(parameters_, optimizer_);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    lanes_[lane].restore(load_checkpoint(files(lanes_[lane]), parameters_, bank,
                                         static_cast<std::int64_t>(lane), from));
  const c10::NoGradGuard no_gradient;
  parameters_.values().copy_(bank.values);
  optimizer_.mean().copy_(bank.mean);
  optimizer_.square().copy_(bank.square);
  network_.parameters_changed();
}

void Trainer::draw(std::int64_t step) {
  const auto count = static_cast<std::int64_t>(lanes_.size());
  at::parallel_for(0, count, 1, [this, step](std::int64_t begin, std::int64_t end) {
    for (auto lane = begin; lane < end; ++lane) lanes_[static_cast<std::size_t>(lane)].draw(step);
  });
}

void Trainer::advance() {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    lanes_[lane].advance();
    batches_[lane] = lanes_[lane].batch();
  }
}

Inputs Trainer::inputs() const {
  Inputs inputs = to_inputs(batches_, settings_.device);
  inputs.dropout = lanes_[0].train().number("dropout");
  for (const Lane& lane : lanes_) inputs.seeds.push_back(lane.seed());
  inputs.step = step_;
  return inputs;
}

/// Each lane's total loss, float32 [lane]; leaves the gradients of the lanes' mean losses.
at::Tensor Trainer::forward_and_backward() {
  const at::Tensor hidden = network_.hidden(inputs());  // [lane, batch, time, width]
  const at::Tensor totals =
      network_.losses(hidden, to_targets(batches_, Head::token, settings_.device));
  const at::Tensor shares = at::empty({network_.lanes()}, at::kFloat);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const double weight = lanes_[lane].active() ? lanes_[lane].weight() : 0;
    shares.data_ptr<float>()[lane] = weight > 0 ? static_cast<float>(1 / weight) : 0;
  }
  totals.backward(shares.to(totals.device()));
  return totals.detach();
}

/// One update of the lanes that go on; each lane's gradient norm, float64 [lane].
at::Tensor Trainer::update() {
  std::vector<double> rates;
  for (const Lane& lane : lanes_) rates.push_back(lane.active() ? lane.rate() : -1);
  const at::Tensor norms = optimizer_.step(step_, rates);
  network_.parameters_changed();
  return norms;
}

void Trainer::account(const at::Tensor& losses, const at::Tensor& norms) {
  const at::Tensor host = at::cat({losses.to(at::kDouble), norms}).cpu();  // [2 * lane]
  const double* const values = host.data_ptr<double>();
  const double seconds = step_watch_.lap();
  all_ += seconds;
  since_checkpoint_ += seconds;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    if (!lane.active()) continue;
    const double loss = lane.account(values[i], values[lanes_.size() + i], seconds);
    if (settings_.progress)
      settings_.progress({lane.given().trial, lane.spent().steps, lane.steps(), lane.share(), loss,
                          static_cast<double>(lane.step_text_tokens()) / seconds});
    if (!lane.active()) end(i);
  }
}

void Trainer::end(std::size_t index) {
  const Lane& lane = lanes_[index];
  Json ledger = lane.ledger();
  ledger["peak_memory_bytes"] = peak_memory();
  ledger["lanes"] = lanes_.size();
  ledger["device"] = settings_.device;
  ledger["time_shares"] = time_shares();
  lane.given().journal->write("ledger", ledger);
  if (lane.end() == LaneEnd::completed)
    save_weights(files(lane), parameters_, parameters_.values().cpu(),
                 static_cast<std::int64_t>(index), step_, lane.given().trial->config);
  if (settings_.ended) settings_.ended(index, {lane.end(), lane.divergence()});
}

/// Of the time that this attempt has trained: fractions.
Json Trainer::time_shares() const {
  const double all = std::max(all_, 1e-9);
  return {{"data", data_ / all},
          {"forward_and_backward", model_ / all},
          {"update", update_ / all},
          {"other", std::max(0.0, 1 - (data_ + model_ + update_) / all)}};
}

void Trainer::save() {
  const BankState bank = host_copy(parameters_, optimizer_);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    if (lanes_[lane].active())
      save_checkpoint(files(lanes_[lane]), parameters_, bank, static_cast<std::int64_t>(lane),
                      step_, lanes_[lane].state());
  since_checkpoint_ = 0;
  step_watch_.lap();
}

std::vector<TrainingResult> Trainer::run() {
  // A device computes while the next batches are drawn; a processor has nothing to win by it.
  const bool ahead = settings_.device != "cpu";
  step_watch_.lap();
  draw(step_);
  advance();
  while (any_active()) {
    part_watch_.lap();
    const at::Tensor losses = forward_and_backward();
    model_ += part_watch_.lap();
    const at::Tensor norms = update();
    update_ += part_watch_.lap();
    if (ahead) draw(step_ + 1);
    data_ += part_watch_.lap();
    ++step_;
    account(losses, norms);
    const bool stop = settings_.stop && settings_.stop();
    if (stop || since_checkpoint_ >= settings_.checkpoint_seconds) save();
    if (stop) break;
    part_watch_.lap();
    if (!ahead) draw(step_);
    advance();
    data_ += part_watch_.lap();
  }
  std::vector<TrainingResult> results;
  for (Lane& lane : lanes_) {
    if (lane.active()) lane.stop();
    results.push_back({lane.end(), lane.divergence()});
  }
  return results;
}

}  // namespace

std::vector<TrainingResult> train(Network& network, std::vector<TrainingLane> lanes,
                                  std::int64_t from, const TrainingSettings& settings) {
  Trainer trainer(network, std::move(lanes), settings);
  trainer.start(from);
  return trainer.run();
}

}  // namespace ablate
