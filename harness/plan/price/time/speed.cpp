// Keeps measured speeds in a file and estimates times from them.

#include "harness/plan/price/time/speed.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/data/prepare.h"
#include "harness/plan/resolve/versions.h"
#include "harness/plan/trial/phase.h"
#include "harness/plan/trial/step_kind.h"

namespace ablate::plan {
namespace {

/// FLOPs per second of one core on models of width 64, where nothing was measured: as seen on an AMD
/// EPYC. bfloat16 is multiplied on processors alone that have instructions for it.
double assumed_speed(const Trial& trial) {
  const bool bfloat16 = trial.config.at("train").at("precision") == "bfloat16";
  return bfloat16 ? 2e11 : 5e10;
}

// What measuring takes, where it was not timed. Probes run in float32, in small batches, and do more than
// multiply: they reach about half of the speed of training.
constexpr double kAssumedMeasuring = 2.5e10;   // FLOPs per second
constexpr double kAssumedOfMeasurement = 0.1;  // seconds of each, beside its FLOPs

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxKinds = 400;  // in a file: 400 to 1,100 bytes each
constexpr double kMaxSeconds = 1e12;

/// "cuda" for "cuda:1": the GPUs of a machine are taken to be equally fast.
std::string kind_of_device(const std::string& device) { return device.substr(0, device.find(':')); }

/// A hash of what decides the speed of a step of trials that are trained as one model.
std::string step_of(const std::vector<Trial>& trials, const std::string& device) {
  Json step = step_kind(trials.front().config);
  step.update({{"device", kind_of_device(device)}, {"lanes", trials.size()}});
  return id_of(step);
}

/// A hash of what decides the time of the probes of one model.
std::string probes_of(const std::vector<Trial>& trials) {
  return id_of(trials.front().probes.settings());
}

double flops_of(const std::vector<Trial>& trials) {
  double sum = 0;
  for (const Trial& trial : trials) sum += trial.flops;
  return sum;
}

double size_of(const std::vector<Trial>& trials) {
  const auto steps = static_cast<double>(std::max<std::int64_t>(trials.front().steps, 1));
  return std::max(flops_of(trials) / steps, 1.0);
}

/// The budget in seconds; 0 if the budget is in another unit.
double budget_seconds(const Trial& trial) { return budget_of(trial.config.at("train")).seconds(); }

/// How often the trial is measured: by each probe at the end, and on the way. At least 1.
double measurements_of(const Trial& trial) {
  return static_cast<double>(std::max<std::size_t>(trial.probes.ids().size(), 1));
}

/// The seconds that everything except training is taken to need where nothing was timed.
double assumed_overhead(const Trial& trial) {
  return kAssumedOfMeasurement * measurements_of(trial) + trial.measuring_flops / kAssumedMeasuring;
}

}  // namespace

Speeds Speeds::read(const std::filesystem::path& file) {
  Speeds speeds;
  try {
    const Json stored = parse_json(read_file(file, kMaxBytes));
    for (const auto& [key, json] : stored.items()) {
      speeds.kinds_[key] = timed_kind_from_json(json);
      speeds.order_ = std::max(speeds.order_, speeds.kinds_[key].order);
    }
    return speeds;
  } catch (const std::exception&) {
    return {};  // no file, or damaged: estimates use the assumed speed
  }
}

void Speeds::write(const std::filesystem::path& file) const {
  std::vector<double> orders;
  for (const auto& [key, kind] : kinds_) orders.push_back(kind.order);
  std::sort(orders.begin(), orders.end(), std::greater<>());
  const double oldest = orders.size() > kMaxKinds ? orders[kMaxKinds - 1] : 0;
  Json stored = Json::object();
  for (const auto& [key, kind] : kinds_) {
    if (kind.order >= oldest) stored[key] = to_json(kind);
  }
  std::filesystem::create_directories(file.parent_path());
  write_file(file, canonical(stored) + "\n");
}

void Speeds::observe(const Timing& timing) {
  if (timing.trials.empty() || !(timing.training > 0)) return;
  const std::string step = step_of(timing.trials, timing.device), probes = probes_of(timing.trials);
  const auto trials = static_cast<double>(timing.trials.size());
  TimedKind& kind = kinds_[step + probes];
  kind.step = step;
  kind.probes = probes;
  kind.runs.push_back({.flops = flops_of(timing.trials),
                       .training = timing.training,
                       .overhead = std::max(timing.overhead, 0.0),
                       .trials = trials,
                       .assumed_overhead = trials * assumed_overhead(timing.trials.front()),
                       .date = timing.date,
                       .load = timing.load});
  kind.size = size_of(timing.trials);
  kind.device = kind_of_device(timing.device);
  kind.order = ++order_;
}

void Speeds::add_run(const Speeds& run) {
  for (const auto& [key, kind] : run.kinds_) {
    TimedKind& known = kinds_[key];
    std::vector<TimedRun> runs = std::move(known.runs);
    known = kind;
    known.runs = std::move(runs);
    known.add(kind.typical());
    known.order += order_;
  }
  order_ += run.order_;
}

const TimedKind* Speeds::closest_kind(const std::vector<Trial>& trials, const std::string& device,
                                      std::string TimedKind::*part) const {
  const std::string step = step_of(trials, device), probes = probes_of(trials);
  const std::string& wanted = part == &TimedKind::step ? step : probes;
  const double size = size_of(trials);
  const auto rank = [&](const TimedKind& kind) {  // the lowest is the closest
    const bool same = kind.step == step && kind.probes == probes;
    return std::tuple(!same, kind.*part != wanted, std::abs(std::log(kind.size / size)));
  };
  const TimedKind* best = nullptr;
  for (const auto& [key, kind] : kinds_) {
    if (kind.device != kind_of_device(device)) continue;
    if (part == &TimedKind::step && !kind.knows_speed()) continue;  // says nothing of its speed
    if (best == nullptr || rank(kind) < rank(*best)) best = &kind;
  }
  return best;
}

double Speeds::seconds(const std::vector<Trial>& trials, const std::string& device) const {
  const TimedKind* const kind = closest_kind(trials, device, &TimedKind::step);
  const double per_flop =
      kind != nullptr ? kind->seconds_per_flop() : 1 / assumed_speed(trials.front());
  const double budget = budget_seconds(trials.front());
  const double training = budget > 0 ? budget : flops_of(trials) * per_flop;
  return std::min(training + overhead_seconds(trials, device), kMaxSeconds);
}

double Speeds::overhead_seconds(const std::vector<Trial>& trials, const std::string& device) const {
  const TimedKind* const kind = closest_kind(trials, device, &TimedKind::probes);
  double a_trial = assumed_overhead(trials.front());
  if (kind != nullptr) a_trial *= kind->overhead_factor();
  return std::min(a_trial * static_cast<double>(trials.size()), kMaxSeconds);
}

Timed Speeds::timed(const std::vector<Trial>& trials, const std::string& device) const {
  const TimedKind* const kind = closest_kind(trials, device, &TimedKind::step);
  Timed timed;
  if (kind == nullptr) return timed;
  timed.known = true;
  for (const TimedRun& run : kind->runs) {
    if (run.date.empty()) continue;
    timed.first = timed.first.empty() ? run.date : std::min(timed.first, run.date);
    timed.last = std::max(timed.last, run.date);
  }
  timed.load = kind->typical().load;
  return timed;
}

std::filesystem::path speeds_file() { return data::cache_folder() / "speeds.json"; }

double makespan(const std::vector<double>& pieces, std::size_t workers) {
  std::vector<double> ends(std::max<std::size_t>(workers, 1), 0.0);
  for (const double piece : pieces) *std::min_element(ends.begin(), ends.end()) += piece;
  return *std::max_element(ends.begin(), ends.end());
}

}  // namespace ablate::plan
