// Checks the form of an entry of "arms", before its settings are resolved.

#pragma once

#include <string>
#include <string_view>

#include "harness/plan/file/sources.h"

namespace ablate::plan {

/// The sections of an experiment that an arm may set.
inline constexpr std::string_view kArmSections[] = {"model", "train", "objective"};

/// Maximum length of an arm's label, in characters.
constexpr std::size_t kMaxLabel = 60;

/// Whether the entry at `pointer` is well formed; adds to `faults` if it is not. Values of settings
/// are not checked here.
bool check_entry(const Sources& sources, const std::string& pointer, const Json& entry,
                 Faults& faults);

}  // namespace ablate::plan
