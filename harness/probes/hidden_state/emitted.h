// Tokens of the built-in language with the states that emitted them, and the exact posterior of
// those states.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/data/language/language.h"

namespace ablate::probes {

/// Documents of the language, from the begin token on, cut to the context, and the state of each
/// token that a state emitted. The end token is left out: it names its state.
struct Emitted {
  /// A token's place, and its state in [0, classes).
  struct Item {
    std::size_t document = 0;
    std::size_t position = 0;  // in the document; the begin token is at 0
    std::int32_t state = 0;
  };

  std::vector<std::vector<Token>> documents;
  std::vector<Item> items;   // document by document
  std::int32_t classes = 0;  // states of a topic, name and all stages, without the ending state
};

/// Draws documents until they hold `count` tokens; exactly so many become items. `rng` draws
/// document i by rng.fork(i).
Emitted draw_emitted(const data::Language& language, std::int64_t count, std::int64_t context,
                     const Rng& rng);

/// What an exact posterior of a token's state is given.
enum class Given { token, past, document };

/// The most probable state of each item given the token alone, the token and those before it, or
/// the document as far as it reaches: [item]. The first of equally probable ones.
std::vector<std::int32_t> exact_states(const Chain& chain, const Emitted& emitted, Given given);

/// Whether an item's token alone leaves its state open: no state has 0.9 of the posterior: [item].
std::vector<std::uint8_t> ambiguous_items(const Chain& chain, const Emitted& emitted);

}  // namespace ablate::probes
