// What the ranks that share a step's rows have computed, added up.

#pragma once

#include <ATen/core/Tensor.h>

#include "harness/train/network/network.h"
#include "harness/train/ranks/ranks.h"

namespace ablate::train {

/// Sets the gradient (float32 [lane, lane size]) and the totals of a step, where they are, to their sums over
/// the ranks: sums of nats, whose denominators count the rows of all ranks. `stop`: whether this rank is asked
/// to stop. Returns whether the first one is. Throws RankLost.
bool add_across(Ranks& ranks, const at::Tensor& gradient, Totals& totals, bool stop);

}  // namespace ablate::train
