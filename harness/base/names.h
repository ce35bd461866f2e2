// Names: the closest match in a list ("did you mean"), and which are safe as names of folders.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ablate {

/// How many letters must be added, dropped, changed or swapped with a neighbour to turn `a` into
/// `b` (the optimal string alignment distance of Damerau and Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Whether `part` is some, not all, of the words of `whole` that are joined by underscores: "rate"
/// and "spm" are of "spm_rate".
bool is_run_of_words(std::string_view part, std::string_view whole);

/// The name in `names` that `given` most likely stands for: one that is a part of it between
/// underscores ("fim_rate" is "rate"), else the closest misspelling. Empty where none is within an
/// edit distance of two, or of a third of its letters.
std::string_view closest_match(std::string_view given, std::span<const std::string_view> names);

/// The names by their edit distance from `given`, the closest first; at most `count`.
std::vector<std::string_view> closest_names(std::string_view given,
                                            std::span<const std::string_view> names,
                                            std::size_t count);

/// Whether a name is safe as that of a folder: 1 to 64 letters, digits, '-' and '_'.
bool is_safe_folder_name(std::string_view name);

/// What to do about an unknown name, as a sentence of its own: "did you mean 'b'?" if one of the
/// names is close, otherwise all of them after `list`: "there are: a, b, c". `quote` is put around
/// the suggestion.
std::string suggestion(std::string_view given, std::span<const std::string_view> names,
                       std::string_view list = "there are", char quote = '\'');

/// What joins a message about an unknown name to the list of names that follows it:
/// "; did you mean 'b'?" if one of the names is close, otherwise ";".
std::string did_you_mean(std::string_view given, std::span<const std::string_view> names);

/// "the closest is 'b'; ", to stand before a list of names; empty if none is close.
std::string the_closest(std::string_view given, std::span<const std::string_view> names);

}  // namespace ablate
