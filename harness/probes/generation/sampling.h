// Drawing text from a model: left to right, or by unmasking.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/vocabulary.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

struct Sampler {
  train::Network& network;  // one lane
  Vocabulary vocabulary;
  std::string device = "cpu";
  double temperature = 1;
  Rng rng;  // sample i draws from rng.fork(i): no sample's text depends on which others are drawn
};

/// A text that a model made: begin token, prompt, what was drawn, and the end token where it ended.
struct Sample {
  std::vector<Token> tokens;
  std::size_t given = 1;       // of the tokens, how many were not drawn
  double log_probability = 0;  // of what was drawn, nats, under the sampler; where that is exact
};

/// Called with the share of the work that is done.
using SamplingProgress = std::function<void(double share)>;

}  // namespace ablate::probes
