// Tables of all trials, of failures and of provenance.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A page of more trials than these names none but those that did not complete: with every value it would have
/// hundreds of megabytes. Values by seed are then in trials_wide.csv, the index and, where they are not too many, report.json.
constexpr std::int64_t kMostTrialsNamed = 2000;

/// A report of more trials than these has no trials.csv, with a row for each trial and metric, and no
/// values by seed in the arms and differences of report.json.
constexpr std::int64_t kMostTrialsInRows = 20'000;

/// Whether pages name every trial, and give the value of every seed.
inline bool names_trials(const Analysis& analysis) { return analysis.trials() <= kMostTrialsNamed; }

/// Whether tables and documents for programs give every value of every trial.
inline bool has_every_value(const Analysis& analysis) {
  return analysis.trials() <= kMostTrialsInRows;
}

/// The anchor of a trial's row: of an arm of the analysis and a trial of the arm, by index.
std::string trial_anchor(std::size_t arm, std::size_t trial);

/// A row for each trial: id, seed, outcome, attempts, steps and seconds.
Table trials_table(const Analysis& analysis);

/// Machine, code and libraries: a row for each fact; where trials differ, each value with its
/// number of trials.
Table provenance_table(const Analysis& analysis);

/// A line for each arm that has records and each outcome other than completed: "mlm: 1 of 6 trials
/// diverged (seed 3)".
std::vector<std::string> failures(const Analysis& analysis);

/// A line for each arm and the completed trials that lack metrics which the arm yields, where no probe
/// said why: "mlm: 2 of 6 completed trials have no finite held_out.excess (seeds 2, 4)".
std::vector<std::string> missing_values(const Analysis& analysis);

/// The first line of the message of each of these trials: "mlm, seed 3, diverged: loss was nan".
std::vector<std::string> messages(const Analysis& analysis);

/// A line for each reason why a device could not record training steps, and the number of trials:
/// they trained more slowly, and their times are not those of the others.
std::vector<std::string> unrecorded(const Analysis& analysis);

}  // namespace ablate::reports
