// Pairs of texts that belong together where nobody has labelled them: the two halves of a document.

#pragma once

#include "harness/probes/classification/labelled.h"

namespace ablate::probes {

/// Held-out documents, drawn by the trial's seed, each as two documents: its first and its second
/// half, of as many tokens as the context holds of each, both labelled with the number of the
/// document. `counts`: documents of development and of test; fewer of both where there are not
/// enough. The counts that are returned are of halves.
Labelled half_documents(const data::Part& part, const SplitCounts& counts, std::int64_t context,
                        std::int64_t seed);

}  // namespace ablate::probes
