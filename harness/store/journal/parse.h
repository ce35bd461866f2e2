// Reading stored JSON, without trusting it.

#pragma once

#include <filesystem>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::store {

/// The value of `text`. Throws DamagedFile, naming `where`, for what is not JSON or is nested more
/// than 64 deep (deeper values overflow the stack when they are copied).
Json parse_stored(std::string_view text, std::string_view where);

/// The value in a file. Throws std::runtime_error where it cannot be read, DamagedFile as above.
Json read_json_file(const std::filesystem::path& file);

}  // namespace ablate::store
