// How much probes of labelled or paired text were fitted to and tested on.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A sentence for each probe that one of the metrics is of, such as "label: fitted to 40 documents,
/// settings chosen on 20, tested on 40." Where trials differ, from the fewest to the most. None for
/// probes that are not fitted to or tested on a split of text.
std::vector<std::string> split_sentences(const Analysis& analysis,
                                         const std::vector<const MetricRow*>& metrics);

}  // namespace ablate::reports
