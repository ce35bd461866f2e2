#include "harness/nightly/judge/benchmarks.h"

#include <fmt/ranges.h>

#include "harness/nightly/judge/speed.h"

namespace ablate::nightly {
namespace {

constexpr const char* kUnit = "s";

Repetitions repetitions_of(const std::map<std::string, Repetitions>& by_program,
                           const std::string& program) {
  const auto found = by_program.find(program);
  return found == by_program.end() ? Repetitions() : found->second;
}

// Why two sets of repetitions are not to be compared; empty where they are.
std::string apart(const Repetitions& baseline, const Repetitions& now) {
  std::set<std::string> machines = baseline.machines, units = baseline.units;
  machines.insert(now.machines.begin(), now.machines.end());
  units.insert(now.units.begin(), now.units.end());
  if (machines.size() > 1)
    return fmt::format("measured on several machines ({})", fmt::join(machines, ", "));
  if (!units.empty() && units != std::set<std::string>{kUnit})
    return fmt::format("measured in {}, where seconds are wanted", fmt::join(units, " and "));
  return {};
}

}  // namespace

Finding judge_series(const std::string& series, const Times& times,
                     const std::map<std::string, double>& usual) {
  const auto& by_program = times.at(series);
  const Repetitions baseline = repetitions_of(by_program, "baseline"),
                    now = repetitions_of(by_program, "now");
  if (std::string why = apart(baseline, now); !why.empty())
    return {series, Kind::speed, Verdict::no_data, std::move(why)};
  SpeedRule rule;
  if (const auto found = usual.find(series); found != usual.end()) rule.usual = found->second;
  return judge_speed(series, baseline.values, now.values, rule);
}

std::vector<Finding> judge_benchmarks(const TimedNight& night) {
  std::vector<Finding> findings;
  for (const auto& [series, by_program] : night.first) {
    if (!by_program.contains("baseline") && !night.failures.contains("baseline")) {
      findings.push_back({series, Kind::speed, Verdict::changed,
                          "a new benchmark; it is compared from the next pin on"});
      continue;
    }
    Finding first = judge_series(series, night.first, night.usual);
    if (night.second.contains(series)) {
      const Finding second = judge_series(series, night.second, night.usual);
      findings.push_back(confirmed(std::move(first), &second));
    } else {
      findings.push_back(confirmed(std::move(first), nullptr));
    }
  }
  for (const auto& [program, words] : night.failures)
    findings.push_back({"benchmarks/" + program, Kind::speed, Verdict::no_data, words});
  if (night.first.empty() && night.failures.empty())
    findings.push_back({"benchmarks", Kind::speed, Verdict::no_data, "none was timed"});
  return findings;
}

}  // namespace ablate::nightly
