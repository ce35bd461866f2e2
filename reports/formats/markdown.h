// The report as GitHub-flavoured Markdown, readable on a terminal as it is.

#pragma once

#include <string>

#include "reports/formats/format.h"

namespace ablate::reports {

/// A table with its caption above and its notes below; columns are padded to align.
std::string to_markdown(const Table& table);

/// A document without its drawings.
std::string markdown_page(const Document& document);

/// "md": report.md, everything except the drawings.
Format markdown_format();

}  // namespace ablate::reports
