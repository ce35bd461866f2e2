#include "reports/formats/json/json_findings.h"

#include "reports/analysis/declared_trends.h"
#include "reports/formats/json/json_parts.h"

namespace ablate::reports {
namespace {

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

Json area_json(const EntropyArea& seen) {
  return {{"metric", seen.metric->name},
          {"arm", seen.arm->name},
          {"sampler", seen.sampler},
          {"baseline", seen.baseline->name},
          {"baseline_sampler", seen.baseline_sampler},
          {"entropies", {seen.from, seen.to}},
          {"mean_difference", estimate_json(seen.mean_difference)},
          {"area", estimate_json(seen.area)}};
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

Json declared_trend_json(const Analysis& analysis, const TrendContrast& trend) {
  Json json = estimate_json(trend.over_seeds);
  json["parameter"] = trend.along;
  json["family"] = trend.family;
  json["metric"] = trend.metric;
  json["shape"] = shape_of(trend);
  json["swept"] = trend.values;
  json["per"] = trend.doublings ? "doubling" : "unit";
  json["p"] = or_null(trend.p);
  json["p_adjusted"] = or_null(trend.p_adjusted);
  json["verdict"] = trend_verdict(analysis, trend);
  json["note"] = trend.note;
  return json;
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
          {"established", pair.established()},
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
    arms.push_back(task_json(comparison->arms[i], comparison->mean_ranks[i]));
  if (!comparison->ranks)
    return {
        {"metrics", metrics}, {"arms", arms}, {"not_told_apart", nullptr}, {"least_p", nullptr}};
  for (const std::vector<std::size_t>& group : comparison->ranks->groups) {
    Json& names = groups.emplace_back(Json::array());
    for (const std::size_t arm : group) names.push_back(comparison->arms[arm].arm->name);
  }
  return {{"metrics", metrics},
          {"arms", arms},
          {"not_told_apart", groups},
          {"least_p", comparison->least_p}};
}

}  // namespace

Json findings_json(const Analysis& analysis, const Findings& findings) {
  const auto trend = [&](const Trend& one) { return trend_json(analysis, one); };
  const auto declared = [&](const TrendContrast& one) {
    return declared_trend_json(analysis, one);
  };
  return {{"sensitivity", array_of(findings.sensitivity, sensitivity_json)},
          {"unpaired", array_of(findings.unpaired, unpaired_json)},
          {"items", array_of(findings.items, item_json)},
          {"similarity", array_of(findings.similarity, similarity_json)},
          {"entropy_areas", array_of(findings.entropy_areas, area_json)},
          {"declared_trends", array_of(analysis.declared_trends, declared)},
          {"trends", array_of(findings.trends, trend)},
          {"crossings", array_of(findings.crossings, overtaking_json)},
          {"tasks", tasks_json(findings.tasks)},
          {"dynamics",
           {{"courses", array_of(findings.courses, course_json)},
            {"overtaking", array_of(findings.overtaking, overtaking_json)}}}};
}

}  // namespace ablate::reports
