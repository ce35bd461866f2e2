// The built-in language: a hidden Markov language with which the optimum of objectives is known.
//
// Its composite states are z = (topic, name, stage, state). Topic and name are drawn at the start
// of a document and do not change. The stage only increases, at sentence ends. The state changes at
// every token.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/chain.h"
#include "harness/contract/params.h"
#include "harness/data/corpus/corpus_cache.h"

namespace ablate::data {

/// The rows of a corpus section of kind "language": the language's parameters, and how much text is
/// drawn.
std::span<const Param> language_params();

/// Raised when a change makes another language of the same parameters; part of each corpus's
/// identity.
constexpr int kLanguageVersion = 1;

/// A language that documents are drawn from.
class Language {
 public:
  /// The language of a resolved section. Throws as dials_of().
  explicit Language(const Params& params);

  /// The language as a hidden Markov chain, from which optima are computed.
  const Chain& chain() const { return chain_; }

  /// The number of topics.
  std::int64_t topics() const { return topics_; }

  /// The token of each name, which documents of it show at their name slots; none without names.
  std::span<const Token> names() const { return names_; }

  /// A document and the hidden values that it was drawn with.
  struct Document {
    std::vector<Token> tokens;         // begin_token, ..., end_token
    std::vector<std::uint8_t> marks;   // Mark bits of each token
    std::vector<std::int32_t> states;  // state of each emitted token, the end token included
    std::int32_t topic = 0;
    std::int32_t name = 0;
  };

  /// Draws a document: a pure function of the random numbers.
  Document document(Rng rng) const;

 private:
  Chain chain_;
  std::int64_t topics_ = 0;
  std::vector<Token> names_;

  // Cumulative sums along the rows of the chain's distributions, to draw from.
  std::vector<double> start_;       // [block, state]
  std::vector<double> transition_;  // [block, state, state]
  std::vector<double> emission_;    // [block, state, ordinary]
};

/// The parts of a corpus.
enum class CorpusPart { training, held_out };

/// Calls `take` with each document of a part of the corpus that draw_corpus() makes, in its order,
/// with the hidden values that it was drawn with.
void each_document(const Language& language, const Params& params, CorpusPart part,
                   const std::function<void(const Language::Document& document)>& take);

/// Draws training and held-out text of the language: documents keyed by (seed of the language,
/// part, index), until a part has the requested tokens; the last document is complete. `about`
/// becomes {"kind": "language", "params": params, "semantics": kLanguageVersion}.
CorpusContent draw_corpus(const Language& language, const Params& params);

/// Draws the corpus of a section of kind "language", or finds it in the cache; returns its file.
std::filesystem::path prepare_language(const CorpusRequest& request);

}  // namespace ablate::data
