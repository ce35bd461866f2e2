// Hostile names at every position of an experiment's records.

#pragma once

#include <string>

#include "tests/reports/records.h"

namespace ablate::reports {

inline const std::string kHostile =
    "</script><img src=x onerror=alert(1)>\\input{/etc/passwd}|`x`\x1b[31m\n\"'&$#_%^~\r=cmd";

/// The small experiment with hostile text wherever others may write.
inline store::Records hostile_records() {
  store::Records records = small_records();
  const std::string arm = "=cmd|' /C calc'!A0 " + kHostile;
  records.plan["experiment"] = kHostile;
  records.plan["question"] = "# " + kHostile;
  records.plan["arms"][1]["name"] = arm;
  records.plan["arms"][0]["label"] = kHostile;
  records.plan["arms"][1]["objective"] = kHostile;
  records.plan["warnings"] = {kHostile};
  Json rows = small_metrics();
  rows.push_back(metric_row(kHostile, kHostile, "lower", "all arms"));
  rows.push_back(metric_row(kHostile + ".x", kHostile, "neither", kHostile));
  records.plan["metrics"] = {{"clm", rows}, {arm, rows}};
  records.plan["analysis"]["primary"] = kHostile;
  records.plan["match"][0]["on"] = kHostile;
  for (store::TrialRecord& trial : records.trials) {
    if (trial.arm == "mlm") trial.arm = arm;
    trial.id += kHostile;
    trial.metrics[kHostile] = trial.metrics["held_out.excess"];
    trial.metrics[kHostile + ".x"] = 1;
    trial.ledger[kHostile] = kHostile;
    trial.ledger["objective"] = {{kHostile, static_cast<double>(trial.seed)}};
    trial.provenance[kHostile] = kHostile + trial.id;
    trial.samples = {{kHostile + " more", {{kHostile, kHostile}, {"prompt", kHostile}}}};
  }
  records.trials.front().outcome = "failed";
  records.trials.front().message = kHostile;
  return records;
}

}  // namespace ablate::reports
