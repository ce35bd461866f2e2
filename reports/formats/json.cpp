#include "reports/formats/json.h"

#include <algorithm>

namespace ablate::reports {
namespace {

template <class Number>
Json or_null(const std::optional<Number>& value) {
  return value ? Json(*value) : Json();
}

/// "mean", "ci", "n" and "values" of an estimate.
Json estimate_json(const Estimate& estimate) {
  Json values = Json::array();
  for (const auto& value : estimate.values) values.push_back(or_null(value));
  Json ci;
  if (estimate.interval) ci = {estimate.interval->low, estimate.interval->high};
  return {{"mean", or_null(estimate.mean)}, {"ci", ci}, {"n", estimate.n}, {"values", values}};
}

Json arm_json(const Analysis& analysis, const ArmResult& arm) {
  Json seeds = Json::array();
  for (const store::TrialRecord* trial : arm.trials) seeds.push_back(trial->seed);
  Json metrics = Json::object();
  for (const auto& [name, estimate] : arm.metrics) {
    const MetricRow& row = *analysis.metric(name);
    Json& metric = metrics[name] = estimate_json(estimate);
    metric["unit"] = row.unit;
    metric["better"] = name_of(row.better);
    metric["comparable_across"] = name_of(row.comparable_across);
    metric["meaning"] = row.description;
    for (const auto& [caveat, arms] : row.caveats)
      if (std::find(arms.begin(), arms.end(), arm.name) != arms.end()) metric["caveat"] = caveat;
  }
  return {{"name", arm.name},
          {"label", arm.label},
          {"baseline", arm.baseline},
          {"objective", arm.objective},
          {"trials", arm.trials.size()},
          {"failed", arm.failed + arm.diverged},
          {"diverged", arm.diverged},
          {"unfinished", arm.unfinished},
          {"seeds", seeds},
          {"metrics", metrics}};
}

Json difference_json(const Difference& difference) {
  Json json = estimate_json(difference.over_seeds);
  json["arm"] = difference.arm;
  json["metric"] = difference.metric;
  json["primary"] = difference.primary;
  json["p"] = or_null(difference.p);
  json["p_adjusted"] = or_null(difference.p_adjusted);
  json["p_equivalent"] = or_null(difference.p_equivalent);
  json["verdict"] = name_of(difference.verdict);
  json["note"] = difference.note;
  return json;
}

}  // namespace

Json to_json(const Analysis& analysis) {
  Json arms = Json::array();
  for (const ArmResult& arm : analysis.arms) arms.push_back(arm_json(analysis, arm));
  Json differences = Json::array();
  for (const Difference& difference : analysis.differences) {
    differences.push_back(difference_json(difference));
  }
  const bool corrected = analysis.correction == statistics::Correction::holm;
  return {{"experiment", analysis.experiment},
          {"question", analysis.question},
          {"analysis",
           {{"primary", analysis.primary.empty() ? Json() : Json(analysis.primary)},
            {"alpha", analysis.alpha},
            {"correction", corrected ? "holm" : "none"},
            {"comparisons", analysis.comparisons},
            {"smallest_effect", or_null(analysis.smallest_effect)}}},
          {"arms", arms},
          {"differences", differences}};
}

Format json_format() {
  return {"json", [](const Content& content) -> std::vector<ReportFile> {
            const Json document = to_json(content.analysis);
            return {{"report.json",
                     document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"}};
          }};
}

}  // namespace ablate::reports
