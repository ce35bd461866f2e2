// Tells JSON from plain text, so that no model is trained on the syntax of JSON by mistake.

#pragma once

#include <filesystem>

#include "harness/data/text/text_files.h"

namespace ablate::data {

/// Throws std::invalid_argument, with what to do, where the name of a file ends like one of JSON.
void refuse_json_name(const std::filesystem::path& file);

/// Throws std::invalid_argument, with what to do, where most of the text is in files of JSON Lines:
/// such in which most of the first lines are JSON objects.
void refuse_json_lines(const RawText& text);

}  // namespace ablate::data
