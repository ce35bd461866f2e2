// Keeps measured speeds in a file and estimates times from them.

#include "harness/plan/price/speed.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/data/prepare.h"
#include "harness/plan/resolve/versions.h"
#include "harness/plan/trial/phase.h"
#include "harness/plan/trial/step_kind.h"

namespace ablate::plan {
namespace {

constexpr double kAssumedSpeed = 5e10;  // FLOPs per second of one core on models of width 64
constexpr double kAssumedOverhead = 3;  // seconds per trial
constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxKinds = 400;  // in a file: about 300 bytes each
constexpr double kMaxSeconds = 1e12;

/// "cuda" for "cuda:1": the GPUs of a machine are taken to be equally fast.
std::string kind_of_device(const std::string& device) { return device.substr(0, device.find(':')); }

/// A hash of everything that decides the speed of trials that are trained as one model.
std::string key_of(const std::vector<Trial>& trials, const std::string& device) {
  Json probes = Json::array();
  for (Json probe : trials.front().probes) {
    probe.erase("id");
    if (probe.contains("at"))
      for (Json& point : probe["at"]) point.erase("id");
    probes.push_back(std::move(probe));
  }
  Json key = step_kind(trials.front().config);
  key.update({{"device", kind_of_device(device)},
              {"lanes", trials.size()},
              {"probes", std::move(probes)}});
  return id_of(key);
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

/// How often a probe measures the trial, on average: 1 where none does on the way.
double measurements_per_probe(const Trial& trial) {
  if (trial.probes.empty()) return 1;
  std::size_t points = 0;
  for (const Json& probe : trial.probes) points += probe.value("at", Json::array()).size();
  return 1 + static_cast<double>(points) / static_cast<double>(trial.probes.size());
}

double quantity(const Json& json, const char* name) {
  const double value = json.at(name).get<double>();
  if (!std::isfinite(value) || value < 0)
    fail("speeds: {} is not a finite number of at least 0", name);
  return value;
}

double positive(const Json& json, const char* name) {
  const double value = quantity(json, name);
  if (value == 0) fail("speeds: {} is 0", name);
  return value;
}

}  // namespace

Speeds Speeds::read(const std::filesystem::path& file) {
  Speeds speeds;
  try {
    const Json stored = Json::parse(read_file(file, kMaxBytes));
    for (const auto& [key, json] : stored.items()) {
      speeds.kinds_[key] = {quantity(json, "flops"),
                            positive(json, "training_seconds"),
                            quantity(json, "beside_seconds"),
                            positive(json, "trials"),
                            positive(json, "size"),
                            json.at("device").get<std::string>(),
                            quantity(json, "turn")};
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
    if (kind.order < oldest) continue;
    stored[key] = {{"flops", kind.flops},
                   {"training_seconds", kind.training},
                   {"beside_seconds", kind.overhead},
                   {"trials", kind.trials},
                   {"size", kind.size},
                   {"device", kind.device},
                   {"turn", kind.order}};
  }
  std::filesystem::create_directories(file.parent_path());
  write_file(file, canonical(stored) + "\n");
}

void Speeds::observe(const Timing& timing) {
  if (timing.trials.empty() || !(timing.training > 0)) return;
  Kind& kind = kinds_[key_of(timing.trials, timing.device)];
  kind.flops += flops_of(timing.trials);
  kind.training += timing.training;
  kind.overhead += std::max(timing.overhead, 0.0);
  kind.trials += static_cast<double>(timing.trials.size());
  kind.size = size_of(timing.trials);
  kind.device = kind_of_device(timing.device);
  kind.order = ++order_;
}

void Speeds::renew(const Speeds& other) {
  for (const auto& [key, kind] : other.kinds_) {
    kinds_[key] = kind;
    kinds_[key].order += order_;
  }
  order_ += other.order_;
}

const Speeds::Kind* Speeds::closest_kind(const std::string& device, double size) const {
  const Kind* best = nullptr;
  const auto distance = [&](const Kind& kind) { return std::abs(std::log(kind.size / size)); };
  for (const auto& [key, kind] : kinds_) {
    if (kind.device != device || !(kind.flops > 0) || !(kind.size > 0)) continue;
    if (best == nullptr || distance(kind) < distance(*best)) best = &kind;
  }
  return best;
}

const Speeds::Kind* Speeds::kind_for(const std::vector<Trial>& trials,
                                     const std::string& device) const {
  const auto same = kinds_.find(key_of(trials, device));
  const Kind* const kind =
      same != kinds_.end() ? &same->second : closest_kind(kind_of_device(device), size_of(trials));
  return kind != nullptr && kind->training > 0 && kind->trials > 0 ? kind : nullptr;
}

double Speeds::seconds(const std::vector<Trial>& trials, const std::string& device) const {
  const Kind* const kind = kind_for(trials, device);
  const double speed =
      kind != nullptr && kind->flops > 0 ? kind->flops / kind->training : kAssumedSpeed;
  const double budget = budget_seconds(trials.front());
  const double training = budget > 0 ? budget : flops_of(trials) / speed;
  return std::min(training + overhead_seconds(trials, device), kMaxSeconds);
}

double Speeds::overhead_seconds(const std::vector<Trial>& trials, const std::string& device) const {
  const Kind* const kind = kind_for(trials, device);
  double overhead = kind != nullptr ? kind->overhead / kind->trials : kAssumedOverhead;
  // What was observed of the same kind has the probes on the way in it.
  if (!kinds_.contains(key_of(trials, device))) overhead *= measurements_per_probe(trials.front());
  return std::min(overhead * static_cast<double>(trials.size()), kMaxSeconds);
}

std::filesystem::path speeds_file() { return data::cache_folder() / "speeds.json"; }

double makespan(const std::vector<double>& pieces, std::size_t workers) {
  std::vector<double> ends(std::max<std::size_t>(workers, 1), 0.0);
  for (const double piece : pieces) *std::min_element(ends.begin(), ends.end()) += piece;
  return *std::max_element(ends.begin(), ends.end());
}

}  // namespace ablate::plan
