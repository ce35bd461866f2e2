#include "reports/formats/csv.h"

#include <array>
#include <charconv>
#include <cmath>

#include "reports/text/text.h"

namespace ablate::reports {
namespace {

class Csv {
 public:
  Csv& text(std::string_view raw) { return put(csv_text(raw)); }
  Csv& number(std::int64_t value) { return put(std::to_string(value)); }

  /// The shortest text that reads back as the same number; empty where there is none.
  Csv& number(const std::optional<double>& value) {
    if (!value || !std::isfinite(*value)) return put("");
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *value);
    return put({buffer.data(), end.ptr});
  }

  void end() {
    bytes_ += "\r\n";
    begins_ = true;
  }

  std::string str() const { return bytes_; }

 private:
  Csv& put(const std::string& field) {
    if (!begins_) bytes_ += ',';
    begins_ = false;
    bytes_ += field;
    return *this;
  }

  std::string bytes_;
  bool begins_ = true;
};

void header(Csv& csv, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) csv.text(name);
  csv.end();
}

std::optional<double> low(const Estimate& estimate) {
  return estimate.interval ? std::optional(estimate.interval->low) : std::nullopt;
}

std::optional<double> high(const Estimate& estimate) {
  return estimate.interval ? std::optional(estimate.interval->high) : std::nullopt;
}

void put_difference(Csv& csv, const Difference* difference) {
  if (difference == nullptr) {
    for (int i = 0; i < 8; ++i) csv.text("");
    return;
  }
  const Estimate& seen = difference->over_seeds;
  csv.number(seen.mean).number(low(seen)).number(high(seen)).number(seen.n);
  csv.number(difference->p).number(difference->p_adjusted).number(difference->p_equivalent);
  csv.text(name_of(difference->verdict));
}

std::string trials_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv;
  header(csv, {"experiment", "arm", "baseline", "objective", "seed", "trial", "outcome", "metric",
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
  Csv csv;
  header(csv, {"experiment",
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
      put_difference(csv, analysis.difference(arm.name, metric.name));
      csv.text(arm.label).end();
    }
  }
  return csv.str();
}

}  // namespace

Format csv_format() {
  return {"csv", [](const Content& content) -> std::vector<ReportFile> {
            return {{"trials.csv", trials_csv(content)}, {"summary.csv", summary_csv(content)}};
          }};
}

}  // namespace ablate::reports
