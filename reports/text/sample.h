// Generated texts as readers see them.

#pragma once

#include <string>
#include <string_view>

#include "harness/store/index/records.h"

namespace ablate::reports {

/// What stands between a prompt and what was generated.
inline constexpr std::string_view kPromptEnd = "▸";

/// A stored text with its line ends and tabs, which records spell as bytes ("<0x0A>"), as ↵ and ⇥.
std::string with_line_ends(std::string_view stored);

/// The text of a sample, raw, with kPromptEnd where its prompt ends; unchanged where it had none.
std::string marked_text(const store::Sample& sample);

}  // namespace ablate::reports
