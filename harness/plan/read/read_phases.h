// Reads the phases of an arm from its section "train".

#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/plan/read/experiment.h"
#include "harness/plan/rows/phase_params.h"

namespace ablate::plan {

/// The pattern of a phase's name, which is a part of names of metrics.
inline constexpr std::string_view kPhaseName = "[a-z][a-z0-9_]{0,31}";

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
