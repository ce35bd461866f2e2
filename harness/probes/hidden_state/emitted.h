// Tokens of the built-in language with the states that emitted them, and the exact posterior of
// those states.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/contract/params.h"
#include "harness/data/language/language.h"
#include "harness/probes/linear/token_items.h"

namespace ablate::probes {

/// Tokens of the language, each labelled with the state of a topic, name and all stages that emitted
/// it. The end token is left out: it names its state. Draws documents until they hold `count`
/// tokens; exactly so many become items. `rng` draws document i by rng.fork(i).
TokenItems draw_emitted(const data::Language& language, std::int64_t count, std::int64_t context,
                        const Rng& rng);

/// The tokens of three splits, as many as "training_tokens", "development_tokens" and "test_tokens" of the
/// settings say; `rng` draws each by rng.fork(its name).
TokenSplits draw_emitted_splits(const data::Language& language, const Params& sizes,
                                std::int64_t context, const Rng& rng);

/// What an exact posterior of a token's state is given.
enum class Given { token, past, future, document };

/// Calls `take` with the posterior of each item's composite state, [composite state]: a row that is only
/// in proportion to it, and valid while it is taken.
void each_posterior(const Chain& chain, const TokenItems& emitted, Given given,
                    const std::function<void(std::size_t item, std::span<const double> row)>& take);

/// What the hidden state of a token can be given, as it is read.
constexpr Given seen_by(Reading reading) {
  if (reading.sees_all()) return Given::document;
  return reading.reversed ? Given::future : Given::past;
}

/// The most probable state of each item given the token alone, the token and those before or after it, or
/// the document as far as it reaches: [item]. The first of equally probable ones.
std::vector<std::int32_t> exact_states(const Chain& chain, const TokenItems& emitted, Given given);

/// Whether an item's token alone leaves its state open: no state has 0.9 of the posterior: [item].
std::vector<std::uint8_t> ambiguous_items(const Chain& chain, const TokenItems& emitted);

}  // namespace ablate::probes
