// Tunes an experiment: runs the trials that try every learning rate, extends the rates beyond edges,
// and chooses.

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/trial/plan.h"
#include "harness/plan/tuning/tuned.h"

namespace ablate::run {

/// How often rates are extended beyond an edge.
constexpr std::int64_t kMaxExtensions = 2;

/// What tuning needs of the program that runs it.
struct TuningStage {
  /// The plan that tries these rates; none: those of the file.
  std::function<plan::Plan(const std::vector<double>& rates)> plan_with;

  /// Runs a plan's trials in the tuning folder, as far as they are not done; returns the exit code.
  std::function<int(const plan::Plan& plan)> run;

  std::function<void(const std::string& note)> note;
};

/// The choice, or the exit code of a run that ended before it.
struct TuningResult {
  std::optional<plan::Tuned> tuned;
  int exit_code = 0;
};

/// Goes on with tuning from whatever is done in `results`, the tuning folder, until every arm has a
/// rate. What is done already is neither run nor planned again, and nothing but the journals decides:
/// the same journals give the same choice. Throws std::invalid_argument if an arm diverged at every
/// rate, also at those that were added.
TuningResult tune(const TuningStage& stage, const std::filesystem::path& results);

}  // namespace ablate::run
