// Generated texts as readers see them.

#pragma once

#include <string>
#include <string_view>

#include "harness/store/index/records.h"

namespace ablate::reports {

/// What stands between a prompt and what was generated.
inline constexpr std::string_view kPromptEnd = "▸";

/// The text of a sample, raw, with kPromptEnd where its prompt ends; unchanged where it had none.
std::string marked_text(const store::Sample& sample);

}  // namespace ablate::reports
