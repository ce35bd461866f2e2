// Links in the place of what a program writes: whoever planted one would have it write elsewhere.

#pragma once

#include <filesystem>

namespace ablate {

/// Throws DamagedFile where `path` is a symbolic link, whatever it leads to. Files are opened with
/// O_NOFOLLOW or replaced in any case; this is for folders, and for what libraries open.
void refuse_link(const std::filesystem::path& path);

}  // namespace ablate
