// Is it text at all, and how long is it?

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ablate {

/// Bytes of the UTF-8 character that starts `text`: 1 to 4, or 0 where none does (a stray or
/// missing continuation byte, an overlong form, a surrogate, a value above U+10FFFF, an empty
/// text).
std::size_t utf8_length(std::string_view text);

/// The offset of the first byte that is not part of valid UTF-8, or std::string_view::npos.
std::size_t first_invalid_utf8(std::string_view text);

/// How many characters a UTF-8 text has: columns, for the scripts that tables are mostly in.
std::size_t characters(std::string_view text);

/// The first `width` characters of a UTF-8 text.
std::string clipped(std::string_view text, std::size_t width);

/// A text of at most `width` characters: what is too long has `gap` for its middle, since names of
/// arms differ at their ends: "mlm[ra..=0.15]".
std::string abbreviated(std::string_view text, std::size_t width, std::string_view gap);

}  // namespace ablate
