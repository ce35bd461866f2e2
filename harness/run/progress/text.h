// Text that is safe to write to a terminal, and the progress bar.

#pragma once

#include <string>
#include <string_view>

namespace ablate::run {

/// `text` with every control character replaced by a blank, so that a worker's output cannot
/// control the terminal.
std::string printable(std::string_view text);

/// A progress bar such as "[#####.....]": `width` characters, brackets included, of which
/// `fraction`, in [0, 1], is filled.
std::string bar_text(double fraction, std::size_t width);

}  // namespace ablate::run
