// What a sampler is given, and what it returns. Without LibTorch.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/params.h"
#include "harness/contract/vocabulary.h"
#include "harness/probes/generation/token_filters/token_filter.h"
#include "harness/probes/place.h"

namespace ablate::probes {

/// The number of texts that are drawn together.
inline constexpr std::size_t kSamplesAtOnce = 64;

/// The logits of a model at `places` of `texts`: row-major [place, vocabulary].
using Predict = std::function<std::vector<float>(std::span<const std::span<const Token>> texts,
                                                 std::span<const Place> places)>;

/// What tokens are drawn with, whatever the sampler.
struct TokenSource {
  Predict predict;
  Vocabulary vocabulary;
  double temperature = 1;
  Rng rng;  // text i draws from rng.fork(i), so it does not depend on the other texts
  TokenFilter filter = {};  // what may be drawn at a position

  /// Unmasking: tokens of a block, counted from the start of a text; logits are asked of one block at
  /// once, the first one that has masks. 0: the whole text is one.
  std::size_t block = 0;

  /// What is drawn from at a position with these logits, [vocabulary]. Throws std::runtime_error
  /// where they are not finite.
  TokenDistribution distribution(std::span<const float> logits, bool may_end) const {
    TokenDistribution made = token_distribution(logits, vocabulary, may_end, temperature);
    if (filter) filter(made);
    return made;
  }

  /// The model's own distribution there: at temperature 1, with nothing left out.
  TokenDistribution own_distribution(std::span<const float> logits, bool may_end) const {
    return token_distribution(logits, vocabulary, may_end, 1);
  }
};

/// A text before it is drawn.
struct UnfinishedText {
  /// Left to right: the begin token and the prompt, which the text continues. Otherwise a text of
  /// known length with mask tokens where it is to be filled.
  std::vector<Token> tokens;
  std::size_t given = 1;  // number of tokens before the first that is drawn

  bool operator==(const UnfinishedText&) const = default;
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

/// Texts to be drawn.
struct DrawTask {
  std::span<const UnfinishedText> texts;
  std::size_t first = 0;    // number of the first text, by which random numbers are keyed
  std::size_t length = 0;   // left to right: maximum tokens of a text
  std::int64_t rounds = 0;  // of unmasking: at most one per mask; 0: one per mask
  Params options = {};      // of the sampler's own parameters
  SamplingProgress progress = [](double) {};
};

}  // namespace ablate::probes
