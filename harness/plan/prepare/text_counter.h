// Counts the texts of training parts and their raw tokens, each part once for all arms that read
// it.

#pragma once

#include <map>
#include <string>
#include <tuple>

#include "harness/plan/prepare/prepared.h"

namespace ablate::plan {

/// The texts that a training part is cut into.
struct TextCount {
  double texts = 0;
  double raw_tokens = 0;  // of a text, on average
};

/// Counts texts, and remembers what it counted. The counts are exact and depend on corpus, packing
/// and context alone: not on the objective, the seed or a sample.
class TextCounter {
 public:
  /// The texts of a member of the phase. Throws std::invalid_argument if its training part is
  /// shorter than one text.
  const TextCount& of(const PreparedPhase& phase, const PreparedMember& member);

  /// The mean number of raw tokens of the texts that the phase draws, over all of its corpora.
  double raw_tokens(const PreparedPhase& phase);

 private:
  using Key = std::tuple<std::string, data::Packing, std::int64_t>;  // corpus, packing, context
  std::map<Key, TextCount> counted_;
};

}  // namespace ablate::plan
