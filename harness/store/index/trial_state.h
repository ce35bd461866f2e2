// The state of a trial, computed from the events of its journal.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/store/index/curve_text.h"
#include "harness/store/index/records.h"

namespace ablate::store {

/// One attempt at a trial: from the start of a worker to an outcome or an interruption.
struct Attempt {
  std::int64_t number = 0;
  std::string started;  // UTC, of its first event
  std::string ended;    // UTC, of its last event so far
  std::string outcome;  // completed, failed, diverged, stopped; empty while none was written
  std::string message;
  Json provenance;
};

/// A measurement of the trial by a probe.
struct StoredMeasurement {
  std::string id;
  std::string probe;
  std::int64_t attempt = 0;
  std::optional<TrainingPoint> at;  // on the way; empty: of what is trained
  std::map<std::string, double> metrics;
  Json details;
  std::vector<Sample> samples;
  std::optional<MeasuringTime> spent;  // empty: an older version, which kept none
};

/// A measurement that was tried and failed.
struct StoredFailure {
  std::string id;
  std::string probe;
  std::int64_t attempt = 0;
  std::string message;
  std::vector<std::string> groups;   // what the names of the probe's metrics begin with
  std::optional<std::int64_t> step;  // on the way; empty: of what is trained
};

/// A checkpoint, or the weights at the end of a phase or on the way.
struct StoredCheckpoint {
  std::int64_t step = 0;
  std::int64_t attempt = 0;
  std::string file;  // in the folder of the journal
  std::string sha256;
};

/// The duration of one stage of an attempt.
struct StoredStage {
  std::int64_t attempt = 0;
  std::string stage;  // data, model, train, probes
  double seconds = 0;
  std::int64_t lanes = 1;  // trials of the bank that took these seconds together
};

/// The state of a trial.
struct TrialState {
  /// Of the last attempt: completed, failed, diverged, or unfinished where it was stopped, was cut
  /// off, is still going on, or never began.
  std::string outcome = "unfinished";
  std::string message;
  std::vector<Attempt> attempts;
  CurveText curve;                // by step; the last attempt of each, see trial_state()
  std::vector<LossSpike> spikes;  // by step; none in journals of older versions
  std::vector<StoredCheckpoint> checkpoints;    // by step; the last attempt of each
  std::vector<StoredCheckpoint> phases;         // weights at the ends of phases, by step
  std::vector<StoredCheckpoint> snapshots;      // weights on the way, by step
  std::vector<StoredMeasurement> measurements;  // the last of each id
  std::vector<StoredFailure> failures;          // the last of each id that was not measured since
  std::vector<StoredStage> stages;              // as they came
  Json trial;  // its JSON, as the last attempt was given it; null before any attempt
  Json
      ledger;  // the last one written; null before any; with "share_not_training" and "share_probing"

  /// How many of these measurements it does not have.
  std::int64_t missing(const std::vector<std::string>& measurement_ids) const;

  /// How many of these measurements were tried and failed; they are missing, too.
  std::int64_t failed(const std::vector<std::string>& measurement_ids) const;

  /// Seconds of all stages of all attempts.
  double seconds() const;

  /// The fraction of the trial's time that these stages took ("data", "model", "train" or "probes"). A
  /// bank's time is divided equally among its trials. NaN where no stage was written.
  double fraction_in(std::string_view stage) const;
};

/// Computes the state from the events of a journal. An attempt that resumes from a checkpoint
/// replaces what previous attempts wrote for its first step and later ones. Throws DamagedFile,
/// naming `file`, for events that this version does not know, and where the trial is not the one
/// whose folder the file is in.
TrialState trial_state(const std::vector<Json>& events, const std::filesystem::path& file);

/// As trial_state() of the events in the bytes of a journal. Throws as that and journal_events().
TrialState trial_state(std::string_view journal, const std::filesystem::path& file);

/// The state of a trial, read from its journal; where the file does not exist, that of a trial
/// without events. Throws as trial_state() and read_journal().
TrialState read_trial_state(const std::filesystem::path& journal);

}  // namespace ablate::store
