#include "harness/plan/price/speed.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/data/prepare.h"
#include "harness/plan/resolve/identity.h"

namespace ablate::plan {
namespace {

constexpr double kAssumedSpeed = 5e10;  // FLOPs a second of one core on models of width 64
constexpr double kAssumedBeside = 3;    // seconds a trial
constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxKinds = 400;  // in a file: about 300 bytes each
constexpr double kMaxSeconds = 1e12;

/// "cuda" of "cuda:1": devices of a machine are taken to be alike.
std::string kind_of_device(const std::string& device) { return device.substr(0, device.find(':')); }

/// What decides the speed of trials that are trained as one model.
std::string key_of(const std::vector<Trial>& trials, const std::string& device) {
  Json probes = Json::array();
  for (Json probe : trials.front().probes) {
    probe.erase("id");
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

/// Of a budget in seconds; 0 for any other.
double budget_seconds(const Trial& trial) {
  return trial.config.at("train").value("budget", Json::object()).value("seconds", 0.0);
}

double quantity(const Json& json, const char* name) {
  const double value = json.at(name).get<double>();
  if (!std::isfinite(value) || value < 0) fail("speeds: ", name, " is not a quantity");
  return value;
}

double positive(const Json& json, const char* name) {
  const double value = quantity(json, name);
  if (value == 0) fail("speeds: ", name, " is 0");
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
      speeds.turn_ = std::max(speeds.turn_, speeds.kinds_[key].turn);
    }
    return speeds;
  } catch (const std::exception&) {
    return {};  // never measured here, or not by us: the assumption stands
  }
}

void Speeds::write(const std::filesystem::path& file) const {
  std::vector<double> turns;
  for (const auto& [key, kind] : kinds_) turns.push_back(kind.turn);
  std::sort(turns.begin(), turns.end(), std::greater<>());
  const double oldest = turns.size() > kMaxKinds ? turns[kMaxKinds - 1] : 0;
  Json stored = Json::object();
  for (const auto& [key, kind] : kinds_) {
    if (kind.turn < oldest) continue;
    stored[key] = {{"flops", kind.flops},
                   {"training_seconds", kind.training},
                   {"beside_seconds", kind.beside},
                   {"trials", kind.trials},
                   {"size", kind.size},
                   {"device", kind.device},
                   {"turn", kind.turn}};
  }
  std::filesystem::create_directories(file.parent_path());
  write_file(file, canonical(stored) + "\n");
}

void Speeds::observe(const Timing& timing) {
  if (timing.trials.empty() || !(timing.training > 0)) return;
  Kind& kind = kinds_[key_of(timing.trials, timing.device)];
  kind.flops += flops_of(timing.trials);
  kind.training += timing.training;
  kind.beside += std::max(timing.beside, 0.0);
  kind.trials += static_cast<double>(timing.trials.size());
  kind.size = size_of(timing.trials);
  kind.device = kind_of_device(timing.device);
  kind.turn = ++turn_;
}

void Speeds::renew(const Speeds& other) {
  for (const auto& [key, kind] : other.kinds_) {
    kinds_[key] = kind;
    kinds_[key].turn += turn_;
  }
  turn_ += other.turn_;
}

const Speeds::Kind* Speeds::closest_match(const std::string& device, double size) const {
  const Kind* best = nullptr;
  const auto distance = [&](const Kind& kind) { return std::abs(std::log(kind.size / size)); };
  for (const auto& [key, kind] : kinds_) {
    if (kind.device != device || !(kind.flops > 0) || !(kind.size > 0)) continue;
    if (best == nullptr || distance(kind) < distance(*best)) best = &kind;
  }
  return best;
}

/// What is known of such trials; null where nothing is.
const Speeds::Kind* Speeds::kind_for(const std::vector<Trial>& trials,
                                     const std::string& device) const {
  const auto same = kinds_.find(key_of(trials, device));
  const Kind* const kind =
      same != kinds_.end() ? &same->second : closest_match(kind_of_device(device), size_of(trials));
  return kind != nullptr && kind->training > 0 && kind->trials > 0 ? kind : nullptr;
}

double Speeds::seconds(const std::vector<Trial>& trials, const std::string& device) const {
  const Kind* const kind = kind_for(trials, device);
  const double speed =
      kind != nullptr && kind->flops > 0 ? kind->flops / kind->training : kAssumedSpeed;
  const double budget = budget_seconds(trials.front());
  const double training = budget > 0 ? budget : flops_of(trials) / speed;
  return std::min(training + seconds_beside(trials, device), kMaxSeconds);
}

double Speeds::seconds_beside(const std::vector<Trial>& trials, const std::string& device) const {
  const Kind* const kind = kind_for(trials, device);
  const double beside = kind != nullptr ? kind->beside / kind->trials : kAssumedBeside;
  return std::min(beside * static_cast<double>(trials.size()), kMaxSeconds);
}

std::filesystem::path speeds_file() { return data::cache_folder() / "speeds.json"; }

double makespan(const std::vector<double>& pieces, std::size_t workers) {
  std::vector<double> ends(std::max<std::size_t>(workers, 1), 0.0);
  for (const double piece : pieces) *std::min_element(ends.begin(), ends.end()) += piece;
  return *std::max_element(ends.begin(), ends.end());
}

}  // namespace ablate::plan
