// The report as one self-contained HTML file, which needs neither network nor scripts.

#pragma once

#include <string>

#include "reports/formats/format.h"

namespace ablate::reports {

/// A document as a page of its own, with scripts that sort its tables and redraw its charts; without
/// them everything can be read all the same. `values` comes last: the rows that numbers lead to.
std::string html_page(const Document& document, const Section& values = {});

/// "html": report.html.
Format html_format();

}  // namespace ablate::reports
