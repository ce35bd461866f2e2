#include "reports/formats/csv.h"

#include <utility>

#include "reports/analysis/compare.h"
#include "reports/formats/wide_csv.h"
#include "reports/tables/record_tables.h"
#include "reports/text/csv_writer.h"

namespace ablate::reports {
namespace {

std::optional<double> low(const Estimate& estimate) {
  return estimate.interval ? std::optional(estimate.interval->low) : std::nullopt;
}

std::optional<double> high(const Estimate& estimate) {
  return estimate.interval ? std::optional(estimate.interval->high) : std::nullopt;
}

void put_difference(const Analysis& analysis, const Difference* difference, Csv& csv) {
  if (difference == nullptr) {
    for (int i = 0; i < 10; ++i) csv.text("");
    return;
  }
  const Estimate& seen = difference->over_seeds;
  csv.number(seen.mean).number(low(seen)).number(high(seen)).number(seen.n);
  csv.number(difference->p).number(difference->p_adjusted).number(difference->p_equivalent);
  csv.number(difference->p_non_inferior).number(difference->q);
  csv.text(verdict_text(analysis, *difference));
}

std::string trials_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "arm", "baseline", "objective", "seed", "trial", "outcome", "metric",
           "unit", "better", "value", "label"});
  for (const ArmResult& arm : analysis.arms) {
    for (std::size_t i = 0; i < arm.trials.size(); ++i) {
      for (const MetricRow& metric : analysis.metrics) {
        const auto found = arm.metrics.find(metric.name);
        if (found == arm.metrics.end()) continue;
        const store::TrialRecord& trial = *arm.trials[i];
        csv.text(analysis.experiment).text(arm.name).text(arm.baseline ? "true" : "false");
        csv.text(arm.objective).number(trial.seed).text(trial.id).text(trial.outcome);
        csv.text(metric.name).text(metric.unit).text(name_of(metric.better));
        csv.number(found->second.values[i]).text(arm.label).end();
      }
    }
  }
  return csv.str();
}

std::string summary_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment",
           "arm",
           "baseline",
           "metric",
           "unit",
           "better",
           "comparable_across",
           "mean",
           "ci_low",
           "ci_high",
           "n",
           "trials",
           "failed",
           "difference",
           "difference_low",
           "difference_high",
           "pairs",
           "p",
           "p_adjusted",
           "p_equivalent",
           "p_non_inferior",
           "q",
           "verdict",
           "label"});
  for (const ArmResult& arm : analysis.arms) {
    for (const MetricRow& metric : analysis.metrics) {
      const auto found = arm.metrics.find(metric.name);
      if (found == arm.metrics.end()) continue;
      const Estimate& seen = found->second;
      csv.text(analysis.experiment).text(arm.name).text(arm.baseline ? "true" : "false");
      csv.text(metric.name).text(metric.unit).text(name_of(metric.better));
      csv.text(name_of(metric.comparable_across));
      csv.number(seen.mean).number(low(seen)).number(high(seen)).number(seen.n);
      csv.number(static_cast<std::int64_t>(arm.trials.size())).number(arm.failed + arm.diverged);
      put_difference(analysis, analysis.difference(arm.name, metric.name), csv);
      csv.text(arm.label).end();
    }
  }
  return csv.str();
}

}  // namespace

Format csv_format() {
  return {"csv", [](const Content& content) -> std::vector<ReportFile> {
            std::vector<ReportFile> files;
            const auto add = [&](std::string name, std::string bytes) {
              files.push_back({std::move(name), std::move(bytes)});
            };
            if (has_every_value(content.analysis)) add("trials.csv", trials_csv(content));
            add("summary.csv", summary_csv(content));
            add("wide.csv", wide_csv(content.analysis));
            add("trials_wide.csv", trials_wide_csv(content.analysis));
            for (const Finding& finding : content.findings)
              for (const Records& records : finding.records)
                if (!records.file.empty()) add(records.file + ".csv", records.csv);
            return files;
          }};
}

}  // namespace ablate::reports
