// The corpora of an experiment, as a plan shows them.

#pragma once

#include <string>
#include <vector>

#include "harness/plan/prepare/prepared.h"

namespace ablate::plan {

/// Plan::corpora: the main corpus, then the others that phases read, each once. Adds to `warnings`
/// what a reader should know about them and about the files of probes.
Json describe_corpora(const Prepared& prepared, std::vector<std::string>& warnings);

}  // namespace ablate::plan
