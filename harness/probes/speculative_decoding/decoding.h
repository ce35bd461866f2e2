// Decoding in which the further heads of a network draft tokens and its first head verifies them.

#pragma once

#include <array>
#include <vector>

#include "harness/probes/generation/drawing/sampling.h"

namespace ablate::probes {

/// The upper ends of the bins of entropy in DecodingTally, in nats; the last bin has none.
inline constexpr std::array<double, 3> kEntropyBins = {0.5, 1, 2};

/// Drafts that were compared with the first head, and those of them that were kept.
struct DraftCount {
  std::int64_t checked = 0;
  std::int64_t accepted = 0;

  double acceptance() const { return static_cast<double>(accepted) / static_cast<double>(checked); }
};

/// What decoding took, summed over texts.
struct DecodingTally {
  std::vector<DraftCount>
      by_head;  // of the heads after the first; checked: all before it were kept
  std::array<DraftCount, kEntropyBins.size() + 1>
      by_entropy;              // of the first head's distribution, before its filter
  std::int64_t forwards = 0;   // of each text
  std::int64_t positions = 0;  // that they read, without padding
  std::int64_t tokens = 0;     // drawn
};

/// Continues each start until the end token or `length` tokens. One forward reads a text with its
/// drafts, verifies them with the first of `heads`, draws one token more, and drafts the next with the
/// others. So the samples have the distribution of draw_left_to_right(), and under greedy() they are
/// the same texts. Adds to `tally`. Requires: starts as there; a network whose first heads these are,
/// of known kinds.
std::vector<Sample> decode_speculatively(const Sampler& sampler,
                                         std::span<const std::vector<Token>> starts,
                                         std::span<const HeadNeed> heads, std::size_t length,
                                         DecodingTally& tally);

/// The tokens that a forward is expected to yield: 1 plus, for each head, the product of the
/// acceptances up to it.
double expected_tokens(std::span<const DraftCount> by_head);

}  // namespace ablate::probes
