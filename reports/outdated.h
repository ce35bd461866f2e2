// What earlier reports have left in a folder.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ablate::reports {

/// The drawings (figure-NAME-1.svg) and the files of a paper (paper/NAME.tex, and in paper/figures
/// their numbers too) that an earlier report wrote into the folder and that are not among `files`. Only those of formats that `files` has, and
/// only regular files that begin as this program begins them: nothing that a reader has put there.
std::vector<std::filesystem::path> outdated_files(const std::filesystem::path& folder,
                                                  const std::vector<std::string>& files);

}  // namespace ablate::reports
