#include "reports/formats/probe_csv.h"

#include "reports/text/csv_writer.h"

namespace ablate::reports {
namespace {

void put_estimate(Csv& csv, const Estimate& seen) {
  const bool known = seen.interval.has_value();
  csv.number(seen.mean);
  csv.number(known ? std::optional(seen.interval->low) : std::nullopt);
  csv.number(known ? std::optional(seen.interval->high) : std::nullopt);
  csv.number(seen.n);
}

std::int64_t times_chosen(const SettingCurve& curve, double at) {
  std::int64_t seeds = 0;
  for (const std::optional<double>& chosen : curve.chosen) seeds += chosen == at;
  return seeds;
}

}  // namespace

std::string curves_csv(const Content& content) {
  Csv csv({"experiment", "arm", "metric", "unit", "along", "at", "mean", "ci_low", "ci_high",
           "seeds", "chosen_by_seeds", "label"});
  for (const SettingCurve& curve : content.findings.curves)
    for (const SettingCurvePoint& point : curve.points) {
      csv.text(content.analysis.experiment).text(curve.arm->name).text(curve.metric->name);
      csv.text(curve.metric->unit).text(curve.along).number(std::optional(point.at));
      put_estimate(csv, point.over_seeds);
      if (most_chosen(curve))
        csv.number(times_chosen(curve, point.at));
      else
        csv.text("");
      csv.text(curve.arm->label).end();
    }
  return csv.str();
}

std::string parts_csv(const Content& content) {
  Csv csv({"experiment", "arm", "metric", "by", "part", "items", "mean", "ci_low", "ci_high",
           "seeds", "item_error", "label"});
  for (const ArmParts& arm : content.findings.parts)
    for (const PartScore& part : arm.parts) {
      csv.text(content.analysis.experiment).text(arm.arm->name).text(arm.metric->name);
      csv.text(arm.by).text(part.name).number(part.items);
      put_estimate(csv, part.over_seeds);
      csv.number(std::optional(part.item_error)).text(arm.arm->label).end();
    }
  return csv.str();
}

}  // namespace ablate::reports
