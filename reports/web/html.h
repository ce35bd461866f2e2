// The report as one self-contained HTML file, without scripts.

#pragma once

#include <string>

#include "reports/formats/format.h"

namespace ablate::reports {

/// A document as a page of its own: no scripts, no other files.
std::string html_page(const Document& document);

/// "html": report.html.
Format html_format();

}  // namespace ablate::reports
