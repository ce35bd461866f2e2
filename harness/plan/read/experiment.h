// An experiment file as it is understood: every default filled in, every arm made, nothing priced.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/plan/file/overrides.h"
#include "harness/plan/file/sweep.h"
#include "harness/plan/rows/sections.h"

namespace ablate::plan {

/// An arm with its resolved sections, and what it was made from.
struct ResolvedArm {
  std::string name;
  Json model;      // {"backbone", ...}
  Json objective;  // {"type", ...}
  Json train;
  std::string entry;  // pointer of the entry of "arms"
  std::vector<Assignment> assignments;
};

struct Experiment {
  std::string name;
  std::string question;
  Json corpus;  // {"kind", ...}
  std::vector<ResolvedArm> arms;
  std::size_t baseline = 0;  // index of an arm
  std::vector<std::int64_t> seeds;
  Json match;
  Json probes;  // [{"type", ...}]
  Json analysis;
  Json limits;
  std::vector<std::string> warnings;
  std::shared_ptr<const Sources> sources;  // for the places of what is found wrong later
};

/// Reads an experiment file. Throws ExperimentRefused with all that can be known to be wrong
/// without the corpus.
Experiment read_experiment(const Catalog& catalog, const std::filesystem::path& file,
                           const Overrides& overrides);

/// Where a setting of an arm was given: by the arm, else by what it started from. `pointer` is
/// below the arm's sections: "/objective/rate".
Place place_in_arm(const Sources& sources, const ResolvedArm& arm, const std::string& pointer,
                   bool key = false);

/// The experiment after extends, overrides and defaults, as it is recorded.
Json resolved_json(const Experiment& experiment);

}  // namespace ablate::plan
