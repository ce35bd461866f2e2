// What follows from an analysis, for programs.

#pragma once

#include "reports/findings/findings.h"

namespace ablate::reports {

/// {"sensitivity", "unpaired", "items", "similarity", "entropy_areas", "declared_trends", "trends",
///  "crossings": lists,
///  "tasks": null, or {"metrics", "arms", "not_told_apart"},
///  "dynamics": {"courses", "overtaking"}}
Json findings_json(const Analysis& analysis, const Findings& findings);

}  // namespace ablate::reports
