// Text that others wrote, made safe to show: names, messages and samples may hold anything.
//
// Two steps: `readable` makes any bytes visible and harmless to terminals, then each format escapes
// what is syntax to it. Writers apply both at every position, and nothing else does.

#pragma once

#include <string>
#include <string_view>

namespace ablate::reports {

/// Valid UTF-8 in which nothing acts: control characters become their pictures (ESC becomes
/// U+241B), those that turn the direction of writing and bytes that are no UTF-8 become U+FFFD.
/// Line ends and tabs become spaces, or stay where `lines` is set.
std::string readable(std::string_view raw, bool lines = false);

/// An arm's name in a figure, of at most `maximum` characters: a longer one loses the names of what
/// the sweep varies ("mlm[0.15,exact]"), and its middle where that is still too long.
std::string arm_label(std::string_view raw, std::size_t maximum);

/// The first `maximum` characters of a valid UTF-8 text, with an ellipsis where more follow.
std::string shortened(std::string_view text, std::size_t maximum);

/// Safe in HTML, as text and in double-quoted attributes; line ends stay where `lines` is set.
std::string html_text(std::string_view raw, bool lines = false);
/// Safe in GitHub-flavoured Markdown, as a paragraph and in the cell of a table.
std::string markdown_text(std::string_view raw);
/// Safe in LaTeX text mode.
std::string latex_text(std::string_view raw);

/// A field by RFC 4180, quoted where it must be. A spreadsheet would run what begins with =, +, -
/// or @: such text gets an apostrophe before it.
std::string csv_text(std::string_view raw);

/// The name of a LaTeX macro part: letters alone, words capitalised, digits and points spelt out.
std::string macro_part(std::string_view raw);

}  // namespace ablate::reports
