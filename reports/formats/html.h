// The report as one self-contained HTML file, without scripts.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// "html": report.html.
Format html_format();

}  // namespace ablate::reports
