// Reads the section "tuning": the learning rates that every arm tries before the result is made.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/param.h"
#include "harness/plan/file/sources.h"

namespace ablate::plan {

struct ResolvedArm;

/// The section "tuning".
struct Tuning {
  std::vector<double> rates;        // learning rates that every arm tries first, ascending
  std::int64_t extension = 0;       // rates added beyond an edge at a time; 0: none
  std::string criterion;            // the metric that chooses
  double development = 0;           // fraction of the training documents to measure it on
  std::vector<std::int64_t> seeds;  // of the tuning trials; none is a seed of the result
  Json section = {};                // as resolved
};

/// The first seed of tuning trials; the others follow it. They do not depend on the seeds of the
/// result, so that more seeds can be added to an experiment that was tuned.
constexpr std::int64_t kFirstTuningSeed = 1'000'001;

constexpr std::size_t kMaxTunedRates = 64;

/// The row of "train" that is tuned, with the range that rates stay in.
const Param& learning_rate_row();

/// The section "tuning", if the file has one. `seeds`: of the result. Adds everything that is
/// refused to `faults`.
std::optional<Tuning> read_tuning(const Sources& sources, const std::vector<std::int64_t>& seeds,
                                  Faults& faults);

/// Refuses arms whose learning rate cannot be tuned: those that set it themselves, and those that
/// train in phases, each with its own.
void check_tuned(const Sources& sources, const std::vector<ResolvedArm>& arms, Faults& faults);

}  // namespace ablate::plan
