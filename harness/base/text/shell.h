// Commands that are printed for a user to run.

#pragma once

#include <string>
#include <string_view>

namespace ablate {

/// The text as one word of a POSIX shell: as it is where nothing in it is special, else in single
/// quotes.
std::string shell_word(std::string_view text);

}  // namespace ablate
