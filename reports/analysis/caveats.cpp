#include "reports/analysis/caveats.h"

#include <fmt/core.h>

#include <map>

#include "harness/base/error.h"

namespace ablate::reports {
namespace {

std::string listed_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::vector<std::string> caveats_of(const std::vector<const MetricRow*>& metrics) {
  std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> alike;
  for (const MetricRow* metric : metrics)
    for (const auto& [caveat, arms] : metric->caveats)
      alike[{caveat, arms}].push_back(metric->name);
  std::vector<std::string> notes;
  notes.reserve(alike.size());
  for (const auto& [about, names] : alike)
    notes.push_back(
        fmt::format("{} of {}: {}.", listed_names(names), listed_names(about.second), about.first));
  return notes;
}

}  // namespace ablate::reports
