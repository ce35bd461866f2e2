#include "reports/analysis/floors.h"

#include <fmt/format.h>

#include <algorithm>

namespace ablate::reports {
namespace {

using Values = std::vector<std::optional<double>>;

/// A metric's name in its parts: "held_out", "loss", "_at_15".
struct NameParts {
  std::string probe, measured, suffix;
};

NameParts parts_of(const std::string& metric) {
  const std::size_t dot = metric.find('.');
  if (dot == std::string::npos) return {};
  const std::string rest = metric.substr(dot + 1);
  for (const std::string_view measured :
       {std::string_view("share_learned"), std::string_view("excess"), metric_names::kLoss,
        metric_names::kAccuracy})
    if (rest.starts_with(measured))
      return {metric.substr(0, dot), std::string(measured), rest.substr(measured.size())};
  return {};
}

/// The metrics whose sum, with these factors, is the floor; `text`: the floor in words.
struct Floor {
  std::vector<std::pair<std::string, double>> terms;
  std::string text;
};

std::optional<Floor> floor_of(const ArmResult& arm, const std::string& metric) {
  const NameParts parts = parts_of(metric);
  const auto named = [&](std::string_view what) {
    return fmt::format("{}.{}{}", parts.probe, what, parts.suffix);
  };
  const std::string context_free = named(metric_names::kContextFree);
  if (parts.measured == "share_learned") return Floor{{}, "0"};
  if (parts.measured == metric_names::kLoss && arm.metrics.contains(context_free))
    return Floor{{{context_free, 1}}, context_free};
  const std::string optimum = named(metric_names::kOptimum);
  if (parts.measured == "excess" && arm.metrics.contains(context_free) &&
      arm.metrics.contains(optimum))
    return Floor{{{context_free, 1}, {optimum, -1}},
                 fmt::format("{} less {}", context_free, optimum)};
  if (parts.measured == metric_names::kAccuracy)
    for (const std::string_view reference : {metric_names::kUntrained, metric_names::kMajority})
      if (arm.metrics.contains(named(reference)))
        return Floor{{{named(reference), 1}}, named(reference)};
  return std::nullopt;
}

}  // namespace

Estimate above_floor(const Analysis& analysis, const ArmResult& arm) {
  const MetricRow* const metric = analysis.metric(analysis.primary);
  const auto measured = arm.metrics.find(analysis.primary);
  const std::optional<Floor> floor = floor_of(arm, analysis.primary);
  if (metric == nullptr || metric->better == Better::neither || !floor ||
      measured == arm.metrics.end())
    return estimate({});
  const double sign = metric->better == Better::higher ? 1 : -1;
  Values gains;
  for (std::size_t i = 0; i < measured->second.values.size(); ++i) {
    std::optional<double> gain = measured->second.values[i];
    for (const auto& [name, factor] : floor->terms) {
      const std::optional<double> term = arm.metrics.at(name).values[i];
      gain = gain && term ? std::optional(*gain - factor * *term) : std::nullopt;
    }
    if (gain) *gain *= sign;
    gains.push_back(gain);
  }
  return estimate(std::move(gains));
}

std::vector<std::string> arms_at_floor(const Analysis& analysis) {
  std::vector<std::string> names;
  for (const ArmResult& arm : analysis.arms) {
    const Estimate gain = above_floor(analysis, arm);
    if (gain.interval && gain.interval->low <= 0) names.push_back(arm.name);
  }
  return names;
}

std::string floor_sentence(const Analysis& analysis) {
  const std::vector<std::string> names = arms_at_floor(analysis);
  if (names.empty()) return "";
  const auto arm_named = [&](const ArmResult& arm) { return arm.name == names.front(); };
  const auto arm = std::find_if(analysis.arms.begin(), analysis.arms.end(), arm_named);
  const std::string floor = floor_of(*arm, analysis.primary)->text;
  if (names.size() == analysis.arms.size())
    return fmt::format(
        "Nothing was learned that {} shows: every arm is at its floor, {}. Train longer, or choose "
        "another primary metric.",
        analysis.primary, floor);
  return fmt::format("At the floor of {}, {}: {}.", analysis.primary, floor,
                     fmt::join(names, ", "));
}

}  // namespace ablate::reports
