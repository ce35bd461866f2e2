// Makes foreign text safe to show: names, messages and samples may contain anything.
//
// There are two steps: `readable` makes all bytes visible and harmless to terminals, then each
// format escapes its syntax. Writers apply both at every position; no other code does.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ablate::reports {

/// Valid UTF-8 without control characters: they become their pictures (ESC becomes U+241B). Marks
/// that change the direction of writing and invalid bytes become U+FFFD. Line ends and tabs become
/// spaces, or stay where `lines` is set.
std::string readable(std::string_view raw, bool lines = false);

/// An arm's name in a figure, of at most `maximum` characters. A longer name loses the names of the
/// swept parameters ("mlm[0.15,exact]"), and its middle where it is still too long.
std::string arm_label(std::string_view raw, std::size_t maximum);

/// The first `maximum` characters of a valid UTF-8 text, with an ellipsis where more follow.
std::string shortened(std::string_view text, std::size_t maximum);

/// Names in a sentence: "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names);

/// The text with a minus sign in place of the hyphen of each negative number: where that begins the
/// text or follows a blank or an opening bracket.
std::string with_minus(std::string_view text);

/// The text with spaces at which no line breaks within an estimate and before a percent sign:
/// "0.12 ± 0.03", "95 %".
std::string with_unbroken_numbers(std::string_view text);

/// Escapes text for HTML, also in double-quoted attributes; line ends stay where `lines` is set.
std::string html_text(std::string_view raw, bool lines = false);
/// Escapes text for GitHub-flavoured Markdown, as a paragraph and in the cell of a table.
std::string markdown_text(std::string_view raw);

/// A field of CSV that no spreadsheet runs as a formula, see csv_field().
std::string csv_text(std::string_view raw);

}  // namespace ablate::reports
