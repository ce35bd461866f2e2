// The training loop.

#include "harness/train/trainer.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <memory>

#include "harness/train/adamw.h"
#include "harness/train/bank_step.h"
#include "harness/train/checkpoints.h"
#include "harness/train/cuda.h"
#include "harness/train/device.h"
#include "harness/train/readings.h"
#include "harness/train/stopwatch.h"

namespace ablate {
namespace {

class Trainer {
 public:
  Trainer(Network& network, std::vector<TrainingLane> lanes, const TrainingSettings& settings);
  void start(std::int64_t from);
  std::vector<TrainingResult> run();

 private:
  void begin();
  TrialFiles files(const Lane& lane) const;
  bool any_active() const;
  void draw(std::int64_t step);
  void advance();
  StepOrder order() const;
  void make_step();
  bool must_read() const;
  void read();
  void account(const double* values, double seconds);
  void end(std::size_t lane);
  void save();

  Network& network_;
  const TrainingSettings& settings_;
  std::vector<Lane> lanes_;
  FlatParameters parameters_;
  AdamW optimizer_;
  Readings readings_;
  std::unique_ptr<BankStep> bank_step_;
  std::int64_t step_ = 0;  // updates made
  std::vector<Batch> batches_;
  Stopwatch step_watch_, part_watch_;
  double since_checkpoint_ = 0;
  TimeSpent spent_;  // of this attempt
};

bool on_cpu(const TrainingSettings& settings) { return settings.device == "cpu"; }

std::vector<AdamWSettings> adamw_settings(const std::vector<Lane>& lanes) {
  std::vector<AdamWSettings> all;
  for (const Lane& lane : lanes) all.push_back(adamw_settings_of(lane.train()));
  return all;
}

std::int64_t heads_of(const std::vector<Lane>& lanes) {
  return static_cast<std::int64_t>(lanes.at(0).given().heads.size());
}

std::vector<std::uint64_t> seeds_of(const std::vector<Lane>& lanes) {
  std::vector<std::uint64_t> all;
  for (const Lane& lane : lanes) all.push_back(lane.seed());
  return all;
}

Trainer::Trainer(Network& network, std::vector<TrainingLane> lanes,
                 const TrainingSettings& settings)
    : network_(network),
      settings_(settings),
      lanes_(std::make_move_iterator(lanes.begin()), std::make_move_iterator(lanes.end())),
      parameters_(network),
      optimizer_(parameters_, adamw_settings(lanes_), on_cpu(settings)),
      readings_(heads_of(lanes_), network.lanes(), on_cpu(settings) ? 1 : settings.read_every,
                settings.device),
      batches_(lanes_.size()) {
  if (static_cast<std::int64_t>(lanes_.size()) != network.lanes())
    throw std::logic_error(
        join("train: ", lanes_.size(), " trials for ", network.lanes(), " lanes"));
  for (const Lane& lane : lanes_)
    if (lane.given().heads.size() != lanes_[0].given().heads.size())
      reject("train: the trials of a bank have different heads; train them apart");
    else if (lane.train().number("dropout") != lanes_[0].train().number("dropout"))
      reject("train: the trials of a bank have different dropout; train them apart");
  StepSettings step = {network,
                       lanes_[0].given().heads,
                       optimizer_,
                       settings.device,
                       lanes_[0].train().number("dropout"),
                       seeds_of(lanes_)};
  bank_step_ = on_cpu(settings) ? host_step(std::move(step))
                                : device_step(std::move(step), graph_recorder(settings.device));
}

TrialFiles Trainer::files(const Lane& lane) const {
  return {lane.given().trial->id, lane.given().folder, *lane.given().journal};
}

bool Trainer::any_active() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.active(); });
}

void Trainer::start(std::int64_t from) {
  step_ = from;
  if (from == 0) return begin();
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

/// Initial weights, or those that a lane starts from.
void Trainer::begin() {
  initialise(network_, seeds_of(lanes_));
  const BankState bank = host_copy(parameters_, optimizer_);
  bool started = false;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const std::filesystem::path& start = lanes_[lane].given().start;
    if (start.empty()) continue;
    load_start(start, parameters_, bank.values, static_cast<std::int64_t>(lane));
    started = true;
  }
  if (!started) return;
  const c10::NoGradGuard no_gradient;
  parameters_.values().copy_(bank.values);
  network_.parameters_changed();
}

void Trainer::draw(std::int64_t step) {
  const auto count = static_cast<std::int64_t>(lanes_.size());
  at::parallel_for(0, count, 1, [this, step](std::int64_t begin, std::int64_t end) {
    for (auto lane = begin; lane < end; ++lane) lanes_[static_cast<std::size_t>(lane)].draw(step);
  });
}

/// A lane that has ended is not updated, so that it may read anything; where the others' rows have
/// become others since, it reads theirs.
void Trainer::advance() {
  const Batch* going_on = nullptr;
  for (Lane& lane : lanes_) {
    lane.advance();
    if (lane.active() && going_on == nullptr) going_on = &lane.batch();
  }
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const Batch& own = lanes_[lane].batch();
    const bool fits = going_on == nullptr ||
                      (own.time == going_on->time && own.source.time == going_on->source.time);
    batches_[lane] = fits ? own : *going_on;
  }
}

/// The present step: gradients of the lanes' losses, each the sum over heads of coefficient * total
/// / weight, and rates of the lanes that go on.
StepOrder Trainer::order() const {
  StepOrder order = {step_, batches_, {}, {}};
  const std::vector<HeadNeed>& heads = lanes_[0].given().heads;
  for (std::size_t head = 0; head < heads.size(); ++head)
    for (const Lane& lane : lanes_) {
      const double weight = lane.active() ? lane.weight(head) : 0;
      order.shares.push_back(weight > 0 ? static_cast<float>(heads[head].coefficient / weight) : 0);
    }
  for (const Lane& lane : lanes_) order.rates.push_back(lane.active() ? lane.rate() : -1);
  return order;
}

void Trainer::make_step() {
  const StepResult result = bank_step_->run(order());
  spent_.model += result.model;
  spent_.update += result.update;
  for (Lane& lane : lanes_)
    if (lane.active()) lane.commit();
  readings_.add(result.losses, result.norms);
  ++step_;
}

/// Whether the steps that were made must be read before another is: their losses fill the buffer,
/// a budget of time needs to know how long they took, or a lane has spent that of its phase, whose
/// weights are kept.
bool Trainer::must_read() const {
  const auto due = [](const Lane& lane) {
    return lane.active() && (lane.timed() || lane.spent_phase());
  };
  return readings_.full() || std::any_of(lanes_.begin(), lanes_.end(), due);
}

/// Accounts for all steps that were made, in order, each by an equal part of the time.
void Trainer::read() {
  const std::int64_t count = readings_.count();
  if (count == 0) return;
  const at::Tensor read = readings_.take();  // [count, heads + 1, lane]
  const double seconds = step_watch_.lap();
  spent_.all += seconds;
  since_checkpoint_ += seconds;
  const double* values = read.data_ptr<double>();
  for (std::int64_t step = 0; step < count; ++step, values += read.stride(0))
    account(values, seconds / static_cast<double>(count));
}

/// `values`: losses and norms, [heads + 1, lane].
void Trainer::account(const double* values, double seconds) {
  const auto heads = static_cast<std::size_t>(heads_of(lanes_));
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    if (!lane.active()) continue;
    std::vector<double> totals;
    for (std::size_t head = 0; head < heads; ++head)
      totals.push_back(values[head * lanes_.size() + i]);
    const double loss = lane.account(totals, values[heads * lanes_.size() + i], seconds);
    if (settings_.progress)
      settings_.progress({lane.given().trial, lane.steps_spent(), lane.steps(), lane.share(), loss,
                          static_cast<double>(lane.step_text_tokens()) / seconds});
    if (const auto phase = lane.ended_phase(); phase && lane.active())
      save_phase(files(lane), parameters_, parameters_.values().cpu(), static_cast<std::int64_t>(i),
                 *phase, lane.steps_spent(), lane.given().trial->config);
    if (!lane.active()) end(i);
  }
}

void Trainer::end(std::size_t index) {
  const Lane& lane = lanes_[index];
  Json ledger = lane.ledger();
  ledger["peak_memory_bytes"] = peak_memory();
  ledger["lanes"] = lanes_.size();
  ledger["device"] = settings_.device;
  if (const std::int64_t peak = device_memory(settings_.device).peak; peak > 0)
    ledger["peak_device_memory_bytes"] = peak;
  ledger["time_shares"] = spent_.shares();
  lane.given().journal->write("ledger", ledger);
  if (lane.end() == LaneEnd::completed)
    save_weights(files(lane), parameters_, parameters_.values().cpu(),
                 static_cast<std::int64_t>(index), step_, lane.given().trial->config);
  if (settings_.ended) settings_.ended(index, {lane.end(), lane.message()});
}

void Trainer::save() {
  read();
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
  const bool ahead = !on_cpu(settings_);
  step_watch_.lap();
  draw(step_);
  advance();
  while (any_active()) {
    make_step();
    part_watch_.lap();
    if (ahead) draw(step_);
    spent_.data += part_watch_.lap();
    if (must_read()) read();
    const bool stop = settings_.stop && settings_.stop();
    if (stop || since_checkpoint_ >= settings_.checkpoint_seconds) save();
    if (stop) break;
    part_watch_.lap();
    if (!ahead) draw(step_);
    advance();
    spent_.data += part_watch_.lap();
  }
  if (const std::string failure = bank_step_->failure(); !failure.empty() && settings_.note)
    settings_.note("each step was told to the device anew, as recording one failed: " + failure);
  std::vector<TrainingResult> results;
  for (Lane& lane : lanes_) {
    if (lane.active()) lane.stop();
    results.push_back({lane.end(), lane.message()});
  }
  return results;
}

}  // namespace

std::vector<TrainingResult> train(Network& network, std::vector<TrainingLane> lanes,
                                  std::int64_t from, const TrainingSettings& settings) {
  const WorkStream stream(settings.device);
  forget_peak(settings.device);
  Trainer trainer(network, std::move(lanes), settings);
  trainer.start(from);
  return trainer.run();
}

}  // namespace ablate
