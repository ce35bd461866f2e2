// What a plan says of training each trial by several processes.

#pragma once

#include <string>

#include "harness/contract/catalog.h"
#include "harness/plan/trial/plan.h"

namespace ablate::commands {

/// A sentence on whether `ablate run --ranks` would save time on this machine's cores; empty where trials keep
/// all of them busy, or their steps are not counted.
std::string rank_sentence(const plan::Plan& plan, const Catalog& catalog);

}  // namespace ablate::commands
