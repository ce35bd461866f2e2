// Small records built in code, for the tests of reports.

#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/contract/metrics/bound.h"
#include "harness/store/index/records.h"
#include "harness/store/plan/stored_bound.h"

namespace ablate::reports {

/// A plan's metric row.
inline Json metric_row(const std::string& name, const std::string& unit, const std::string& better,
                       const std::string& across, const std::vector<Bound>& bounds = {}) {
  return {{"name", name},
          {"unit", unit},
          {"better", better},
          {"comparable_across", across},
          {"meaning", "what " + name + " means"},
          {"bounds", store::bounds_json(bounds)}};
}

/// A plan's row of an accuracy that is the score of a task.
inline Json task_row(const std::string& name, const std::vector<Bound>& bounds = {}) {
  Json row = metric_row(name, "fraction", "higher", "all arms", bounds);
  row["task"] = true;
  return row;
}

/// A plan's row of one of several metrics that differ in a number.
inline Json indexed_row(Json row, std::int64_t value, const std::string& family) {
  row["index"] = {{"value", value}, {"name", family}, {"meaning", "what " + family + " means"}};
  return row;
}

inline Json small_metrics() {
  const Bound optimum = Bound::ceiling("held_out.optimum"),
              no_context = Bound::no_context("held_out.context_free");
  Json rows = {
      metric_row("held_out.loss", "nats/target", "lower", "same objective and setting",
                 {optimum, no_context}),
      metric_row("held_out.optimum", "nats/target", "neither", "same objective and setting"),
      metric_row("held_out.excess", "nats/target", "lower", "all arms",
                 {no_context.minus("held_out.optimum")}),
      task_row("topic.accuracy",
               {Bound::ceiling("topic.bayes"), Bound::untrained("topic.untrained")}),
      metric_row("topic.bayes", "fraction", "neither", "all arms")};
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i]["subject"] = i < 3 ? "Held-out text" : "Classification by topic";
  return rows;
}

/// An arm of the plan: its objective and one setting of it.
inline Json plan_arm(const std::string& name, bool baseline, const std::string& objective,
                     double rate) {
  return {{"name", name},
          {"baseline", baseline},
          {"objective", objective},
          {"config", {{"objective", {{"type", objective}, {"rate", rate}}}}}};
}

/// A completed trial whose excess is `excess`; its other metrics follow from it and the seed.
inline store::TrialRecord small_trial(const std::string& arm, std::int64_t seed, double excess) {
  store::TrialRecord trial{
      .id = fmt::format("{}-{}", arm, seed), .arm = arm, .seed = seed, .outcome = "completed"};
  trial.attempts = 1;
  trial.metrics = {{"held_out.loss", 2 + excess},
                   {"held_out.optimum", 2},
                   {"held_out.excess", excess},
                   {"topic.accuracy", 1 - excess / 4},
                   {"topic.bayes", 1}};
  trial.ledger = {{"steps", 100}, {"text_tokens", 1600000}, {"targets", seed * 1000}};
  trial.provenance = {{"libtorch", "1.13.1"}, {"machine", {{"cpu", "a processor"}}}};
  std::vector<store::CurvePoint> curve;
  for (int step = 0; step <= 100; step += 10)
    curve.push_back({step, step * 160.0, 4 - step * 0.02 + 0.01 * static_cast<double>(seed)});
  trial.curve = curve;
  trial.samples = {{"the sample of " + arm, {{"log_probability", -2.5}}}};
  return trial;
}

/// Causal against masked LM over six seeds; clm is the baseline, and better by about half a nat.
inline store::Records small_records() {
  store::Records records;
  records.plan = {
      {"experiment", "small"},
      {"question", "Which learns more?"},
      {"arms", {plan_arm("clm", true, "causal_lm", 0), plan_arm("mlm", false, "masked_lm", 0.15)}},
      {"metrics", {{"clm", small_metrics()}, {"mlm", small_metrics()}}},
      {"analysis", {{"primary", "held_out.excess"}, {"alpha", 0.05}, {"correction", "holm"}}},
      {"ledger", Json::array()},
      {"warnings", {"the plan warns"}},
      {"match", {{{"on", "tokens"}, {"spread", 0.002}, {"tolerance", 0.01}}}}};
  const std::vector<double> clm = {.21, .24, .22, .20, .23, .25};
  const std::vector<double> mlm = {.70, .75, .74, .69, .71, .77};
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    const auto i = static_cast<std::size_t>(seed - 1);
    records.trials.push_back(small_trial("clm", seed, clm[i]));
    records.trials.push_back(small_trial("mlm", seed, mlm[i]));
  }
  return records;
}

/// Two arms over six seeds, with these gains in accuracy over the untrained model.
inline store::Records with_gains(double clm, double mlm) {
  store::Records records = small_records();
  records.plan["analysis"]["primary"] = "topic.accuracy";
  for (const char* arm : {"clm", "mlm"})
    records.plan["metrics"][arm].push_back(
        metric_row("topic.untrained", "fraction", "neither", "all arms"));
  for (store::TrialRecord& trial : records.trials) {
    const double noise = trial.seed % 2 == 0 ? .01 : -.01;
    trial.metrics["topic.untrained"] = .25;
    trial.metrics["topic.accuracy"] = .25 + (trial.arm == "clm" ? clm : mlm) + noise;
  }
  return records;
}

/// The trial of that arm and seed.
inline store::TrialRecord& trial_of(store::Records& records, const std::string& arm,
                                    std::int64_t seed) {
  for (store::TrialRecord& trial : records.trials) {
    if (trial.arm == arm && trial.seed == seed) return trial;
  }
  throw std::logic_error("no such trial");
}

}  // namespace ablate::reports
