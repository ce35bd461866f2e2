// The last section of a page: everything that its numbers lead to.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// The queries of the answer, every value by seed, and the tests, trials and derived numbers that
/// cells of the document lead to; for a tuned experiment, also at the common learning rate.
Section values_section(const Content& content);

}  // namespace ablate::reports
