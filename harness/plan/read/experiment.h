// Reads an experiment file: every default is filled in and every arm is made, but nothing is
// priced.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/plan/file/overrides.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/file/sweep.h"

namespace ablate::plan {

/// An arm with its resolved sections and the assignments that they were made from.
struct ResolvedArm {
  std::string name;
  Json model;      // {"backbone", ...}
  Json objective;  // {"type", ...}
  Json train;
  std::string entry;  // JSON pointer to the entry of "arms"
  std::vector<Assignment> assignments;
};

/// An experiment as it was read.
struct Experiment {
  std::string name;
  std::string question;
  Json corpus;  // {"kind", ...}
  std::vector<ResolvedArm> arms;
  std::size_t baseline = 0;  // index of the arm
  std::vector<std::int64_t> seeds;
  Json match;
  Json probes;  // [{"type", ...}]
  Json analysis;
  Json limits;
  std::vector<std::string> warnings;
  std::shared_ptr<const Sources> sources;  // for the places of faults that are found later
};

/// Reads an experiment file. Throws ExperimentRefused with all faults that can be found without the
/// corpus.
Experiment read_experiment(const Catalog& catalog, const std::filesystem::path& file,
                           const Overrides& overrides);

/// Where a setting of an arm was given: by the arm, or else by the defaults that it starts from.
/// `pointer`: relative to the arm's sections, such as "/objective/rate". `key`: the place of the
/// key instead of the value.
Place place_in_arm(const Sources& sources, const ResolvedArm& arm, const std::string& pointer,
                   bool key = false);

/// The experiment after "extends", overrides and defaults, as stored in plans and records.
Json resolved_json(const Experiment& experiment);

}  // namespace ablate::plan
