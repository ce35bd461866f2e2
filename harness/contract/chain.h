// A language whose law is known: a hidden Markov chain over tokens, and the exact quantities that
// objectives need to state their optimum. No LibTorch, no file, no sampler: data/language makes
// one.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate {

/// A document is drawn so: `begin_token` is shown, a block (a topic and a name) is drawn by
/// `share`, a state of the block by `start`; each state emits a token, then moves by `transition`;
/// the last state of a block emits `end_token` and ends the document. Documents are independent.
struct Chain {
  struct Block {
    std::int32_t topic = 0;
    std::int32_t name = 0;
    double share = 0;  // probability of the block for a document
    double mass = 0;   // probability that a token of the corpus (begin tokens apart) is from it
  };

  Token ordinary = 0;       // emitted ids are special_count + [0, ordinary), and end_token
  std::int64_t states = 0;  // per block, the ending one (the last) included
  std::vector<Block> blocks;

  // Row-major, one after the other by block.
  std::vector<double> start;  // [block, state]         given the block; sums to 1
  std::vector<double>
      stationary;  // [block, state]         of a token of the corpus; sums to 1 over all
  std::vector<double> transition;  // [block, state, state]  rows sum to 1; the ending state's are 0
  std::vector<double>
      emission;  // [block, state, ordinary]  rows sum to 1; the ending state's are 0

  std::int64_t composite_states() const {
    return states * static_cast<std::int64_t>(blocks.size());
  }
};

/// Evidence of one position: likelihood of what is shown there given each composite state.
/// [time, block, state]; a position that shows nothing has ones.
using Evidence = std::vector<double>;

/// A piece of a text that lies within one document.
struct Segment {
  std::size_t first = 0;         // of its tokens, the begin token left out
  std::size_t count = 0;         // tokens, the end token included
  bool starts_document = false;  // a begin token is visible before it
};

/// The pieces of a text, split at begin tokens and after end tokens; pad tokens belong to none.
std::vector<Segment> segments(std::span<const Token> tokens);

/// The evidence of tokens that are shown as they are: emission, or the ending state's certainty.
Evidence emission_likelihood(const Chain& chain, std::span<const Token> tokens);

/// log P(evidence), in nats, of a segment that starts a document or starts anywhere; minus infinity
/// where the evidence is impossible.
double log_probability(const Chain& chain, std::int64_t time, const Evidence& evidence,
                       bool starts_document);

/// What is known of each position from the positions before it:
/// P(state at t | evidence before t), [time, block, state]. The position's own evidence is not
/// used. Multiplied by it and summed, each gives P(evidence at t | evidence before t), so it sums
/// to less than 1 where the evidence lets the document have ended before t.
std::vector<double> predicted(const Chain& chain, std::int64_t time, const Evidence& evidence,
                              bool starts_document);

/// The law of the next state, [block, state], from that of one, likewise: of documents that have
/// not ended. Its sum is the probability of that.
std::vector<double> transition_step(const Chain& chain, std::span<const double> distribution);

/// What is known of each position from all *other* positions of the segment, its future free after
/// the last: P(state at t | evidence elsewhere), [time, block, state]; zeros where that is
/// impossible.
std::vector<double> leave_one_out_smoothing(const Chain& chain, std::int64_t time,
                                            const Evidence& evidence, bool starts_document);

/// The law of a token of the corpus without context, end token at index `ordinary`: [ordinary + 1].
std::vector<double> unigram(const Chain& chain);

/// P(topic | segment shown whole), [topics]; zeros where the segment is impossible.
std::vector<double> topic_posterior(const Chain& chain, std::span<const Token> tokens,
                                    bool starts_document);

}  // namespace ablate
