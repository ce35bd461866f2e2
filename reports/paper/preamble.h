// What a paper loads before its tables and figures, and a document that holds them all.

#pragma once

#include <string>
#include <vector>

#include "reports/formats/venue.h"

namespace ablate::reports {

/// Packages, and the commands and styles that tables and figures use. The preambles of several
/// reports may be loaded one after another.
std::string preamble();

/// The document that shows all of a report: files are names without ".tex", in order. On the pages
/// of the venue, as far as widths go; it does not have its style.
std::string sample_document(const std::string& title, const std::vector<std::string>& tables,
                            const std::vector<std::string>& figures, const Venue& venue);

}  // namespace ablate::reports
