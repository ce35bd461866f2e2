// Records of JSON Lines files, each with where it stands. Without LibTorch.

#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/json/json.h"

namespace ablate::probes {

/// Calls `take(record, where)` with each line's object; `where`: "FILE:LINE", for messages. Skips
/// blank lines. Returns the file's SHA-256. Throws std::runtime_error where the file cannot be read
/// or a line is not a JSON object.
std::string read_json_lines(
    const std::filesystem::path& file,
    const std::function<void(const Json& record, const std::string& where)>& take);

/// The string under a key of a record, cleaned as text of a corpus is. Throws std::runtime_error
/// where there is none.
std::string text_at(const Json& record, const std::string& key, const std::string& where);

}  // namespace ablate::probes
