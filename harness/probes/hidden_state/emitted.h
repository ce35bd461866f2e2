// Tokens of the built-in language with the states that emitted them, and the exact posterior of
// those states.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/data/language/language.h"
#include "harness/probes/linear/token_items.h"

namespace ablate::probes {

/// Tokens of the language, each labelled with the state of a topic, name and all stages that emitted
/// it. The end token is left out: it names its state. Draws documents until they hold `count`
/// tokens; exactly so many become items. `rng` draws document i by rng.fork(i).
TokenItems draw_emitted(const data::Language& language, std::int64_t count, std::int64_t context,
                        const Rng& rng);

/// What an exact posterior of a token's state is given.
enum class Given { token, past, document };

/// The most probable state of each item given the token alone, the token and those before it, or
/// the document as far as it reaches: [item]. The first of equally probable ones.
std::vector<std::int32_t> exact_states(const Chain& chain, const TokenItems& emitted, Given given);

/// Whether an item's token alone leaves its state open: no state has 0.9 of the posterior: [item].
std::vector<std::uint8_t> ambiguous_items(const Chain& chain, const TokenItems& emitted);

}  // namespace ablate::probes
