// The exact probability of text under the built-in language. Without LibTorch.

#pragma once

#include <span>

#include "harness/contract/chain.h"

namespace ablate::probes {

/// The log-probability under the language of the tokens drawn, given the prompt, and their number.
struct Likelihood {
  double log_probability = 0;  // in nats; minus infinity where the language has no such text
  double tokens = 0;

  double mean() const { return log_probability / tokens; }

  Likelihood& operator+=(const Likelihood& other) {
    log_probability += other.log_probability;
    tokens += other.tokens;
    return *this;
  }
};

/// Of a text from its begin token on; the first `given` tokens are its begin token and prompt.
Likelihood likelihood(const Chain& chain, std::span<const Token> text, std::size_t given);

}  // namespace ablate::probes
