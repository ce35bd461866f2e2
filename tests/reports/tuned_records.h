// Records of an experiment whose learning rates were tuned.

#pragma once

#include "tests/reports/records.h"

namespace ablate::reports {

/// What tuning has found for an arm: two seeds at three rates, of which the last may diverge.
inline Json tuned_arm(const std::string& arm, double rate, const std::vector<double>& means,
                      bool diverged = false) {
  Json json = {{"arm", arm},   {"rate", rate},      {"best_rate", rate},
               {"edge", ""},   {"trials", 6},       {"diverged", diverged ? 1 : 0},
               {"flops", 6e9}, {"initial_loss", 5}, {"tried", Json::array()}};
  const std::vector<double> rates = {1e-3, 1e-2, 1e-1};
  for (std::size_t i = 0; i < rates.size(); ++i)
    json["tried"].push_back({{"rate", rates[i]}, {"values", {means[i] - .01, means[i] + .01}}});
  if (diverged) json["tried"].back()["values"].back() = nullptr;
  return json;
}

/// Causal against masked LM over six seeds. At its own rate mlm is worse than clm; at the common one,
/// as a copy of the arm, it is better.
inline store::Records tuned_records() {
  store::Records records = small_records();
  Json copy = records.plan["arms"][1];
  copy["name"] = "mlm[learning_rate=0.01]";
  copy["of"] = "mlm";
  records.plan["arms"].push_back(copy);
  records.plan["metrics"]["mlm[learning_rate=0.01]"] = small_metrics();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    const double excess = .1 + .01 * static_cast<double>(seed % 3);
    records.trials.push_back(small_trial("mlm[learning_rate=0.01]", seed, excess));
  }
  for (store::TrialRecord& trial : records.trials) trial.ledger["flops"] = 1e9;
  records.plan["tuning"] = {
      {"stage", "result"},
      {"criterion",
       metric_row("held_out.loss", "nats/target", "lower", "same objective and setting")},
      {"rates", {1e-3, 1e-2, 1e-1}},
      {"seeds", {1000001, 1000002}},
      {"extensions", 1},
      {"common_rate", 1e-2},
      {"flops", 12e9},
      {"arms",
       {tuned_arm("clm", 1e-2, {3.0, 2.0, 4.0}), tuned_arm("mlm", 1e-3, {2.5, 3.5, 6.0}, true)}}};
  return records;
}

}  // namespace ablate::reports
