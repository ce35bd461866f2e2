#include "experiments/commands/time_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <span>

#include "harness/run/progress/text.h"
#include "reports/analysis/budgets/time_lines.h"

namespace ablate::commands {
namespace {

using reports::TimeLine;

constexpr std::size_t kArmsBeside = 3;  // each other, in a terminal of 80 columns
constexpr std::size_t kColumn = 17;     // "12345.67 (12.3 %)"

struct TimedArms {
  std::vector<std::string> names;
  std::vector<reports::TimedTrials> trials;  // by arm: those that have a finished stage
};

TimedArms timed_arms(const store::Status& status) {
  TimedArms arms;
  for (const store::TrialStatus& trial : status.trials) {
    if (trial.time.stages.empty()) continue;
    const auto found = std::ranges::find(arms.names, trial.arm);
    const auto at = static_cast<std::size_t>(found - arms.names.begin());
    if (found == arms.names.end()) {
      arms.names.push_back(trial.arm);
      arms.trials.emplace_back();
    }
    arms.trials[at].push_back(&trial.time);
  }
  return arms;
}

std::string label_of(const TimeLine& line) {
  const bool part = line.of == TimeLine::Of::measuring || line.of == TimeLine::Of::activity;
  return (part ? "  " : "") + run::printable(line.what);
}

/// Prints the arms numbered [first, end).
void print_beside(std::ostream& out, const TimedArms& arms, std::size_t first, std::size_t end) {
  const std::vector<TimeLine> lines =
      reports::time_lines({arms.trials.begin() + static_cast<std::ptrdiff_t>(first),
                           arms.trials.begin() + static_cast<std::ptrdiff_t>(end)});
  std::size_t label = 0;
  for (const TimeLine& line : lines) label = std::max(label, label_of(line).size());
  out << fmt::format("\n{:{}}", "", label);
  const auto width = [&](std::size_t arm) {
    return std::max(kColumn, run::printable(arms.names[arm]).size());
  };
  for (std::size_t arm = first; arm < end; ++arm)
    out << fmt::format("  {:>{}}", run::printable(arms.names[arm]), width(arm));
  out << '\n';
  for (const TimeLine& line : lines) {
    out << fmt::format("{:{}}", label_of(line), label);
    const std::vector<double> parts = reports::shares(line, lines);
    for (std::size_t arm = first; arm < end; ++arm) {
      const std::size_t at = arm - first;
      const std::string cell = fmt::format("{:.2f} ({:4.1f} %)", line.seconds[at], 100 * parts[at]);
      out << fmt::format("  {:>{}}", cell, width(arm));
    }
    out << '\n';
  }
}

}  // namespace

Json time_json(const store::TrialTime& time) {
  return {{"stages", time.stages}, {"probes", time.probes}};
}

void print_times(std::ostream& out, const store::Status& status) {
  const TimedArms arms = timed_arms(status);
  if (arms.names.empty()) {
    out << "\nNo stage of any trial has ended yet, so there are no times to show.\n";
    return;
  }
  out << "\nWhere the time went, in seconds: mean over each arm's trials. The lines below "
         "'measuring' split it\nby probe, then split the same time by what the probes were "
         "doing.\n";
  for (std::size_t first = 0; first < arms.names.size(); first += kArmsBeside)
    print_beside(out, arms, first, std::min(first + kArmsBeside, arms.names.size()));
}

}  // namespace ablate::commands
