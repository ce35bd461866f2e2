// The report as one HTML file: no network, no script, drawings inside.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// "html": report.html.
Format html_format();

}  // namespace ablate::reports
