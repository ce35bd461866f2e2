// Records as wide as those of the widest experiment that is shipped.

#pragma once

#include "tests/reports/records.h"

namespace ablate::reports {

/// Twelve arms with long names, sixty metrics of eight probes, and hashes and paths in what trials
/// recorded.
inline store::Records wide_records() {
  store::Records records = small_records();
  Json rows = small_metrics();
  for (int i = 0; i < 55; ++i) {
    const std::string name = fmt::format("{}.{}_at_{}", i % 2 ? "minimal_pairs" : "held_out",
                                         i % 3 ? "accuracy_of_agreement" : "loss", i);
    rows.push_back(metric_row(name, i % 3 ? "fraction" : "nats/target",
                              i % 5 == 0   ? "neither"
                              : i % 3 == 0 ? "lower"
                                           : "higher",
                              "all arms"));
  }
  records.plan["arms"] = Json::array();
  records.plan["metrics"] = Json::object();
  records.trials.clear();
  records.plan["sha256"] = std::string(64, 'a');
  records.plan["analysis"]["smallest_effect"] = 0.02;
  for (int arm = 0; arm < 12; ++arm) {
    const std::string name =
        arm == 0 ? "clm"
                 : fmt::format("span_corruption[noise_density=0.{},mean_span_length=3]", 9 + arm);
    Json about =
        plan_arm(name, arm == 0, arm == 0 ? "causal_lm" : "span_corruption", .01 * (9 + arm));
    for (const char* setting : {"mean_span_length", "layout_of_inputs", "sentinels", "loss_on_all"})
      about["config"]["objective"][setting] = fmt::format("{}_{}", setting, arm);
    records.plan["arms"].push_back(about);
    records.plan["metrics"][name] = rows;
    for (std::int64_t seed = 1; seed <= 6; ++seed) {
      store::TrialRecord trial = small_trial(
          name, seed, .2 + .03 * arm + .002 * static_cast<double>((seed * 7 + arm) % 5));
      for (const Json& row : rows)
        if (const auto metric = row["name"].get<std::string>(); !trial.metrics.contains(metric))
          trial.metrics[metric] = .1 * arm + .0123 * static_cast<double>(seed % 4);
      for (const char* key : {"flops", "seconds", "parameters", "targets_of_the_loss", "text_bytes",
                              "peak_memory_bytes", "tokens_in_the_decoder"})
        trial.ledger[key] = 1234567. * (arm + 1);
      trial.ledger["realised"] = {{"corruption", .1 + .01 * arm},
                                  {"prediction", .2},
                                  {"mean_span", 3.1},
                                  {"sentinels_a_text", 4.5},
                                  {"tokens_of_the_encoder", 55.5}};
      trial.ledger["intended"] = {{"corruption", .1 + .01 * arm}};
      trial.provenance["program_sha256"] = std::string(64, 'f');
      trial.provenance["commit"] = std::string(40, 'c');
      trial.provenance["arguments"] = {"ablate", "run",
                                       "/a/path/to/some/where/compare_objectives.json"};
      records.trials.push_back(std::move(trial));
    }
  }
  return records;
}

}  // namespace ablate::reports
