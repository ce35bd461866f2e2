// Text that a terminal can be trusted with, and the bar of progress.

#pragma once

#include <string>
#include <string_view>

namespace ablate::run {

/// `text` with every control character replaced by a blank, so that what a worker writes cannot
/// control the terminal.
std::string printable(std::string_view text);

/// "[#####.....]", `width` characters long with its brackets; `share`, a fraction in [0, 1], is
/// full.
std::string bar_text(double share, std::size_t width);

}  // namespace ablate::run
