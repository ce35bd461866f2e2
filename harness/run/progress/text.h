// How progress is put in words: pure functions from numbers to text for a terminal.

#pragma once

#include <string>
#include <string_view>

namespace ablate::run {

/// `text` with every control character replaced, so that what a worker says cannot steer a
/// terminal.
std::string printable(std::string_view text);

/// "42 s", "3 min 05 s", "2 h 07 min".
std::string duration_text(double seconds);

/// "17.3k", "1.25M": three digits and a unit.
std::string short_number(double value);

/// "[#####.....]" of `width` characters in all, `share` of them full.
std::string bar_text(double share, std::size_t width);

}  // namespace ablate::run
