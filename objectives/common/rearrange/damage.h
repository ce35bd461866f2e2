// The noising steps of a denoising objective. Each step takes the result of the previous one.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/example.h"
#include "objectives/common/masks/span_masks.h"

namespace ablate::objectives {

/// The inputs so far: for each token its position in the text, or kMask.
using Shown = std::vector<std::int32_t>;
constexpr std::int32_t kMask = -1;

/// Positions where the sentences of [first, end) start, followed by `end`. A text without marks is
/// one sentence.
std::vector<std::size_t> sentences(const Text& text, std::size_t first, std::size_t end);

/// Permutes a random `fraction` of the sentences, rounded up; every order of the chosen ones,
/// including the original, is equally likely. `starts` is a result of `sentences`.
Shown permuted(std::span<const std::size_t> starts, double fraction, Rng rng);

/// Replaces spans of tokens with one mask each and appends what they hide to `hidden`.
Shown infilled(const SpanMasks& settings, const Text& text, const Shown& shown, Rng rng,
               std::vector<Hidden>& hidden);

/// Hides each token with probability `rate`, masked or deleted as `how` says, and appends the
/// hidden tokens to `hidden`.
void hide_each(double rate, HiddenAs how, const Text& text, Rng rng, Shown& shown,
               std::vector<Hidden>& hidden);

}  // namespace ablate::objectives
