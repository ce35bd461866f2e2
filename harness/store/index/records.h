// The results of an experiment, read from the SQLite index for reports.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/details/probe_details.h"
#include "harness/store/index/details/temperature_curve.h"
#include "harness/store/index/details/trial_time.h"
#include "harness/store/index/values/curve.h"
#include "harness/store/index/values/metric_values.h"
#include "harness/store/journal/curve_point.h"

namespace ablate::store {

/// A point of training, by what had been used so far in every unit.
struct TrainingPoint {
  std::int64_t step = 0;
  double text_tokens = 0;
  double targets = 0;
  double flops = 0;
  double seconds = 0;
};

/// What was measured at a point on the way to the end of training.
struct MeasuredPoint {
  TrainingPoint at;
  MetricValues metrics;
};

/// A generated text that a probe stored.
struct Sample {
  std::string text;
  Json about;              // {"log_probability": nats/token, ...}
  std::string probe = {};  // that stored it; empty: not known
};

/// The stored results of one trial.
struct TrialRecord {
  std::string id;
  std::string arm;
  std::int64_t seed = 0;
  std::string outcome;  // completed, failed, diverged, unfinished
  std::string message;  // why it failed
  std::int64_t attempts = 0;
  std::string journal;         // its path in the results folder; empty before any
  std::string journal_sha256;  // of the journal that this was read from; empty before any
  std::string started, ended;  // UTC, of its first and last event; empty before any
  MetricValues metrics;        // of what is trained
  std::map<std::string, std::vector<double>> items;  // by metric, its values by test item
  std::map<std::string, std::string> item_sets;      // by metric, which items; absent: those of all
  std::vector<std::vector<double>> kernels;  // by layer: two have CKA as their cosine; may be empty
  std::vector<TemperatureCurve> temperatures;  // of what it generates
  std::vector<MeasuredPoint> on_the_way;       // by step
  std::vector<ProbeCurve> probe_curves;        // by a setting of a probe
  std::vector<ScoreParts> parts;               // of the items of some metrics
  std::vector<SplitSizes> splits;              // of probes of labelled or paired text
  std::map<std::string, std::string> absent;  // by metric or group of metrics, why it has no number
  Json ledger;      // parameters, text tokens, targets, steps, epochs, flops, seconds, peak memory,
                    // realised rates
  Json provenance;  // of the last attempt that was not for measuring alone
  Curve curve;
  std::vector<LossSpike> spikes;  // by step; none in journals of older versions
  std::vector<Sample> samples;    // of what is trained
  TrialTime time;                 // where it went; without stages before one has ended
};

/// The stored results of an experiment.
struct Records {
  Json plan;  // the frozen plan, as `plan --json` prints it, and the resolved experiment under
              // "resolved"
  std::vector<TrialRecord> trials;  // in the plan's order; one never started is "unfinished"
  ExperimentFiles experiment;       // the files of the experiment; none where they are lost
};

/// All results of a results folder; updates its index first. Throws std::runtime_error where the
/// folder has no results, DamagedFile where they do not verify.
Records load_records(const std::filesystem::path& results);

}  // namespace ablate::store
