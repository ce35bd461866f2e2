// night.json, the record of a night.

#pragma once

#include "harness/nightly/measure/night.h"

namespace ablate::nightly {

/// Writes NIGHT/night.json; all of it or nothing.
void write_night(const Night& night);

/// Reads a night's night.json. Throws std::runtime_error where there is none, DamagedFile where it
/// is none.
Night read_night(const std::filesystem::path& folder);

}  // namespace ablate::nightly
