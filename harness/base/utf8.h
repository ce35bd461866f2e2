// Is it text at all?

#pragma once

#include <cstddef>
#include <string_view>

namespace ablate {

/// Bytes of the UTF-8 character that starts `text`: 1 to 4, or 0 where none does (a stray or
/// missing continuation byte, an overlong form, a surrogate, a value above U+10FFFF, an empty
/// text).
std::size_t utf8_length(std::string_view text);

/// The offset of the first byte that is not part of valid UTF-8, or std::string_view::npos.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace ablate
