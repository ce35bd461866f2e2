// An experiment as one file.

#pragma once

#include <filesystem>
#include <string>

#include "harness/plan/file/overrides.h"

namespace ablate::plan {

/// The text of an experiment that plans the same wherever it lies: that of its file, or, where it extends others
/// or flags change it, the comment at its head and all values merged. Paths of texts stay as they are given, and
/// what --only and --drop leave out is in it. Throws ExperimentRefused for what cannot be read.
std::string whole_text(const std::filesystem::path& file, const Overrides& overrides);

}  // namespace ablate::plan
