// Steps that damage a text: each takes what the one before left.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/example.h"
#include "objectives/common/masks/span_masks.h"

namespace ablate::objectives {

/// What is shown, token by token: its position in the text, or a mask.
using Shown = std::vector<std::int32_t>;
constexpr std::int32_t kMask = -1;

/// Where the sentences of [first, end) start, and behind them `end`. Without marks there is one.
std::vector<std::size_t> sentences(const Text& text, std::size_t first, std::size_t end);

/// The tokens of the sentences, that share of which, rounded up, changes places: every order of
/// those chosen is equally likely, their own among them.
Shown permuted(std::span<const std::size_t> starts, double share, Rng rng);

/// Hides spans, each behind one mask.
Shown infilled(const SpanMasks& settings, const Text& text, const Shown& shown, Rng rng,
               std::vector<Hidden>& hidden);

/// Hides tokens one by one, each with that probability: masked, or deleted.
void hide_each(double rate, HiddenAs how, const Text& text, Rng rng, Shown& shown,
               std::vector<Hidden>& hidden);

}  // namespace ablate::objectives
