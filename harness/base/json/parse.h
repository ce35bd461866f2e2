// Reads stored JSON that may be damaged.

#pragma once

#include <string_view>

#include "harness/base/json/json.h"

namespace ablate {

/// The value of `text`. Throws DamagedFile, naming `where`, where it is not JSON or is nested more
/// than 64 levels deep: copying deeper values overflows the stack.
Json parse_stored(std::string_view text, std::string_view where);

}  // namespace ablate
