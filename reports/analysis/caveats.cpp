#include "reports/analysis/caveats.h"

#include <fmt/ranges.h>

#include <map>

#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// The labels of the arms, or "all arms".
std::string arms_text(const Analysis& analysis, const std::vector<std::string>& names) {
  if (names.size() > 1 && names.size() == analysis.arms.size()) return "all arms";
  std::vector<std::string> labels;
  labels.reserve(names.size());
  for (const std::string& name : names) labels.push_back(analysis.label(name));
  return fmt::format("{}", fmt::join(labels, ", "));
}

/// "clm 2 %, mlm 3 %": the samples of a sampler that the language cannot generate; `sampler`: the end of
/// its metrics' names. Empty where no arm has any.
std::string impossible_of(const Analysis& analysis, const std::string& sampler) {
  using namespace metric_names;
  const std::string impossible = fmt::format("{}.{}{}", kGeneration, kImpossible, sampler);
  std::vector<std::string> losses;
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(impossible);
    if (found != arm.metrics.end() && found->second.mean.value_or(0) > 0)
      losses.push_back(
          fmt::format("{} {} %", arm.label, significant(100 * *found->second.mean, 2)));
  }
  return fmt::format("{}", fmt::join(losses, ", "));
}

}  // namespace

std::vector<std::string> samples_left_out(const Analysis& analysis,
                                          const std::vector<const MetricRow*>& metrics) {
  using namespace metric_names;
  std::vector<std::string> lines;
  for (const MetricRow* metric : metrics)
    for (const std::string_view measured : {kLogProbability, kDivergence}) {
      const std::string start = fmt::format("{}.{}", kGeneration, measured);
      if (!metric->name.starts_with(start)) continue;
      const std::string losses = impossible_of(analysis, metric->name.substr(start.size()));
      if (!losses.empty())
        lines.push_back(
            fmt::format("{} leaves out the samples that the language cannot generate: {}.",
                        metric->label, losses));
    }
  return lines;
}

std::vector<std::string> caveats_of(const Analysis& analysis,
                                    const std::vector<const MetricRow*>& metrics) {
  std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> alike;
  for (const MetricRow* metric : metrics)
    for (const auto& [caveat, arms] : metric->caveats)
      alike[{caveat, arms}].push_back(metric->label);
  std::vector<std::string> notes;
  notes.reserve(alike.size());
  for (const auto& [about, names] : alike)
    notes.push_back(fmt::format("{} of {}: {}.", fmt::join(names, "; "),
                                arms_text(analysis, about.second), about.first));
  return notes;
}

}  // namespace ablate::reports
