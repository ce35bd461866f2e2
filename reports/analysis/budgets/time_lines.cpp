#include "reports/analysis/budgets/time_lines.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

namespace ablate::reports {
namespace {

using store::MeasuringTime;
using store::TrialTime;

constexpr std::string_view kMeasuring = "probes";  // the stage

/// The stages in the order of a trial, as journals and readers call them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kStages = {
    {{"data", "text and batches"},
     {"model", "building the model"},
     {"train", "training"},
     {kMeasuring, "measuring"}}};

/// A time of a trial, in seconds.
using Seconds = std::function<double(const TrialTime& trial)>;

std::vector<double> means(const std::vector<TimedTrials>& groups, const Seconds& seconds) {
  std::vector<double> result;
  for (const TimedTrials& trials : groups) {
    double sum = 0;
    for (const TrialTime* trial : trials) sum += seconds(*trial);
    result.push_back(trials.empty() ? 0 : sum / static_cast<double>(trials.size()));
  }
  return result;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double stage_of(const TrialTime& trial, std::string_view stage) {
  const auto found = trial.stages.find(std::string(stage));
  return found == trial.stages.end() ? 0 : found->second;
}

double over_probes(const TrialTime& trial, double MeasuringTime::*part) {
  double sum = 0;
  for (const auto& [probe, time] : trial.probes) sum += time.*part;
  return sum;
}

/// A line by probe, the greatest first, and the rest of the stage.
std::vector<TimeLine> probe_lines(const std::vector<TimedTrials>& groups) {
  std::set<std::string> names;
  for (const TimedTrials& trials : groups)
    for (const TrialTime* trial : trials)
      for (const auto& [probe, time] : trial->probes) names.insert(probe);
  std::vector<TimeLine> lines;
  lines.reserve(names.size() + 1);
  for (const std::string& name : names)
    lines.push_back({TimeLine::Of::measuring, name, means(groups, [&](const TrialTime& trial) {
                       const auto found = trial.probes.find(name);
                       return found == trial.probes.end() ? 0 : found->second.seconds;
                     })});
  std::ranges::stable_sort(lines, std::greater(),
                           [](const TimeLine& line) { return sum_of(line.seconds); });
  const auto rest = means(groups, [](const TrialTime& trial) {
    return std::max(0.0, stage_of(trial, kMeasuring) - over_probes(trial, &MeasuringTime::seconds));
  });
  const auto whole =
      means(groups, [](const TrialTime& trial) { return stage_of(trial, kMeasuring); });
  if (sum_of(rest) >= 1e-3 * sum_of(whole) && sum_of(rest) > 0)
    lines.push_back({TimeLine::Of::measuring, "not told apart", rest});
  return lines;
}

/// What the probes were doing; none where no journal says it.
std::vector<TimeLine> activity_lines(const std::vector<TimedTrials>& groups) {
  const auto line = [&](std::string what, const Seconds& seconds) {
    return TimeLine{TimeLine::Of::activity, std::move(what), means(groups, seconds)};
  };
  const auto part = [](double MeasuringTime::*of) {
    return [of](const TrialTime& trial) { return over_probes(trial, of); };
  };
  std::vector<TimeLine> lines = {line("forward passes", part(&MeasuringTime::passes)),
                                 line("fitting what measures", part(&MeasuringTime::fits)),
                                 line("writing text", part(&MeasuringTime::text)),
                                 line("everything else", [](const TrialTime& trial) {
                                   return over_probes(trial, &MeasuringTime::seconds) -
                                          over_probes(trial, &MeasuringTime::passes) -
                                          over_probes(trial, &MeasuringTime::fits) -
                                          over_probes(trial, &MeasuringTime::text);
                                 })};
  const auto empty = [](const TimeLine& one) { return sum_of(one.seconds) == 0; };
  if (std::ranges::all_of(lines, empty)) lines.clear();
  return lines;
}

}  // namespace

std::vector<TimeLine> time_lines(const std::vector<TimedTrials>& groups) {
  if (std::ranges::all_of(groups, &TimedTrials::empty)) return {};
  std::vector<TimeLine> lines;
  for (const auto& [stage, what] : kStages) {
    lines.push_back({TimeLine::Of::trial, std::string(what),
                     means(groups, [&, name = stage](const TrialTime& trial) {
                       return stage_of(trial, name);
                     })});
    if (stage != kMeasuring) continue;
    std::ranges::move(probe_lines(groups), std::back_inserter(lines));
    std::ranges::move(activity_lines(groups), std::back_inserter(lines));
  }
  lines.push_back(
      {TimeLine::Of::all, "in all", means(groups, [](const TrialTime& t) { return t.seconds(); })});
  return lines;
}

std::vector<double> shares(const TimeLine& line, const std::vector<TimeLine>& lines) {
  const std::vector<double>& all = lines.back().seconds;
  std::vector<double> result(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] > 0) result[i] = line.seconds[i] / all[i];
  return result;
}

}  // namespace ablate::reports
