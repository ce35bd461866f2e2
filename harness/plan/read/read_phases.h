// The phases of an arm, from its "train" section.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/plan/read/experiment.h"
#include "harness/plan/rows/phase_params.h"

namespace ablate::plan {

/// What the phases of an arm are resolved with.
struct PhaseReading {
  const Catalog& catalog;
  const ResolvedArm& arm;  // its other sections, resolved; the budget is what shares are of
  Json corpus;             // the experiment's section as it is given, paths made absolute

  /// A corpus section as it is given, its paths made absolute by where the phases were given;
  /// `pointer` is below the "train" section.
  std::function<Json(Json section, const std::string& pointer)> placed;
};

/// `given` with everything filled in: [{"name", "objective", "members": [{"corpus", "share"}],
/// "context", and the settings of kPhaseSettings}]. A corpus is "main", the experiment's, or a
/// section. Whatever is wrong is added to `refusals`, whose pointers are below the "train" section.
Json resolve_phases(const PhaseReading& reading, const Json& given, std::vector<Refusal>& refusals);

}  // namespace ablate::plan
