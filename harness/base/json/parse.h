// Reads stored JSON that may be damaged.

#pragma once

#include <filesystem>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::store {

/// The value of `text`. Throws DamagedFile, naming `where`, where it is not JSON or is nested more
/// than 64 levels deep: copying deeper values overflows the stack.
Json parse_stored(std::string_view text, std::string_view where);

/// The value in a file. Throws std::runtime_error where it cannot be read, DamagedFile as above.
Json read_json_file(const std::filesystem::path& file);

}  // namespace ablate::store
