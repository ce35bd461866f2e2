#include "reports/diff/paired_trials.h"

#include <fmt/ranges.h>

#include <bit>
#include <cmath>

namespace ablate::reports {

using store::TrialRecord;

TrialsByPlace by_place(const store::Records& records) {
  TrialsByPlace places;
  for (const TrialRecord& trial : records.trials) places[{trial.arm, trial.seed}] = &trial;
  return places;
}

std::vector<TrialPair> common_trials(const TrialsByPlace& first, const TrialsByPlace& second) {
  std::vector<TrialPair> pairs;
  for (const auto& [place, trial] : first)
    if (const auto found = second.find(place); found != second.end())
      pairs.push_back({trial, found->second});
  return pairs;
}

std::vector<std::string> missing_trials(const TrialsByPlace& some, const TrialsByPlace& others) {
  std::map<std::string, std::vector<std::int64_t>> seeds;
  for (const auto& [place, trial] : some)
    if (!others.contains(place)) seeds[place.first].push_back(place.second);
  std::vector<std::string> lines;
  lines.reserve(seeds.size());
  for (const auto& [arm, missing] : seeds)
    lines.push_back(fmt::format("trials of arm '{}': seed{} {}", arm,
                                missing.size() == 1 ? "" : "s", fmt::join(missing, ", ")));
  return lines;
}

std::vector<std::string> missing_metrics(const std::vector<TrialPair>& pairs,
                                         const TrialRecord* TrialPair::*side,
                                         const TrialRecord* TrialPair::*other) {
  std::map<std::pair<std::string, std::string>, std::int64_t> count;
  for (const TrialPair& pair : pairs)
    for (const auto& [metric, value] : (pair.*side)->metrics)
      if (!(pair.*other)->metrics.contains(metric)) ++count[{(pair.*side)->arm, metric}];
  std::vector<std::string> lines;
  lines.reserve(count.size());
  for (const auto& [place, trials] : count)
    lines.push_back(fmt::format("metric {} of arm '{}': {} trial{}", place.second, place.first,
                                trials, trials == 1 ? "" : "s"));
  return lines;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

}  // namespace ablate::reports
