// Which targets a loss against memorisation leaves out: by a hash of the text itself, so that each
// reading of a passage, wherever it stands, leaves out the same ones.

#pragma once

#include <cstdint>

#include "harness/contract/example.h"

namespace ablate::objectives {

/// Source: Hans et al. 2024, "Be like a Goldfish, Don't Memorize! Mitigating Memorization in Generative LLMs",
/// arXiv:2406.10209, section 3.
struct Goldfish {
  std::int64_t one_in = 0;  // of so many targets one is left out, on average; 0: none
  std::size_t context = 0;  // tokens that are hashed

  /// Whether the target is the last of the tokens that are hashed, as in the source's code. Targets are then
  /// left out by what they are, and what is left has another distribution than the text.
  bool with_target = false;
};

/// Sets the weights of the targets that are left out to 0, and returns their number. A target with fewer
/// tokens of its document before it than are hashed is kept, as in the source. Requires: the targets are
/// those of the text, in its order.
std::int64_t leave_out(const Goldfish& goldfish, const Text& text, Example& example);

}  // namespace ablate::objectives
