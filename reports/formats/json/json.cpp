#include "reports/formats/json/json.h"

#include <algorithm>

#include "reports/analysis/answer/answer.h"
#include "reports/analysis/facts.h"
#include "reports/analysis/tuning/tuning_record.h"
#include "reports/findings/json_parts.h"
#include "reports/formats/json/json_answer.h"
#include "reports/formats/json/json_costs.h"
#include "reports/tables/record_tables.h"

namespace ablate::reports {
namespace {

/// As estimate_json(); without values, which is null, where the report has too many trials for that.
Json shown(const Analysis& analysis, const Estimate& estimate) {
  Json json = estimate_json(estimate);
  if (!has_every_value(analysis)) json["values"] = nullptr;
  return json;
}

Json arm_json(const Analysis& analysis, const ArmResult& arm) {
  Json seeds = Json::array();
  for (const store::TrialRecord* trial : arm.trials) seeds.push_back(trial->seed);
  Json metrics = Json::object();
  for (const auto& [name, estimate] : arm.metrics) {
    const MetricRow& row = *analysis.metric(name);
    Json& metric = metrics[name] = shown(analysis, estimate);
    metric["unit"] = row.unit;
    metric["better"] = name_of(row.better);
    metric["comparable_across"] = name_of(row.comparable_across);
    metric["meaning"] = row.description;
    metric["label"] = row.label;
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

Json comparison_json(const Analysis& analysis, const Difference& difference) {
  Json json = shown(analysis, difference.over_seeds);
  json["arm"] = difference.arm;
  json["metric"] = difference.metric;
  json["primary"] = difference.primary;
  json["p"] = or_null(difference.p);
  json["p_adjusted"] = or_null(difference.p_adjusted);
  json["p_equivalent"] = or_null(difference.p_equivalent);
  json["p_non_inferior"] = or_null(difference.p_non_inferior);
  json["non_inferior"] = difference.non_inferior;
  json["q"] = or_null(difference.q);
  json["verdict"] = name_of(difference.verdict);
  json["note"] = difference.note;
  if (difference.primary) json["ci_level"] = 1 - difference.interval_level;
  return json;
}

/// When the last event of any trial was recorded; null before any. Times of one form sort as text.
Json last_event(const Analysis& analysis) {
  std::string last;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials) last = std::max(last, trial->ended);
  return last.empty() ? Json() : Json(last);
}

Json differences_json(const Analysis& analysis) {
  return array_of(analysis.differences, [&](const Difference& difference) {
    return comparison_json(analysis, difference);
  });
}

Json arms_json(const Analysis& analysis) {
  return array_of(analysis.arms, [&](const ArmResult& arm) { return arm_json(analysis, arm); });
}

Json analysis_json(const Analysis& analysis) {
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
          {"differences", differences_json(analysis)},
          {"ledger", ledgers},
          {"speed", speeds},
          {"budgets", budgets_json(analysis)}};
}

}  // namespace

Json report_json(const Analysis& analysis, const Findings& findings,
                 const std::vector<Statement>& answer, const Analysis* common) {
  Json report = analysis_json(analysis);
  report["findings"] = answer_json(answer);
  for (const Finding& finding : findings)
    for (const Records& records : finding.records)
      if (!records.path.empty()) report[Json::json_pointer(path_to(records.path))] = records.json;
  if (analysis.looks)
    report["analysis"]["looks"] = {{"seeds", analysis.looks->seeds},
                                   {"weights", analysis.looks->weights},
                                   {"complete", analysis.looks->complete}};
  if (common == nullptr) return report;
  Json tuning = *analysis.plan.tuning;
  tuning["depends_on_tuning"] = depend_on_tuning(analysis, *common);
  report["tuning"] = std::move(tuning);
  report["common_rate"] = {{"arms", arms_json(*common)},
                           {"differences", differences_json(*common)}};
  return report;
}

Format json_format() {
  return {"json", [](const Content& content) -> std::vector<ReportFile> {
            std::vector<ReportFile> files(1);  // an initializer list would copy the text
            files.front() = {"report.json",
                             content.json.dump(2, ' ', false, Json::error_handler_t::replace)};
            files.front().bytes += '\n';
            return files;
          }};
}

}  // namespace ablate::reports
