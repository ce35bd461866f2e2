// A network, and what text is drawn with from it.

#pragma once

#include <string>

#include "harness/contract/objective.h"
#include "harness/probes/generation/samplers/common/drawing.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// What text is drawn with.
struct Sampler {
  train::Network& network;  // one lane
  Vocabulary vocabulary;
  std::string device = "cpu";
  double temperature = 1;
  Rng rng;  // sample i draws from rng.fork(i), so its text does not depend on the other samples
  TokenFilter filter = {};  // what may be drawn at a position

  /// What is drawn from at a position with these logits, [vocabulary]. Throws std::runtime_error
  /// where they are not finite.
  TokenDistribution distribution(std::span<const float> logits, bool may_end) const {
    TokenDistribution made = token_distribution(logits, vocabulary, may_end, temperature);
    if (filter) filter(made);
    return made;
  }

  /// The same for a sampler of the registry, with logits of texts read with this attention. The
  /// network outlives it.
  TokenSource source(Attention attention) const;

  /// The same without keeping anything of what was read: all texts are read anew for each token.
  TokenSource source_of_whole_texts(Attention attention) const;
};

}  // namespace ablate::probes
