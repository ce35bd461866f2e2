// The one way in which JSON text becomes a value, apart from experiment files (JsonSource), which need
// its places.

#pragma once

#include <string_view>

#include "harness/base/json/json.h"

namespace ablate {

/// How deep objects and arrays may be nested in JSON that is parsed: copying, printing and comparing a
/// value recurse, and a deeper one overflows the stack.
constexpr int kMaxJsonLevels = 64;

/// Whether the brackets of a JSON text, those within strings left out, are nested deeper than `levels`.
bool is_nested_deeper(std::string_view text, int levels = kMaxJsonLevels);

/// The value of a text that should be JSON. Throws Json::exception where it is not, or is nested deeper
/// than kMaxJsonLevels.
Json parse_json(std::string_view text);

/// The value of a text that may be JSON; a discarded one, see Json::is_discarded(), where parse_json()
/// would throw.
Json parse_or_discard(std::string_view text);

/// The value of stored text, which may be damaged. Throws DamagedFile, naming `where`, where
/// parse_json() would throw.
Json parse_stored(std::string_view text, std::string_view where);

}  // namespace ablate
