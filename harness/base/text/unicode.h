// Unicode: letters that differ in case alone, white space and punctuation of all scripts.

#pragma once

#include <string>
#include <string_view>

namespace ablate {

/// The text with every letter in the form that Unicode compares letters in without regard to case
/// (full case folding): "ЖУК" and "жук" become equal, "Straße" and "STRASSE", too. Bytes that are
/// not UTF-8 become U+FFFD.
std::string case_folded(std::string_view text);

/// The same of letters that are written in several ways, too, without invisible characters (Unicode's
/// NFKC_Casefold): "é" as one character and as two become equal.
std::string identifier_folded(std::string_view text);

/// The text with \uXXXX for characters that a reader does not see: white space but the space, combining
/// marks, formats and controls. So texts that look alike and differ are told apart.
std::string with_visible_characters(std::string_view text);

/// Whether a character is white space: a separator (U+00A0, U+3000 ...) or a control character that
/// spaces text. The same as Python's str.isspace. Requires: `character` is one character of UTF-8.
bool is_white_space(std::string_view character);

/// Whether a character is punctuation: of a general category P, or a symbol of ASCII ("$", "+" ...).
/// Requires: `character` is one character of UTF-8.
bool is_punctuation(std::string_view character);

/// The text without the characters for which `removed` is true; bytes that are not UTF-8 stay.
std::string without(std::string_view text, bool (*removed)(std::string_view character));

/// Whether a text has no character but white space; true of an empty one.
bool is_white(std::string_view text);

}  // namespace ablate
