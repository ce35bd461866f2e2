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

/// Goes on from each start until the end token or `length` tokens: every token is drawn given all
/// before it, so log q of a sample is exact. Requires: starts of one length, begin token first.
std::vector<Sample> draw_left_to_right(const Sampler& sampler,
                                       const std::vector<std::vector<Token>>& starts,
                                       std::int64_t length, const SamplingProgress& progress);

/// A text whose length is known before it is drawn.
struct MaskedText {
  std::vector<Token> tokens;  // begin token, prompt, mask tokens, and the end token where it ends
  std::size_t given = 1;      // begin token and prompt
};

/// Draws the masked tokens of each frame in `rounds` rounds (at most as many as there are masks; 0:
/// one each), in an order that is uniform over all orders and keyed by sample. Tokens of one round
/// are drawn independently of each other given what stands there already; with one a round and
/// exact conditional distributions the samples are exact. Source: Uria, Murray & Larochelle 2014,
/// arXiv:1310.1757 (an order drawn uniformly); Hoogeboom et al. 2022, arXiv:2110.02037 (several a
/// round). Differs from mask-predict (Ghazvininejad et al. 2019, arXiv:1904.09324), which keeps the
/// likeliest tokens: that sharpens the samples, and how likely they are would no longer tell how
/// good the model is.
std::vector<Sample> draw_by_unmasking(const Sampler& sampler, const std::vector<MaskedText>& masked,
                                      std::int64_t rounds, const SamplingProgress& progress);

}  // namespace ablate::probes
