// The built-in language: a hidden Markov language whose optimum is known for every objective.
//
// Composite states z = (topic, name, stage, state). Topic and name are drawn at the start of a
// document and stay; stage never goes back and advances at sentence ends; state moves at every
// token.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/chain.h"
#include "harness/contract/params.h"
#include "harness/data/corpus/corpus_cache.h"

namespace ablate::data {

/// The rows of a corpus section of kind "language": the dials, and how much text is drawn.
std::span<const Param> language_params();

/// Raised when the language drawn from the same dials changes; part of every corpus' identity.
constexpr int kLanguageVersion = 1;

/// A language that documents are drawn from.
class Language {
 public:
  /// Throws std::invalid_argument where dials that are each in range do not go together.
  explicit Language(const Params& params);

  /// The language as a hidden Markov chain: what optima are computed from.
  const Chain& chain() const { return chain_; }

  std::int64_t topics() const { return topics_; }

  struct Document {
    std::vector<Token> tokens;         // begin_token, ..., end_token
    std::vector<std::uint8_t> marks;   // sentence starts among them
    std::vector<std::int32_t> states;  // state of each emitted token, the end token included
    std::int32_t topic = 0;
    std::int32_t name = 0;
  };

  /// A document drawn from the language: a pure function of the random numbers.
  Document document(Rng rng) const;

 private:
  Chain chain_;
  std::int64_t topics_ = 0;
  std::vector<bool> ends_sentence_;  // [state]

  // Sums along the rows of the chain's distributions, to draw from.
  std::vector<double> start_;       // [block, state]
  std::vector<double> transition_;  // [block, state, state]
  std::vector<double> emission_;    // [block, state, ordinary]
};

/// Training and held-out text of the language: documents keyed by (seed of the language, part,
/// index), until a part has the tokens asked for; the last one is not cut. `about` is {"kind": "language",
/// "params": params, "semantics": kLanguageVersion}.
CorpusContent draw_corpus(const Language& language, const Params& params);

/// The corpus of a section of kind "language", drawn now or found in the cache.
std::filesystem::path prepare_language(const CorpusRequest& request);

}  // namespace ablate::data
