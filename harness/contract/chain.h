// A language whose distribution is known: a hidden Markov chain over tokens, with the exact
// quantities that objectives need to compute their optimum. Uses no LibTorch and no files.
// harness/data/language builds chains and draws text from them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate {

/// A document is drawn as follows. It starts with `begin_token`. A block (a topic and a name) is
/// drawn by `probability`, and a first state of the block by `start`; where documents have pictures,
/// that of the first patch. Each state emits a token by `emission`, and the next state is drawn by
/// `transition`. The last state of a block emits `end_token` and ends the document. Documents are
/// independent.
struct Chain {
  struct Block {
    std::int32_t topic = 0;
    std::int32_t name = 0;
    double probability = 0;  // that a document is of this block
    double mass = 0;         // that a token of the corpus, begin tokens aside, is of this block
  };

  Token ordinary = 0;       // emitted ids are special_count + [0, ordinary), and end_token
  std::int64_t states = 0;  // per block, including the ending state, which is the last
  std::vector<Block> blocks;

  /// Of the states, those before the last that emit the document's picture, in their order, before its
  /// text.
  std::int64_t patches = 0;

  // [state], in every block: whether the state's token is the last of a sentence. Empty: none is.
  std::vector<std::uint8_t> sentence_ends;

  // Row-major. Rows of transition and emission sum to 1; the ending state's are 0.
  std::vector<double> start;       // [block, state], sums to 1 in each block
  std::vector<double> stationary;  // [block, state], of a token of the corpus; sums to 1 in all
  std::vector<double> transition;  // [block, state, state]
  std::vector<double> emission;    // [block, state, ordinary]

  /// Whether the token of a composite state is the last of a sentence.
  bool ends_sentence(std::size_t composite_state) const {
    return !sentence_ends.empty() && sentence_ends[composite_state % sentence_ends.size()] != 0;
  }

  /// The first state of a block that emits a patch; the ending state where there are none.
  std::int64_t first_patch() const { return states - 1 - patches; }

  /// States of all blocks together: the size of [block, state].
  std::int64_t composite_states() const {
    return states * static_cast<std::int64_t>(blocks.size());
  }
};

/// [time, block, state]: at each position, the likelihood of what is visible there given each
/// composite state. All ones at a position where nothing is visible.
using Evidence = std::vector<double>;

/// A piece of a text that lies within one document.
struct Segment {
  std::size_t first = 0;         // index of its first token, not counting the begin token
  std::size_t count = 0;         // tokens, including the end token
  bool starts_document = false;  // a begin token is visible before it
};

/// The segments of a text: it is split at begin tokens and after end tokens. Pad tokens belong to
/// no segment.
std::vector<Segment> segments(std::span<const Token> tokens);

/// The evidence of visible tokens, [time, block, state]: their emission probability; an end token
/// has likelihood 1 in ending states and 0 elsewhere.
Evidence emission_likelihood(const Chain& chain, std::span<const Token> tokens);

/// log P(evidence) of a segment, in nats; minus infinity if the evidence is impossible. The segment
/// starts a document if `starts_document`, and otherwise at any token of the corpus.
double log_probability(const Chain& chain, std::int64_t time, const Evidence& evidence,
                       bool starts_document);

/// P(state at t | evidence before t), [time, block, state]: predicts each position from those
/// before it. The position's own evidence is not used; multiplied by it and summed over states, the
/// result is P(evidence at t | evidence before t). Sums to less than 1 if the document may have
/// ended before t.
std::vector<double> predicted(const Chain& chain, std::int64_t time, const Evidence& evidence,
                              bool starts_document);

/// The distribution of the next state, [block, state], given that of the present state. Documents
/// that end are left out, so it sums to the probability that the document goes on.
std::vector<double> transition_step(const Chain& chain, std::span<const double> distribution);

/// P(evidence | state at the first position), [block, state], up to a factor. Nothing is assumed about
/// what follows the evidence.
std::vector<double> likelihood_by_state(const Chain& chain, std::int64_t time,
                                        const Evidence& evidence);

/// What a reader from the last position to the first knows of a segment. Nothing is assumed about what follows
/// the segment, and the reader does not know where its document begins.
struct FromTheRight {
  std::vector<double>
      after;  // P(evidence after t | state at t), up to a factor [time, block, state]
  std::vector<double>
      log_evidence;      // log P(evidence from t on | t is a token of the corpus), nats [time]
  double log_start = 0;  // log P(a document starts at position 0, and the evidence), of the
                         // begin tokens and other tokens of the corpus alike
};

/// Requires: evidence of at least one position.
FromTheRight from_the_right(const Chain& chain, std::int64_t time, const Evidence& evidence);

/// P(state at t | evidence at all other positions), [time, block, state]; zeros where that evidence
/// is impossible. Nothing is assumed about what follows the segment.
std::vector<double> leave_one_out_smoothing(const Chain& chain, std::int64_t time,
                                            const Evidence& evidence, bool starts_document);

/// The same where the first position has this distribution of states before its evidence is seen.
std::vector<double> leave_one_out_smoothing(const Chain& chain, std::int64_t time,
                                            const Evidence& evidence,
                                            std::span<const double> first);

/// The distribution of a token of the corpus without context, [ordinary + 1]; the last entry is the
/// end token.
std::vector<double> unigram(const Chain& chain);

/// P(patches of a picture | block), [block]. Requires: as many patches as the language's pictures have.
std::vector<double> picture_likelihood(const Chain& chain, std::span<const Token> picture);

/// P(topic | all tokens of a segment), [topics]; zeros if the segment is impossible.
std::vector<double> topic_posterior(const Chain& chain, std::span<const Token> tokens,
                                    bool starts_document);

}  // namespace ablate
