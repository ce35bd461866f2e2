// The experiment files that come with the program.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ablate::plan {

/// What the name of a shipped file starts with in "extends", as in "ablate:base/small.json".
constexpr std::string_view kShippedPrefix = "ablate:";

/// The folder of the shipped experiments: $ABLATE_EXPERIMENTS, or share/ablate/experiments in the
/// running program's folder (where it was built) or next to that (where it was installed). Throws
/// std::invalid_argument if it is not there.
std::filesystem::path shipped_experiments();

/// The names of the shipped experiments, in alphabetical order, those of the lecture with its folder before them
/// ("lecture/objectives"); none where the folder is not there.
std::vector<std::string> shipped_names();

/// The file of the shipped experiment of this name; nothing where none has it.
std::optional<std::filesystem::path> shipped_file(const std::string& name);

}  // namespace ablate::plan
