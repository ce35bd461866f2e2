// The table of how alike the hidden states of arms are.

#pragma once

#include "reports/analysis/comparisons/layer_similarity.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// CKA between the last layers of each two arms: a row and a column for each arm. Without rows where
/// no two arms have it.
Table similarity_table(const Analysis& analysis, const std::vector<LayerSimilarity>& all);

}  // namespace ablate::reports
