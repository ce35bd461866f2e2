#include "reports/analysis/caveats.h"

#include <fmt/format.h>

#include <map>

#include "reports/text/number.h"

namespace ablate::reports {

std::vector<std::string> samples_left_out(const Analysis& analysis,
                                          const std::vector<const MetricRow*>& metrics) {
  using namespace metric_names;
  const std::string impossible = fmt::format("{}.{}", kGeneration, kImpossible);
  std::vector<std::string> losses;
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(impossible);
    if (found != arm.metrics.end() && found->second.mean.value_or(0) > 0)
      losses.push_back(fmt::format("{} {} %", arm.name, significant(100 * *found->second.mean, 2)));
  }
  std::vector<std::string> lines;
  if (losses.empty()) return lines;
  for (const MetricRow* metric : metrics)
    for (const std::string_view measured : {kLogProbability, kDivergence})
      if (metric->name == fmt::format("{}.{}", kGeneration, measured))
        lines.push_back(
            fmt::format("{} leaves out the samples that the language cannot generate: {}.",
                        metric->name, fmt::join(losses, ", ")));
  return lines;
}

std::vector<std::string> caveats_of(const std::vector<const MetricRow*>& metrics) {
  std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> alike;
  for (const MetricRow* metric : metrics)
    for (const auto& [caveat, arms] : metric->caveats)
      alike[{caveat, arms}].push_back(metric->name);
  std::vector<std::string> notes;
  notes.reserve(alike.size());
  for (const auto& [about, names] : alike)
    notes.push_back(fmt::format("{} of {}: {}.", fmt::join(names, ", "),
                                fmt::join(about.second, ", "), about.first));
  return notes;
}

}  // namespace ablate::reports
