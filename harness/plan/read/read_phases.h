// Reads the phases of an arm from its section "train".

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/plan/read/experiment.h"
#include "harness/plan/rows/phase_params.h"

namespace ablate::plan {

/// What resolve_phases() needs to know about the arm.
struct PhaseReading {
  const Catalog& catalog;
  const ResolvedArm& arm;  // with its other sections resolved
  Json corpus;             // the experiment's section as given, with absolute paths

  /// The given corpus section with absolute paths. `pointer`: where it is, relative to the section
  /// "train".
  std::function<Json(Json section, const std::string& pointer)> placed;
};

/// `given` with everything filled in: [{"name", "objective", "members": [{"corpus", "share"}],
/// "context", and the settings of kPhaseSettings}]. A corpus is a section or "main", the
/// experiment's. Adds every error to `refusals`, with pointers relative to the section "train".
Json resolve_phases(const PhaseReading& reading, const Json& given, std::vector<Refusal>& refusals);

}  // namespace ablate::plan
