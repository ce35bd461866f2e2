// What drawing text left to right and by unmasking have in common.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/vocabulary.h"
#include "harness/probes/generation/samplers/token_filter.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// The number of samples that are drawn together.
inline constexpr std::size_t kSamplesAtOnce = 64;

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
};

/// A text drawn from a model: begin token, prompt, the tokens drawn, and the end token where it
/// ends.
struct Sample {
  std::vector<Token> tokens;
  std::size_t given = 1;       // number of tokens that were not drawn: begin token and prompt
  double log_probability = 0;  // of the drawn tokens, in nats; left to right only
};

/// Receives the fraction of the work that is done, in [0, 1].
using SamplingProgress = std::function<void(double fraction)>;

}  // namespace ablate::probes
