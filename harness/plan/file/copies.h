// Copies of an experiment's files that name each other, not the places that they came from.

#pragma once

#include <map>
#include <string>

#include "harness/plan/file/sources.h"

namespace ablate::plan {

/// Copies from which the experiment can be planned anew wherever they are put, by their path: "experiment.json", what it
/// extends below "experiment/", and the shipped texts that it names. Texts of the user's own are not among them, and flags
/// are not applied. Throws std::runtime_error where a text cannot be read. Requires: the files had no faults.
std::map<std::string, std::string> copies_of(const Sources& sources);

}  // namespace ablate::plan
