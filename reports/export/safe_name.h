// Names of experiments, arms and metrics as names of files.

#pragma once

#include <string>
#include <string_view>

namespace ablate::reports {

/// `raw` as the name of a file or folder: ASCII letters, digits, '_', '-', '.' and the characters of
/// `also` stay, each other byte becomes '_'. Where that changes it, or it is empty, longer than 100
/// bytes or begins with '.' or '-', eight digits of its hash are appended, so that different names
/// stay different. Requires: `also` has neither '/' nor NUL.
std::string safe_file_name(std::string_view raw, std::string_view also = "");

/// A "file:" URI for an absolute path.
std::string file_uri(std::string_view path);

}  // namespace ablate::reports
