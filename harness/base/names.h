// "Did you mean": the closest match in a list of names.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ablate {

/// How many letters must be added, dropped, changed or swapped with a neighbour to turn `a` into
/// `b` (the optimal string alignment distance of Damerau and Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name in `names` that `given` is most likely a misspelling of. Empty where none is within an
/// edit distance of two, or of a third of its letters.
std::string_view closest_match(std::string_view given, std::span<const std::string_view> names);

/// The names separated by commas: "a, b, c".
std::string listed(std::span<const std::string_view> names);

}  // namespace ablate
