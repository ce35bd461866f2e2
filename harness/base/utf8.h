// UTF-8: validating, counting and shortening text, and what of it a terminal would obey.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ablate {

/// The length in bytes, 1 to 4, of the character that `text` starts with. 0 where `text` is empty
/// or starts with invalid UTF-8: a stray or truncated byte sequence, an overlong form, a surrogate
/// or a value above U+10FFFF.
std::size_t utf8_length(std::string_view text);

/// The offset in bytes of the first invalid UTF-8; std::string_view::npos where all is valid.
std::size_t first_invalid_utf8(std::string_view text);

/// Whether a terminal obeys a character instead of showing it: a control character of ASCII or of
/// its extension (C1, U+0080 to U+009F), or one that changes the direction of the text around it,
/// so that it reads differently from what it is. Requires: `character` is one character of valid
/// UTF-8.
bool controls_terminal(std::string_view character);

/// The number of characters of a UTF-8 text. Tables count each as one column, which wide scripts
/// (Chinese, Korean) exceed.
std::size_t characters(std::string_view text);

/// The first `width` characters of a UTF-8 text.
std::string clipped(std::string_view text, std::size_t width);

/// The text, with its middle replaced by `gap` where it is longer than `width` characters. The ends
/// are kept because names of arms differ there: "mlm[ra..=0.15]".
std::string abbreviated(std::string_view text, std::size_t width, std::string_view gap);

}  // namespace ablate
