// Chains small enough to enumerate, and an independent computation of the probability of a window.

#pragma once

#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/chain.h"

namespace ablate {

/// `count` random numbers that sum to 1.
inline std::vector<double> random_distribution(std::size_t count, Rng& rng) {
  std::vector<double> distribution(count);
  double total = 0;
  for (double& value : distribution) total += value = 0.05 + rng.uniform();
  for (double& value : distribution) value /= total;
  return distribution;
}

/// Three blocks (two topics), each of two ordinary states and the ending one; three words; nothing
/// symmetric. The stationary distribution is the sum of visits until none are left.
inline Chain tiny_chain(std::uint64_t seed) {
  constexpr std::size_t kStates = 3, kBlocks = 3, kWords = 3;
  Rng rng(seed);
  Chain chain{.ordinary = kWords, .states = kStates};
  const std::vector<double> probabilities = random_distribution(kBlocks, rng);
  const auto append = [](std::vector<double>& to, const std::vector<double>& distribution,
                         std::size_t zeros) {
    to.insert(to.end(), distribution.begin(), distribution.end());
    to.insert(to.end(), zeros, 0.0);
  };
  double tokens = 0;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    append(chain.start, random_distribution(kStates - 1, rng), 1);
    for (std::size_t state = 0; state + 1 < kStates; ++state) {
      append(chain.transition, random_distribution(kStates, rng), 0);
      append(chain.emission, random_distribution(kWords, rng), 0);
    }
    append(chain.transition, {}, kStates);
    append(chain.emission, {}, kWords);
    std::vector<double> visits(kStates, 0.0);
    std::vector<double> now(chain.start.end() - kStates, chain.start.end());
    for (int step = 0; step < 2000; ++step) {
      std::vector<double> next(kStates, 0.0);
      for (std::size_t i = 0; i < kStates; ++i) {
        visits[i] += probabilities[block] * now[i];
        for (std::size_t j = 0; j < kStates; ++j)
          next[j] += now[i] * chain.transition[(block * kStates + i) * kStates + j];
      }
      now = next;
    }
    chain.blocks.push_back({.topic = block < 2 ? 0 : 1,
                            .name = static_cast<std::int32_t>(block % 2),
                            .probability = probabilities[block],
                            .mass = visits[0] + visits[1] + visits[2]});
    tokens += chain.blocks.back().mass;
    append(chain.stationary, visits, 0);
  }
  for (double& visit : chain.stationary) visit /= tokens;
  for (Chain::Block& block : chain.blocks) block.mass /= tokens;
  return chain;
}

/// P(tokens) of a window cut from the corpus, across documents, given whether its first token is a
/// begin token. Computed without segments, scaling or blocks: as a single chain with one more
/// state, "begin", which every ending state moves to.
inline double window_probability(const Chain& chain, const std::vector<Token>& tokens) {
  const auto n = static_cast<std::size_t>(chain.states);
  const auto size = static_cast<std::size_t>(chain.composite_states());
  const std::size_t begin = size;
  const auto moves = [&](std::size_t from, std::size_t to) {
    if (from == begin) return to == begin ? 0 : chain.blocks[to / n].probability * chain.start[to];
    if (from % n == n - 1) return to == begin ? 1.0 : 0.0;
    return to != begin && to / n == from / n ? chain.transition[from * n + to % n] : 0;
  };
  const auto emits = [&](std::size_t state, Token token) -> double {
    if (state == begin) return token == begin_token;
    if (state % n == n - 1) return token == end_token;
    if (token < special_count) return 0;
    return chain.emission[state * static_cast<std::size_t>(chain.ordinary) +
                          static_cast<std::size_t>(token - special_count)];
  };
  std::vector<double> distribution(size + 1, 0.0);
  if (tokens.front() == begin_token)
    distribution[begin] = 1;
  else
    for (std::size_t z = 0; z < size; ++z)
      distribution[z] = chain.stationary[z] * emits(z, tokens.front());
  for (std::size_t t = 1; t < tokens.size(); ++t) {
    std::vector<double> next(size + 1, 0.0);
    for (std::size_t from = 0; from <= size; ++from)
      for (std::size_t to = 0; to <= size; ++to)
        next[to] += distribution[from] * moves(from, to) * emits(to, tokens[t]);
    distribution = next;
  }
  double total = 0;
  for (const double probability : distribution) total += probability;
  return total;
}

/// All windows that result from `window` by putting any words where it has words.
inline std::vector<std::vector<Token>> fillings(const Chain& chain,
                                                const std::vector<Token>& window) {
  std::vector<std::vector<Token>> result = {window};
  for (std::size_t i = 0; i < window.size(); ++i) {
    if (window[i] < special_count) continue;
    std::vector<std::vector<Token>> longer;
    for (const std::vector<Token>& filled : result)
      for (Token word = 0; word < chain.ordinary; ++word) {
        longer.push_back(filled);
        longer.back()[i] = special_count + word;
      }
    result = longer;
  }
  return result;
}

/// Windows with every kind of edge: they start inside a document or with a begin token, contain
/// complete documents or one that ends at once, or end with a begin token. 16, 17 and 18 are words.
inline std::vector<std::vector<Token>> tiny_windows() {
  constexpr Token b = begin_token, e = end_token;
  return {{16, 17, 18, 16, 16, 17},
          {b, 18, 17, 16, 16, 18},
          {16, 18, e, b, 17, 17},
          {e, b, 16, 17, e, b},
          {b, 17, e, b, 18, e},
          {17, e, b, 16, e, b, 18, 16},
          {18},
          {16, e},
          {b, 16, 16, 16, 16, e}};
}

}  // namespace ablate
