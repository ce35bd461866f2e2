#include "reports/analysis/caveats.h"

#include <fmt/format.h>

#include <map>

namespace ablate::reports {

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
