// The questions about a task's document. Without LibTorch.

#pragma once

#include <vector>

#include "harness/contract/objective.h"
#include "harness/contract/params.h"
#include "harness/data/tasks/task.h"

namespace ablate::probes {

/// One question for each run of answer tokens: all but the run is shown, as far as a format does. They
/// refer to the document. `params`: of the probe, which may ask for the last answers alone.
std::vector<Cloze> questions_about(const data::TaskDocument& document, const Params& params);

}  // namespace ablate::probes
