// How close a text is to a reference. Without LibTorch.

#pragma once

#include <string_view>

namespace ablate::probes {

/// Whether two texts are the same but for white space at their ends.
bool exact_match(std::string_view text, std::string_view reference);

/// Whether their first lines are the same but for white space at the lines' ends. Empty lines before
/// the first one do not count.
bool first_line_match(std::string_view text, std::string_view reference);

/// 1 - (characters that must be inserted, deleted or replaced) / (characters of the longer text), in
/// [0, 1]; 1 for two empty texts. A byte that is not UTF-8 is a character. Source: Levenshtein 1966,
/// Soviet Physics Doklady 10(8).
double edit_similarity(std::string_view text, std::string_view reference);

}  // namespace ablate::probes
