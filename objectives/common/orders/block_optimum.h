// The exact predictor of blocks of which some tokens are hidden.

#pragma once

#include "objectives/common/orders/blocks.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {

/// Its loss on an example that block_by_block() laid out of the text, over the example's denominator: in
/// each block, smoothing of what it shows, from the states that the clean text before it predicts.
Loss block_optimum(const TokenChannel& channel, std::size_t block_size, const Chain& language,
                   const Text& text, const Example& example);

}  // namespace ablate::objectives
