// Values that take long to compute, kept in files of the cache.

#pragma once

#include <filesystem>

#include "harness/base/json/json.h"

namespace ablate {

/// What keep_json() wrote to the file under this identity; null where nothing was, or it cannot be read
/// or does not verify: it is to be computed anew.
Json kept_json(const std::filesystem::path& file, const Json& identity);

/// Writes a value with its identity, everything that it depends on. Throws std::runtime_error where
/// the file cannot be written.
void keep_json(const std::filesystem::path& file, const Json& identity, const Json& value);

}  // namespace ablate
