#include "reports/tables/missing.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace ablate::reports {
namespace {

constexpr std::string_view kGeneric =
    "the objective or the phases of that arm do not yield the metric";

/// Why an arm has no number, as its probe said.
struct Reason {
  std::string text;          // empty where it said nothing
  bool of_the_group = true;  // or else of this metric
};

Reason reason_of(const ArmResult& arm, const MetricRow& metric) {
  for (const bool of_the_group : {false, true})
    for (const store::TrialRecord* trial : arm.trials)
      if (const auto found = trial->absent.find(of_the_group ? group_of(metric.name) : metric.name);
          found != trial->absent.end())
        return {found->second, of_the_group};
  return {};
}

void append_once(std::vector<std::string>& list, const std::string& one) {
  if (std::ranges::find(list, one) == list.end()) list.push_back(one);
}

/// The reasons of empty cells.
class Blanks {
 public:
  void add(const ArmResult& arm, const MetricRow& metric, bool name_all) {
    const Reason reason = reason_of(arm, metric);
    if (reason.text.empty()) {
      unexplained_ = true;
      return;
    }
    Said& said = reasons_[{reason.text, reason.of_the_group && !name_all}];
    append_once(said.arms, arm.label);
    append_once(said.metrics, metric.label);
  }

  void note(std::vector<std::string>& notes) const {
    for (const auto& [reason, said] : reasons_)
      notes.push_back(
          fmt::format("No {} of {}: {}.",
                      reason.second ? "number" : fmt::format("{}", fmt::join(said.metrics, "; ")),
                      fmt::join(said.arms, ", "), reason.first));
    if (unexplained_)
      notes.push_back(
          fmt::format("{}: {}.", reasons_.empty() ? "Blank" : "Other blanks", kGeneric));
  }

 private:
  struct Said {
    std::vector<std::string> arms, metrics;
  };

  std::map<std::pair<std::string, bool>, Said> reasons_;  // by text, and whether of a whole group
  bool unexplained_ = false;
};

}  // namespace

std::string group_of(const std::string& metric) {
  const std::size_t dot = metric.find('.');
  return dot == std::string::npos ? "other" : metric.substr(0, dot);
}

void note_missing(const Arms& arms, const Metrics& metrics, std::vector<std::string>& notes) {
  Blanks blanks;
  for (const MetricRow* metric : metrics)
    for (const ArmResult* arm : arms) {
      const auto found = arm->metrics.find(metric->name);
      if (found != arm->metrics.end() && found->second.n == arm->completed) continue;
      if (found == arm->metrics.end() || !reason_of(*arm, *metric).text.empty())
        blanks.add(*arm, *metric, false);
      else
        notes.push_back(
            fmt::format("{}, {}: n = {} of {} completed trials; the others gave no number.",
                        arm->label, metric->label, found->second.n, arm->completed));
    }
  blanks.note(notes);
}

void note_blanks(const Arms& arms, const Metrics& metrics, std::vector<std::string>& notes) {
  Blanks blanks;
  for (const MetricRow* metric : metrics)
    for (const ArmResult* arm : arms)
      if (!arm->metrics.contains(metric->name)) blanks.add(*arm, *metric, true);
  blanks.note(notes);
}

}  // namespace ablate::reports
