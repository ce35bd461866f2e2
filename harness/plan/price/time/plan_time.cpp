#include "harness/plan/price/time/plan_time.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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

std::optional<Measuring> measuring_of(const std::vector<TrialTime>& times,
                                      const std::vector<std::size_t>& arm_of,
                                      const std::vector<Price>& prices) {
  if (times.empty()) return std::nullopt;
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
  Measuring measuring{.fraction = all > 0 ? beside_training / all : 0, .by_probe = {}};
  for (const auto& [name, own] : flops)
    if (own > 0) measuring.by_probe[name] = own / flops_of_probes;
  return measuring;
}

/// What an estimate rests on: "from trials timed 2026-11-20 to 2026-11-27".
std::string basis_of(const Timed& timed) {
  constexpr std::size_t kDay = 10;      // characters
  constexpr double kNoticeable = 1.25;  // load
  if (!timed.known) return "at an assumed speed, because nothing similar was timed here";
  if (timed.last.empty()) return "from trials that an older version timed by the wall clock";
  const std::string first = timed.first.substr(0, kDay), last = timed.last.substr(0, kDay);
  std::string text = "from trials timed " + (first == last ? last : first + " to " + last);
  if (timed.load > kNoticeable)
    text += fmt::format(", which got {:.0f} % of a core each", 100 / timed.load);
  return text;
}

/// When what the estimates of all trials rest on was timed.
Timed timed_of(const std::vector<Trial>& trials, const Speeds& speeds) {
  std::set<std::string> arms;
  Timed all{.known = !trials.empty()};
  for (const Trial& trial : trials) {
    if (!arms.insert(trial.arm).second) continue;
    const Timed timed = speeds.timed({trial}, "cpu");
    all.known = all.known && timed.known;
    if (all.first.empty() || (!timed.first.empty() && timed.first < all.first))
      all.first = timed.first;
    all.last = std::max(all.last, timed.last);
    all.load = std::max(all.load, timed.load);
  }
  return all;
}

std::vector<TrialTime> times_by(const Speeds& speeds, const std::vector<Trial>& trials,
                                const std::string& device) {
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

}  // namespace

std::vector<TrialTime> trial_times(const std::vector<Trial>& trials, const std::string& device) {
  return times_by(Speeds::read(speeds_file()), trials, device);
}

void estimate_time(const std::vector<std::size_t>& arm_of, const std::vector<Price>& prices,
                   std::size_t workers, Plan& plan) {
  const Speeds speeds = Speeds::read(speeds_file());
  const std::vector<TrialTime> times = times_by(speeds, plan.trials, "cpu");
  plan.estimate_workers = workers > 0 ? workers : usable_cores();
  plan.estimate_seconds = estimate_of(times, plan.estimate_workers);
  plan.estimate_basis = basis_of(timed_of(plan.trials, speeds));
  plan.measuring = measuring_of(times, arm_of, prices);
}

}  // namespace ablate::plan
