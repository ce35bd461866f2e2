#include "reports/formats/csv.h"

#include "reports/analysis/compare.h"
#include "reports/analysis/declared_trends.h"
#include "reports/formats/probe_csv.h"
#include "reports/formats/wide_csv.h"
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

std::string sensitivity_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "arm", "metric", "pairs", "difference", "t_low", "t_high", "bca_low",
           "bca_high", "p_sign_flip", "p_wilcoxon", "p_paired_t", "d_z", "probability_better",
           "variance_ratio", "label"});
  for (const Sensitivity& seen : content.findings.sensitivity) {
    const Difference& difference = *seen.difference;
    const Estimate& mean = difference.over_seeds;
    csv.text(analysis.experiment).text(difference.arm).text(difference.metric);
    csv.number(mean.n).number(mean.mean).number(low(mean)).number(high(mean));
    csv.number(seen.bca ? std::optional(seen.bca->low) : std::nullopt);
    csv.number(seen.bca ? std::optional(seen.bca->high) : std::nullopt);
    csv.number(difference.p).number(seen.wilcoxon_p).number(seen.t_p).number(seen.d_z);
    csv.number(seen.probability_better).number(seen.variance_ratio);
    csv.text(analysis.label(difference.arm)).end();
  }
  return csv.str();
}

std::string unpaired_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "arm", "metric", "trials", "baseline_trials", "difference", "ci_low",
           "ci_high", "p_welch", "p_mann_whitney", "p_dunnett", "hedges_g", "probability_better",
           "label"});
  for (const UnpairedDifference& seen : content.findings.unpaired) {
    csv.text(analysis.experiment).text(seen.difference->arm).text(seen.difference->metric);
    csv.number(seen.n).number(seen.of_baseline).number(seen.means.mean);
    csv.number(low(seen.means)).number(high(seen.means));
    csv.number(seen.welch_p).number(seen.mann_whitney_p).number(seen.dunnett_p);
    csv.number(seen.hedges_g).number(seen.probability_better);
    csv.text(analysis.label(seen.difference->arm)).end();
  }
  return csv.str();
}

std::string items_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "arm", "metric", "seeds", "items", "difference", "ci_low", "ci_high",
           "seed_error", "item_error", "models_differ", "label"});
  for (const ItemDifference& seen : content.findings.items) {
    const statistics::SeedsAndItems& both = seen.both;
    csv.text(analysis.experiment).text(seen.difference->arm).text(seen.difference->metric);
    csv.number(seen.seeds).number(seen.items);
    for (const double value :
         {both.mean, both.interval.low, both.interval.high, both.seed_error, both.item_error})
      csv.number(std::optional(value));
    csv.text(seen.models_differ ? std::to_string(*seen.models_differ) : "");
    csv.text(analysis.label(seen.difference->arm)).end();
  }
  return csv.str();
}

std::string similarity_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "arm", "layer", "other_arm", "other_layer", "seeds", "cka", "ci_low",
           "ci_high", "label", "other_label"});
  for (const LayerSimilarity& seen : content.findings.similarity) {
    csv.text(analysis.experiment).text(seen.first->name);
    csv.number(static_cast<std::int64_t>(seen.first_layer)).text(seen.second->name);
    csv.number(static_cast<std::int64_t>(seen.second_layer)).number(seen.over_seeds.n);
    csv.number(seen.over_seeds.mean).number(low(seen.over_seeds)).number(high(seen.over_seeds));
    csv.text(seen.first->label).text(seen.second->label).end();
  }
  return csv.str();
}

std::string temperatures_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "arm", "sampler", "metric", "unit", "temperature", "entropy", "value",
           "ci_low", "ci_high", "seeds", "label"});
  for (const EntropyCurve& curve : content.findings.entropy_curves)
    for (const EntropyPoint& point : curve.points) {
      csv.text(analysis.experiment).text(curve.arm->name).text(curve.sampler);
      csv.text(curve.metric->name).text(curve.metric->unit);
      csv.number(std::optional(point.temperature)).number(std::optional(point.entropy));
      csv.number(point.quality.mean).number(low(point.quality)).number(high(point.quality));
      csv.number(point.quality.n).text(curve.arm->label).end();
    }
  return csv.str();
}

std::string entropy_areas_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "arm", "sampler", "baseline", "baseline_sampler", "metric", "unit",
           "entropy_from", "entropy_to", "seeds", "mean_difference", "mean_difference_low",
           "mean_difference_high", "area", "area_low", "area_high", "label"});
  for (const EntropyArea& seen : content.findings.entropy_areas) {
    csv.text(analysis.experiment).text(seen.arm->name).text(seen.sampler);
    csv.text(seen.baseline->name).text(seen.baseline_sampler);
    csv.text(seen.metric->name).text(seen.metric->unit);
    csv.number(std::optional(seen.from)).number(std::optional(seen.to)).number(seen.area.n);
    for (const Estimate* each : {&seen.mean_difference, &seen.area})
      csv.number(each->mean).number(low(*each)).number(high(*each));
    csv.text(seen.arm->label).end();
  }
  return csv.str();
}

/// What the rows of declared and of exploratory trends begin with: up to "per".
template <class AnyTrend>
void put_swept(Csv& csv, const std::string& parameter, const AnyTrend& trend) {
  const std::vector<double>& values = trend.values;
  csv.text(parameter).number(std::ssize(values));
  csv.number(values.empty() ? std::nullopt : std::optional(values.front()));
  csv.number(values.empty() ? std::nullopt : std::optional(values.back()));
  csv.text(trend.doublings ? "doubling" : "unit");
}

std::string trends_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "family", "metric", "parameter", "swept_values", "swept_from", "swept_to",
           "per", "seeds", "degree", "trend", "ci_low", "ci_high", "p", "p_adjusted", "verdict"});
  const auto put = [&](const Estimate& seen, std::size_t degree, std::optional<double> p) {
    csv.number(seen.n).text(std::to_string(degree)).number(seen.mean).number(low(seen));
    csv.number(high(seen)).number(p);
  };
  for (const TrendContrast& trend : analysis.declared_trends) {
    csv.text(analysis.experiment).text(trend.family).text(trend.metric);
    put_swept(csv, trend.along, trend);
    put(trend.over_seeds, trend.degree, trend.p);
    csv.number(trend.p_adjusted).text(trend_verdict(analysis, trend)).end();
  }
  for (const Trend& trend : content.findings.trends)
    for (const Contrast* contrast : {&trend.linear, &trend.quadratic}) {
      if (contrast->declared) continue;
      csv.text(analysis.experiment).text(trend.family).text(analysis.primary);
      put_swept(csv, trend.parameter, trend);
      put(contrast->over_seeds, contrast == &trend.linear ? 1 : 2, contrast->p);
      csv.number(std::optional<double>()).text("exploratory").end();
    }
  return csv.str();
}

std::string dynamics_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "arm", "baseline", "seed", "trial", "metric", "unit", "better", "step",
           "text_tokens", "targets", "flops", "seconds", "value", "label"});
  for (const Course& course : content.findings.courses)
    for (std::size_t i = 0; i < course.arm->trials.size(); ++i)
      for (const CoursePoint& point : course.points) {
        if (!point.at[i]) continue;
        csv.text(analysis.experiment).text(course.arm->name);
        csv.text(course.arm->baseline ? "true" : "false");
        csv.number(course.arm->trials[i]->seed).text(course.arm->trials[i]->id);
        csv.text(course.metric->name).text(course.metric->unit);
        csv.text(name_of(course.metric->better)).number(point.step);
        for (const Quantity quantity : kQuantities)
          csv.number(std::optional(amount_at(*point.at[i], quantity)));
        csv.number(point.over_seeds.values[i]).text(course.arm->label).end();
      }
  return csv.str();
}

std::string overtaking_csv(const Content& content) {
  const Analysis& analysis = content.analysis;
  Csv csv({"experiment", "metric", "baseline", "arm", "quantity", "from", "to", "seeds",
           "difference_at_start", "difference_at_end", "changes", "crossing", "ci_low", "ci_high",
           "established"});
  for (const SweptPair& pair : content.findings.overtaking) {
    csv.text(analysis.experiment).text(pair.metric->name).text(pair.first).text(pair.second);
    csv.text(pair.parameter).number(std::optional(pair.from)).number(std::optional(pair.to));
    csv.number(pair.at_end.n).number(pair.at_start.mean).number(pair.at_end.mean);
    csv.number(static_cast<std::int64_t>(pair.changes));
    csv.number(pair.crossing).number(pair.low).number(pair.high);
    csv.text(pair.established() ? "true" : "false").end();
  }
  return csv.str();
}

}  // namespace

Format csv_format() {
  return {"csv", [](const Content& content) -> std::vector<ReportFile> {
            return {{"trials.csv", trials_csv(content)},
                    {"summary.csv", summary_csv(content)},
                    {"wide.csv", wide_csv(content.analysis)},
                    {"trials_wide.csv", trials_wide_csv(content.analysis)},
                    {"sensitivity.csv", sensitivity_csv(content)},
                    {"unpaired.csv", unpaired_csv(content)},
                    {"items.csv", items_csv(content)},
                    {"similarity.csv", similarity_csv(content)},
                    {"temperatures.csv", temperatures_csv(content)},
                    {"entropy_areas.csv", entropy_areas_csv(content)},
                    {"curves.csv", curves_csv(content)},
                    {"parts.csv", parts_csv(content)},
                    {"trends.csv", trends_csv(content)},
                    {"dynamics.csv", dynamics_csv(content)},
                    {"overtaking.csv", overtaking_csv(content)}};
          }};
}

}  // namespace ablate::reports
