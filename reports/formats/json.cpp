#include "reports/formats/json.h"

#include <algorithm>

#include "reports/analysis/answer.h"
#include "reports/analysis/facts.h"
#include "reports/analysis/tuning/tuning_record.h"
#include "reports/formats/json_costs.h"

namespace ablate::reports {
namespace {

template <class Number>
Json or_null(const std::optional<Number>& value) {
  return value ? Json(*value) : Json();
}

Json interval_json(const std::optional<statistics::Interval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json();
}

/// "mean", "ci", "n" and "values" of an estimate.
Json estimate_json(const Estimate& estimate) {
  Json values = Json::array();
  for (const auto& value : estimate.values) values.push_back(or_null(value));
  return {{"mean", or_null(estimate.mean)},
          {"ci", interval_json(estimate.interval)},
          {"n", estimate.n},
          {"values", values}};
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
  json["q"] = or_null(difference.q);
  json["verdict"] = name_of(difference.verdict);
  json["note"] = difference.note;
  if (difference.primary) json["ci_level"] = 1 - difference.interval_level;
  return json;
}

Json sensitivity_json(const Sensitivity& seen) {
  const Difference& difference = *seen.difference;
  return {{"arm", difference.arm},
          {"metric", difference.metric},
          {"n", difference.over_seeds.n},
          {"mean", or_null(difference.over_seeds.mean)},
          {"ci_t", interval_json(difference.over_seeds.interval)},
          {"ci_bca", interval_json(seen.bca)},
          {"p_sign_flip", or_null(difference.p)},
          {"p_wilcoxon", or_null(seen.wilcoxon_p)},
          {"p_paired_t", or_null(seen.t_p)},
          {"d_z", or_null(seen.d_z)},
          {"probability_better", or_null(seen.probability_better)},
          {"variance_ratio", or_null(seen.variance_ratio)}};
}

Json unpaired_json(const UnpairedDifference& seen) {
  return {{"arm", seen.difference->arm},
          {"metric", seen.difference->metric},
          {"n", seen.n},
          {"n_baseline", seen.of_baseline},
          {"mean", or_null(seen.means.mean)},
          {"ci", interval_json(seen.means.interval)},
          {"p_welch", or_null(seen.welch_p)},
          {"p_mann_whitney", or_null(seen.mann_whitney_p)},
          {"p_dunnett", or_null(seen.dunnett_p)},
          {"hedges_g", or_null(seen.hedges_g)},
          {"probability_better", or_null(seen.probability_better)}};
}

Json item_json(const ItemDifference& seen) {
  return {{"arm", seen.difference->arm},
          {"metric", seen.difference->metric},
          {"seeds", seen.seeds},
          {"items", seen.items},
          {"mean", seen.both.mean},
          {"ci", interval_json(seen.both.interval)},
          {"seed_error", seen.both.seed_error},
          {"item_error", seen.both.item_error},
          {"models_differ", seen.models_differ ? Json(*seen.models_differ) : Json()}};
}

Json similarity_json(const LayerSimilarity& seen) {
  Json json = estimate_json(seen.over_seeds);
  json["arms"] = {seen.first->name, seen.second->name};
  json["layers"] = {seen.first_layer, seen.second_layer};
  return json;
}

Json contrast_json(const Contrast& contrast) {
  Json json = estimate_json(contrast.over_seeds);
  json["p"] = contrast.p;
  return json;
}

Json trend_json(const Analysis& analysis, const Trend& trend) {
  return {{"parameter", trend.parameter},
          {"family", trend.family},
          {"metric", analysis.primary},
          {"swept", trend.values},
          {"per", trend.doublings ? "doubling" : "unit"},
          {"linear", contrast_json(trend.linear)},
          {"quadratic", contrast_json(trend.quadratic)}};
}

/// When the last event of any trial was recorded; null before any. Times of one form sort as text.
Json last_event(const Analysis& analysis) {
  std::string last;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials) last = std::max(last, trial->ended);
  return last.empty() ? Json() : Json(last);
}

Json course_json(const Course& course) {
  Json points = Json::array();
  for (const CoursePoint& point : course.points) {
    Json& json = points.emplace_back(estimate_json(point.over_seeds));
    json["step"] = point.step;
    for (const Quantity quantity : kQuantities)
      json[std::string(name_of(quantity))] = point.mean_amount(quantity);
  }
  return {
      {"metric", course.metric->name}, {"arm", course.arm->name}, {"points", std::move(points)}};
}

Json overtaking_json(const SweptPair& pair) {
  return {{"metric", pair.metric->name},
          {"baseline", pair.first},
          {"arm", pair.second},
          {"along", pair.parameter},
          {"from", pair.from},
          {"to", pair.to},
          {"at_start", estimate_json(pair.at_start)},
          {"at_end", estimate_json(pair.at_end)},
          {"changes", pair.changes},
          {"crossing", or_null(pair.crossing)},
          {"ci", {or_null(pair.low), or_null(pair.high)}}};
}

Json task_json(const TaskSummary& summary, double mean_rank) {
  return {{"arm", summary.arm->name},
          {"interquartile_mean", summary.interquartile},
          {"ci", interval_json(summary.around)},
          {"improvement", or_null(summary.improvement)},
          {"improvement_ci", interval_json(summary.around_improvement)},
          {"mean_rank", mean_rank}};
}

/// Null below the fewest tasks.
Json tasks_json(const std::optional<TaskComparison>& comparison) {
  if (!comparison) return {};
  Json metrics = Json::array(), arms = Json::array(), groups = Json::array();
  for (const MetricRow* task : comparison->tasks) metrics.push_back(task->name);
  for (std::size_t i = 0; i < comparison->arms.size(); ++i)
    arms.push_back(task_json(comparison->arms[i], comparison->ranks.mean_ranks[i]));
  for (const std::vector<std::size_t>& group : comparison->ranks.groups) {
    Json& names = groups.emplace_back(Json::array());
    for (const std::size_t arm : group) names.push_back(comparison->arms[arm].arm->name);
  }
  return {{"metrics", metrics}, {"arms", arms}, {"not_told_apart", groups}};
}

/// An array of what `to_json` makes of each element.
template <class Element, class ToJson>
Json array_of(const std::vector<Element>& elements, const ToJson& to_json) {
  Json array = Json::array();
  for (const Element& element : elements) array.push_back(to_json(element));
  return array;
}

Json arms_json(const Analysis& analysis) {
  return array_of(analysis.arms, [&](const ArmResult& arm) { return arm_json(analysis, arm); });
}

Json trends_json(const Analysis& analysis, const std::vector<Trend>& trends) {
  return array_of(trends, [&](const Trend& trend) { return trend_json(analysis, trend); });
}

}  // namespace

Json to_json(const Analysis& analysis, const Findings& findings) {
  Json ledgers = Json::object(), speeds = Json::object();
  for (const ArmResult& arm : analysis.arms) {
    ledgers[arm.name] = ledger_json(arm);
    speeds[arm.name] = speed_json(arm);
  }
  const bool corrected = analysis.correction == statistics::Correction::holm;
  return {{"experiment", analysis.experiment},
          {"question", analysis.question},
          {"headline", answer(analysis)},
          {"commit", recorded(analysis, "commit")},
          {"date", last_event(analysis)},
          {"analysis",
           {{"primary", analysis.primary.empty() ? Json() : Json(analysis.primary)},
            {"alpha", analysis.alpha},
            {"correction", corrected ? "holm" : "none"},
            {"comparisons", analysis.comparisons},
            {"smallest_effect", or_null(analysis.smallest_effect)}}},
          {"arms", arms_json(analysis)},
          {"differences", array_of(analysis.differences, difference_json)},
          {"sensitivity", array_of(findings.sensitivity, sensitivity_json)},
          {"unpaired", array_of(findings.unpaired, unpaired_json)},
          {"items", array_of(findings.items, item_json)},
          {"similarity", array_of(findings.similarity, similarity_json)},
          {"trends", trends_json(analysis, findings.trends)},
          {"tasks", tasks_json(findings.tasks)},
          {"dynamics",
           {{"courses", array_of(findings.courses, course_json)},
            {"overtaking", array_of(findings.overtaking, overtaking_json)}}},
          {"ledger", ledgers},
          {"speed", speeds},
          {"budgets", budgets_json(analysis)}};
}

Json report_json(const Analysis& analysis, const Findings& findings, const Analysis* common,
                 const Json& plan) {
  Json report = to_json(analysis, findings);
  if (analysis.looks)
    report["analysis"]["looks"] = {{"seeds", analysis.looks->seeds},
                                   {"weights", analysis.looks->weights},
                                   {"complete", analysis.looks->complete}};
  if (common == nullptr) return report;
  report["tuning"] = plan.at("tuning");
  report["tuning"]["depends_on_tuning"] = depend_on_tuning(analysis, *common);
  report["common_rate"] = {{"arms", arms_json(*common)},
                           {"differences", array_of(common->differences, difference_json)}};
  return report;
}

Format json_format() {
  return {"json", [](const Content& content) -> std::vector<ReportFile> {
            const Json document =
                report_json(content.analysis, content.findings, content.common, content.plan);
            return {{"report.json",
                     document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"}};
          }};
}

}  // namespace ablate::reports
