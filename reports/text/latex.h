// LaTeX from foreign text: whatever it is given, what it makes is text and no command.

#pragma once

#include <string>
#include <string_view>

namespace ablate::reports {

/// Escapes text for LaTeX's text mode, in every engine. Symbols of reports and Greek letters become
/// commands, accented Latin letters stay, and every other character outside ASCII becomes
/// \AblateUnicode{CODE}{CHARACTER}, which the preamble of a paper defines: it prints "U+5B66".
/// Control characters are shown in the same way.
std::string latex_text(std::string_view raw);

/// The same with places to break after punctuation in words of at least `least` characters, and
/// within what stays long: names of metrics, paths and hashes.
std::string latex_breakable(std::string_view raw, std::size_t least = 20);

/// Text for a comment of LaTeX: on one line, and otherwise as it is.
std::string latex_comment(std::string_view raw);

/// A part of a LaTeX macro's name: only letters, with words capitalised, and digits and points
/// spelt out.
std::string macro_part(std::string_view raw);

/// A part of a LaTeX label or of a file's name: small letters and digits, with hyphens between
/// words. "experiment" where nothing is left.
std::string label_part(std::string_view raw);

}  // namespace ablate::reports
