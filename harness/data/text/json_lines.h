// Records of JSON Lines, and why a line is none.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::data {

/// The object of a line. Throws std::runtime_error, which begins with `where` ("FILE:LINE"), where it
/// is none: what is wrong (NaN, a number that is too large, half of a surrogate pair, a list, an
/// object of several lines ...), and what to do.
Json record_in(std::string_view line, const std::string& where);

/// What a value is, for messages: "null", "a list", "a number" ...
std::string_view kind_of(const Json& value);

/// Throws std::runtime_error where the bytes of a file of lines are no text of UTF-8, but compressed,
/// or UTF-16 or UTF-32; says what converts them.
void refuse_other_forms(const std::filesystem::path& file, std::string_view bytes);

}  // namespace ablate::data
