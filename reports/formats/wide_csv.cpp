#include "reports/formats/wide_csv.h"

#include <utility>

#include "reports/text/csv_writer.h"

namespace ablate::reports {
namespace {

std::optional<double> half_width(const Estimate& estimate) {
  if (!estimate.interval) return std::nullopt;
  return (estimate.interval->high - estimate.interval->low) / 2;
}

void put_metric(Csv& csv, const ArmResult& arm, const std::string& metric) {
  const auto found = arm.metrics.find(metric);
  if (found == arm.metrics.end()) {
    csv.text("").text("").text("");
    return;
  }
  const Estimate& seen = found->second;
  csv.number(seen.mean).number(half_width(seen)).number(seen.n);
}

}  // namespace

std::string wide_csv(const Analysis& analysis) {
  std::vector<std::string> columns = {"experiment", "arm",    "label", "baseline",
                                      "objective",  "trials", "failed"};
  for (const MetricRow& metric : analysis.metrics)
    for (const char* part : {"", "_half_width", "_n"}) columns.push_back(metric.name + part);
  Csv csv(columns);
  for (const ArmResult& arm : analysis.arms) {
    csv.text(analysis.experiment).text(arm.name).text(arm.label);
    csv.text(arm.baseline ? "true" : "false").text(arm.objective);
    csv.number(static_cast<std::int64_t>(arm.trials.size())).number(arm.failed + arm.diverged);
    for (const MetricRow& metric : analysis.metrics) put_metric(csv, arm, metric.name);
    csv.end();
  }
  return csv.str();
}

std::string trials_wide_csv(const Analysis& analysis) {
  std::vector<std::string> columns = {"experiment", "arm",  "label", "baseline",
                                      "objective",  "seed", "trial", "outcome"};
  for (const MetricRow& metric : analysis.metrics) columns.push_back(metric.name);
  Csv csv(columns);
  for (const ArmResult& arm : analysis.arms)
    for (std::size_t i = 0; i < arm.trials.size(); ++i) {
      const store::TrialRecord& trial = *arm.trials[i];
      csv.text(analysis.experiment).text(arm.name).text(arm.label);
      csv.text(arm.baseline ? "true" : "false").text(arm.objective);
      csv.number(trial.seed).text(trial.id).text(trial.outcome);
      for (const MetricRow& metric : analysis.metrics) {
        const auto found = arm.metrics.find(metric.name);
        csv.number(found == arm.metrics.end() ? std::nullopt : found->second.values[i]);
      }
      csv.end();
      if (&arm == &analysis.arms.front() && i + 1 == arm.trials.size())
        csv.expect(static_cast<std::size_t>(analysis.trials()) - arm.trials.size());
    }
  return std::move(csv).str();
}

}  // namespace ablate::reports
