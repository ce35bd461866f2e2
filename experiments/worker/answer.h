// Lets trained trials fill a blank.

#pragma once

#include <string>

#include "harness/run/job/protocol.h"

namespace ablate::worker {

/// Writes an "answer" event for each trial of the job, in order. Reads weights and writes no file.
/// A trial that cannot answer says why in the event. Throws DamagedFile or std::runtime_error where
/// the corpus or weights cannot be read, std::invalid_argument for ids that are not of text.
void answer(const run::Job& job, const std::string& device);

}  // namespace ablate::worker
