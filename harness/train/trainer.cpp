// The training loop.

#include "harness/train/trainer.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "harness/base/json/parse.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/time/stopwatch.h"
#include "harness/train/checkpoint/bank_store.h"
#include "harness/train/lane/bank_lanes.h"
#include "harness/train/network/device.h"
#include "harness/train/optimizer/adamw.h"
#include "harness/train/step/cuda.h"
#include "harness/train/step/device_step.h"
#include "harness/train/step/host_step.h"
#include "harness/train/step/readings.h"
#include "harness/train/step/time_spent.h"

namespace ablate::train {
namespace {

class Trainer {
 public:
  Trainer(Network& network, std::vector<TrainingLane> lanes, const TrainingSettings& settings);
  void start(std::int64_t from);
  void share_start();
  std::vector<TrainingResult> run();

 private:
  bool make_step();
  bool must_check() const;
  bool must_read() const;
  void read();
  void account(const double* values, double seconds);
  void keep_snapshots();
  void end(std::size_t lane);
  void save(bool stop);
  bool leads() const { return ranks_ == nullptr || ranks_->leads(); }
  void note_missing_checkpoint(const std::exception& error);

  const TrainingSettings& settings_;
  Ranks* const ranks_;  // null: this process alone
  BankLanes bank_;
  FlatParameters parameters_;
  AdamW optimizer_;
  BankStore store_;
  Readings readings_;
  std::unique_ptr<BankStep> bank_step_;
  std::int64_t step_ = 0;  // updates made
  Stopwatch step_watch_, part_watch_;
  double since_checkpoint_ = 0;
  TimeSpent spent_;  // of this attempt
};

/// Between checks that all ranks have the same weights.
constexpr std::int64_t kStepsBetweenChecks = 1000;

bool on_cpu(const TrainingSettings& settings) { return settings.device == "cpu"; }

std::int64_t heads_of(const BankLanes& bank) { return static_cast<std::int64_t>(bank.heads()); }

Trainer::Trainer(Network& network, std::vector<TrainingLane> lanes,
                 const TrainingSettings& settings)
    : settings_(settings),
      ranks_(settings.ranks),
      bank_(std::move(lanes), settings.threads),
      parameters_(network.parameters()),
      optimizer_(parameters_, bank_.adamw_settings(), on_cpu(settings)),
      store_(network, parameters_, optimizer_),
      readings_(heads_of(bank_), bank_.fact_rows(), network.lanes(),
                on_cpu(settings) || ranks_ != nullptr ? 1 : settings.read_every, settings.device) {
  if (static_cast<std::int64_t>(bank_.count()) != network.lanes())
    throw std::logic_error(
        fmt::format("train: {} trials for {} lanes", bank_.count(), network.lanes()));
  StepSettings step = {network,         bank_.heads(), optimizer_,          settings.device,
                       bank_.dropout(), bank_.seeds(), bank_.micro_batch(), bank_.fact_rows(),
                       ranks_,          bank_.loss()};
  bank_step_ = on_cpu(settings) ? host_step(std::move(step))
                                : device_step(std::move(step), recorders(settings.device));
}

void Trainer::start(std::int64_t from) {
  step_ = from;
  if (leads() && from == 0)
    store_.begin(bank_.all());
  else if (leads())
    store_.restore(bank_.all(), from);
  if (ranks_ != nullptr) share_start();
}

/// Gives the other ranks what the first one has read.
void Trainer::share_start() {
  store_.share(*ranks_);
  if (step_ == 0) return;
  Json states = Json::array();
  for (const Lane& lane : bank_.all())
    if (leads()) states.push_back(lane.state());
  states = parse_json(ranks_->shared_text(states.dump()));
  for (std::size_t i = 0; i < bank_.count() && !leads(); ++i) bank_.all()[i].restore(states[i]);
}

/// Makes an update. Returns whether the first of several ranks was asked to stop after it.
bool Trainer::make_step() {
  StepOrder order = bank_.order(step_);
  order.stop = ranks_ != nullptr && settings_.stop && settings_.stop();
  const StepResult result = bank_step_->run(order);
  spent_.model += result.model;
  spent_.update += result.update;
  spent_.exchange += result.exchange;
  for (Lane& lane : bank_.all())
    if (lane.active()) lane.commit();
  readings_.add(result);
  ++step_;
  if (ranks_ != nullptr && must_check()) ranks_->check_alike(parameters_.values());
  return result.stop;
}

/// Whether the ranks compare their weights: after the first step, before weights are kept, and now and then.
bool Trainer::must_check() const {
  return step_ == 1 || step_ % kStepsBetweenChecks == 0 ||
         std::any_of(bank_.all().begin(), bank_.all().end(),
                     [](const Lane& lane) { return lane.active() && lane.spent_phase(); });
}

/// Whether the losses of the steps made must be read before the next step: the buffer is full, a
/// budget in seconds needs their duration, or a lane's weights are to be stored as they are, because
/// it has spent the budget of its phase or is at a snapshot.
bool Trainer::must_read() const {
  const auto due = [](const Lane& lane) {
    return lane.active() && (lane.timed() || lane.spent_phase() || lane.snapshot_due());
  };
  return readings_.full() || std::any_of(bank_.all().begin(), bank_.all().end(), due);
}

/// Reads the losses of all steps made and accounts for them in order, each with an equal part of
/// the time.
void Trainer::read() {
  const std::int64_t count = readings_.count();
  if (count == 0) return;
  const at::Tensor read = readings_.take();  // [count, heads + 1 + facts, lane]
  double seconds = step_watch_.lap();
  if (ranks_ != nullptr && bank_.timed()) seconds = ranks_->shared_number(seconds);
  spent_.all += seconds;
  since_checkpoint_ += seconds;
  const double* values = read.data_ptr<double>();
  for (std::int64_t step = 0; step < count; ++step, values += read.stride(0))
    account(values, seconds / static_cast<double>(count));
  keep_snapshots();
  store_.release_copy();
}

/// Stores the weights of the lanes that are at a snapshot, in no lane's time.
void Trainer::keep_snapshots() {
  bool kept = false;
  for (std::size_t i = 0; i < bank_.count(); ++i) {
    const Lane& lane = bank_.all()[i];
    if (!leads() || !lane.active() || !lane.at_snapshot()) continue;
    store_.keep_snapshot(lane, i);
    kept = true;
  }
  if (kept) step_watch_.lap();
}

/// Accounts for one step of every lane. `values`: losses, norms and facts, [heads + 1 + facts, lane].
void Trainer::account(const double* values, double seconds) {
  const auto heads = static_cast<std::size_t>(heads_of(bank_));
  for (std::size_t i = 0; i < bank_.count(); ++i) {
    Lane& lane = bank_.all()[i];
    if (!lane.active()) continue;
    std::vector<double> totals;
    for (std::size_t head = 0; head < heads; ++head)
      totals.push_back(values[head * bank_.count() + i]);
    const std::optional<double> loss =
        lane.account(totals, values[heads * bank_.count() + i], seconds,
                     bank_.facts(values + (heads + 1) * bank_.count(), i));
    if (settings_.progress)
      settings_.progress({lane.given().trial, lane.steps_spent(), lane.steps(), lane.progress(),
                          loss, static_cast<double>(lane.step_text_tokens()) / seconds});
    if (!leads()) continue;
    if (const auto phase = lane.ended_phase(); phase && lane.active())
      store_.keep_phase(lane, i, *phase);
    if (!lane.active()) end(i);
  }
}

void Trainer::end(std::size_t index) {
  const Lane& lane = bank_.all()[index];
  Json ledger = lane.ledger();
  ledger["peak_memory_bytes"] = peak_memory();
  ledger["lanes"] = bank_.count();
  ledger["device"] = settings_.device;
  if (ranks_ != nullptr) ledger["ranks"] = ranks_->size();
  if (const std::int64_t peak = device_memory(settings_.device).peak; peak > 0)
    ledger["peak_device_memory_bytes"] = peak;
  ledger["time_shares"] = spent_.fractions();
  if (const std::string failure = bank_step_->failure(); !failure.empty())
    ledger["recording_failure"] = failure;
  lane.given().journal->write("ledger", ledger);
  if (lane.end() == LaneEnd::completed) store_.keep_final(lane, index, step_);
  if (settings_.ended) settings_.ended(index, {lane.end(), lane.message()});
}

/// Writes a checkpoint of all lanes. Where the disk does not take one, training goes on, and the
/// end of the next period tries again; but a run that is to stop has nothing else to go on from.
void Trainer::save(bool stop) {
  read();
  since_checkpoint_ = 0;
  try {
    store_.save(bank_.all(), step_);
  } catch (const std::exception& error) {
    if (stop || !is_machine_fault(error)) throw;
    note_missing_checkpoint(error);
  }
  step_watch_.lap();
}

/// Tells the log, and the journals that can be written.
void Trainer::note_missing_checkpoint(const std::exception& error) {
  const std::string message = fmt::format(
      "no checkpoint after step {}: {}; training continues, and the next one is tried in {:g} "
      "seconds",
      step_, error.what(), settings_.checkpoint_seconds);
  if (settings_.note) settings_.note(message);
  for (const Lane& lane : bank_.all()) {
    if (!lane.active()) continue;
    try {
      lane.given().journal->write("note", {{"message", message}});
    } catch (const std::exception& unwritten) {
      if (!is_machine_fault(unwritten)) throw;
    }
  }
}

std::vector<TrainingResult> Trainer::run() {
  // The next batches are drawn while a device computes; on the CPU that gains nothing.
  const bool ahead = !on_cpu(settings_);
  step_watch_.lap();
  bank_.draw(step_);
  bank_.advance();
  while (bank_.any_active()) {
    bool stop = make_step();
    part_watch_.lap();
    if (ahead) bank_.draw(step_);
    spent_.data += part_watch_.lap();
    if (must_read()) read();
    if (ranks_ == nullptr) stop = settings_.stop && settings_.stop();
    if (leads() && (stop || since_checkpoint_ >= settings_.checkpoint_seconds)) save(stop);
    if (stop) break;
    part_watch_.lap();
    if (!ahead) bank_.draw(step_);
    bank_.advance();
    spent_.data += part_watch_.lap();
  }
  if (const std::string failure = bank_step_->failure(); !failure.empty() && settings_.note)
    settings_.note("steps are queued one by one, because recording a step failed: " + failure);
  std::vector<TrainingResult> results;
  for (Lane& lane : bank_.all()) {
    if (lane.active()) lane.stop();
    results.push_back({lane.end(), lane.message()});
  }
  return results;
}

}  // namespace

std::vector<TrainingResult> train(Network& network, std::vector<TrainingLane> lanes,
                                  std::int64_t from, const TrainingSettings& settings) {
  const WorkStream stream(settings.device);
  reset_peak(settings.device);
  Trainer trainer(network, std::move(lanes), settings);
  trainer.start(from);
  return trainer.run();
}

}  // namespace ablate::train
