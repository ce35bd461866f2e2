// What the ranks that share a step's rows have computed, added up.

#pragma once

#include <ATen/core/Tensor.h>

#include "harness/train/network/network.h"
#include "harness/train/ranks/ranks.h"

namespace ablate::train {

/// Replaces the gradient (float32 [lane, lane size]) and the totals of a step, in place, by their sums over the
/// ranks: sums of nats, whose denominators count the rows of all ranks. `facts`: rows of Totals::facts, which
/// are undefined on a rank whose rows had nothing to count. `stop`: whether this rank is asked to stop. Returns
/// whether the first one is. Throws RankLost.
bool add_across(Ranks& ranks, const at::Tensor& gradient, std::int64_t facts, Totals& totals,
                bool stop);

}  // namespace ablate::train
