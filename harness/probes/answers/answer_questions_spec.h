// The questions about a task's document. Without LibTorch.

#pragma once

#include <vector>

#include "harness/contract/objective.h"
#include "harness/data/tasks/task.h"

namespace ablate::probes {

/// One question for each run of answer tokens: all but the run is shown, as far as a format does. They
/// refer to the document.
std::vector<Cloze> questions_about(const data::TaskDocument& document);

}  // namespace ablate::probes
