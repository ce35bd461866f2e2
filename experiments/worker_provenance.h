// Where and by what a trial was trained: stored beside its numbers, no part of its identity.

#pragma once

#include "harness/run/protocol.h"

namespace ablate {

/// Machine, code, library and settings of this process. `arguments`: the command line.
Json provenance(const Job& job, const std::string& device,
                const std::vector<std::string>& arguments);

}  // namespace ablate
