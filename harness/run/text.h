// How progress is put in words: pure functions from numbers to text for a terminal.

#pragma once

#include <string>
#include <string_view>

namespace ablate {

/// `text` with every control character replaced, so that what a worker says cannot steer a
/// terminal.
std::string printable(std::string_view text);

/// The first `width` characters of a UTF-8 text.
std::string clipped(std::string_view text, std::size_t width);

/// How many characters a UTF-8 text has.
std::size_t characters(std::string_view text);

/// A text of at most `width` characters: what is too long loses its middle, since names of arms
/// differ at their ends: "mlm[ra..=0.15]".
std::string abbreviated(std::string_view text, std::size_t width);

/// "42 s", "3 min 05 s", "2 h 07 min".
std::string duration_text(double seconds);

/// "17.3k", "1.25M": three digits and a unit.
std::string short_number(double value);

/// "[#####.....]" of `width` characters in all, `share` of them full.
std::string bar_text(double share, std::size_t width);

}  // namespace ablate
