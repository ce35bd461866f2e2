// Text that is safe to write to a terminal, and the progress bar.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ablate::run {

/// `text` with every character that controls a terminal replaced by a blank, see
/// controls_terminal(), and every byte that is not UTF-8 by a question mark. So neither a worker's
/// output nor a name in a file can change what a reader sees. For what stands on one line: a line
/// feed becomes a blank, too.
std::string printable(std::string_view text);

/// The same, but line feeds stay: for text of several lines.
std::string printable_lines(std::string_view text);

/// Rows as a table of lines: the first column is left-aligned, the others are right-aligned. Each line begins with `before`.
/// Requires: the first row has as many cells as any.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::string_view before = "");

/// A progress bar such as "[#####.....]": `width` characters, brackets included, of which
/// `fraction`, in [0, 1], is filled.
std::string bar_text(double fraction, std::size_t width);

}  // namespace ablate::run
