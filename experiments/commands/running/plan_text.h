// What `ablate plan` prints for people.

#pragma once

#include <string>

#include "harness/plan/trial/plan.h"

namespace ablate::commands {

/// The plan in tables: corpora, ledger, models, phases, what is matched, the stages of tuning,
/// precision, power, warnings and the estimate. `on_gpu`: with the memory that banks take.
std::string plan_text(const plan::Plan& plan, bool on_gpu);

}  // namespace ablate::commands
