// Lets trained trials fill a blank.

#pragma once

#include <string>

#include "harness/run/job/protocol.h"

namespace ablate::worker {

/// Writes an "answer" event for each trial of the job, in order. Reads weights and writes no file.
/// A trial that cannot answer says why in its event, and the others answer. Throws DamagedFile or
/// std::runtime_error where the corpus cannot be read, std::invalid_argument for an empty blank.
void answer(const run::Job& job, const std::string& device);

}  // namespace ablate::worker
