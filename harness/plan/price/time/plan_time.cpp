#include "harness/plan/price/time/plan_time.h"

#include <map>
#include <string>

#include "harness/base/posix/cores.h"
#include "harness/plan/price/banks.h"
#include "harness/plan/price/time/speed.h"

namespace ablate::plan {
namespace {

/// The estimated seconds of all trials, if each worker trains one at a time.
double estimate_of(const std::vector<TrialTime>& times, std::size_t workers) {
  std::vector<double> pieces;
  pieces.reserve(times.size());
  for (const TrialTime& time : times) pieces.push_back(time.all());
  return makespan(pieces, workers);
}

/// What of that time goes to measuring; see Plan::measuring.
Json measuring_of(const std::vector<TrialTime>& times, const std::vector<std::size_t>& arm_of,
                  const std::vector<Price>& prices) {
  if (times.empty()) return nullptr;
  std::map<std::string, double> flops;  // by probe
  double all = 0, beside_training = 0, flops_of_probes = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    all += times[i].all();
    beside_training += times[i].measuring;
    for (const auto& [name, own] : prices[arm_of[i]].flops_by_probe) {
      flops[name] += own;
      flops_of_probes += own;
    }
  }
  Json by_probe = Json::object();
  for (const auto& [name, own] : flops)
    if (own > 0) by_probe[name] = own / flops_of_probes;
  return {{"share", all > 0 ? beside_training / all : 0}, {"by_probe", std::move(by_probe)}};
}

}  // namespace

std::vector<TrialTime> trial_times(const std::vector<Trial>& trials, const std::string& device) {
  const Speeds speeds = Speeds::read(speeds_file());
  std::map<std::string, TrialTime> by_arm;
  std::vector<TrialTime> times;
  times.reserve(trials.size());
  for (const Trial& trial : trials) {
    const auto [arm, first] = by_arm.try_emplace(trial.arm);
    if (first) {
      const double measuring = speeds.overhead_seconds({trial}, device);
      arm->second = {speeds.seconds({trial}, device) - measuring, measuring};
    }
    times.push_back(arm->second);
  }
  return times;
}

PlanTime plan_time(const std::vector<Trial>& trials, const std::vector<std::size_t>& arm_of,
                   const std::vector<Price>& prices, std::size_t workers) {
  const std::vector<TrialTime> times = trial_times(trials, "cpu");
  if (workers == 0) workers = usable_cores();
  return {estimate_of(times, workers), workers, measuring_of(times, arm_of, prices)};
}

}  // namespace ablate::plan
