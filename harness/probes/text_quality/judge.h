// An independent judge of text: a model that no arm is, trained on text that no arm reads.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/probes/probe.h"

namespace ablate::probes {

/// What a judge is made of.
struct JudgeSettings {
  std::int64_t width = 128, depth = 2;
  std::int64_t context = 0;  // the longest text that it reads, tokens
  std::int64_t tokens = 0;   // that it is trained on
};

/// A text from its begin token on.
using JudgedText = std::span<const Token>;

/// Judges texts of one corpus. It is trained on four fifths of the documents that are held out from
/// all trials, chosen at random; the others are `references()`, which it has not read either.
class Judge {
 public:
  /// The judge of the subject's corpus, a `Subject::reference`: the same for all arms and seeds. Made
  /// once and kept in the cache, under a hash of the corpus and the settings; calls `progress` while
  /// it is trained.
  /// Throws std::invalid_argument where the corpus holds out too little text.
  static Judge of(const Subject& subject, const JudgeSettings& settings,
                  const ProgressSink& progress);

  /// Held-out documents for comparison, cut to the context.
  const std::vector<std::vector<Token>>& references() const { return references_; }

  /// The hash of its weights.
  const std::string& hash() const { return hash_; }

  /// The mean cost of the texts' tokens after the begin token, in nats per token. Requires: no text
  /// is longer than the context, and one has such a token.
  double loss(std::span<const JudgedText> texts) const;

  /// The last hidden state of each text's last token, an end token excluded: [text, width()].
  std::vector<float> features(std::span<const JudgedText> texts) const;

  /// The number of features of a text.
  std::size_t width() const { return width_; }

 private:
  Judge() = default;

  ReferenceModel model_;
  std::string device_, hash_;
  std::size_t width_ = 0;
  std::vector<std::vector<Token>> references_;
};

}  // namespace ablate::probes
