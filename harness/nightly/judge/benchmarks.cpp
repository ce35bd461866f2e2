#include "harness/nightly/judge/benchmarks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

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

std::size_t repetitions_of(const TimedNight& night, const std::string& series,
                           const std::string& program) {
  const auto found = night.first.find(series);
  return found == night.first.end() ? 0 : repetitions_of(found->second, program).values.size();
}

// Why there is nothing to compare; empty where there is.
std::string missing(const TimedNight& night, const std::string& series) {
  if (!night.now.contains(series))
    return "the baseline has this benchmark, tonight's program has not";
  const std::int64_t asked = std::max<std::int64_t>(night.repetitions, 1);
  for (const char* const program : {"now", "baseline"})
    if (const std::size_t count = repetitions_of(night, series, program);
        std::cmp_less(count, asked))
      return fmt::format("{} of {} repetitions were measured of {} program", count, asked,
                         std::string_view(program) == "now" ? "tonight's" : "the baseline's");
  return {};
}

Finding judge_one(const TimedNight& night, const std::string& series) {
  if (!night.baseline.contains(series) && !night.failures.contains("baseline") &&
      repetitions_of(night, series, "now") > 0)
    return {series, Kind::speed, Verdict::changed,
            "a new benchmark; it is compared from the next pin on"};
  if (std::string why = missing(night, series); !why.empty())
    return {series, Kind::speed, Verdict::no_data, std::move(why)};
  Finding first = judge_series(series, night.first, night.usual);
  if (!night.second.contains(series)) return confirmed(std::move(first), nullptr);
  const Finding second = judge_series(series, night.second, night.usual);
  return confirmed(std::move(first), &second);
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
  std::set<std::string> names = night.now;
  names.insert(night.baseline.begin(), night.baseline.end());
  for (const auto& [series, by_program] : night.first) names.insert(series);
  constexpr std::size_t kOfPrograms = 3;  // findings on whole programs
  findings.reserve(names.size() + kOfPrograms);
  for (const std::string& series : names) findings.push_back(judge_one(night, series));
  for (const char* const program : {"now", "baseline"}) {
    const auto failed = night.failures.find(program);
    const bool ran = failed == night.failures.end();
    findings.push_back({std::string("benchmarks/") + program, Kind::speed,
                        ran ? Verdict::pass : Verdict::no_data,
                        ran ? "every round was timed" : failed->second});
  }
  if (names.empty())
    findings.push_back({"benchmarks", Kind::speed, Verdict::no_data, "none was timed"});
  return findings;
}

}  // namespace ablate::nightly
