// The pairs that a subject is asked about, and how good its outputs are.

#pragma once

#include <string>
#include <vector>

#include "harness/data/corpus/corpus.h"
#include "harness/probes/probe.h"
#include "harness/probes/seq2seq/pair_prompt.h"
#include "harness/probes/seq2seq/pairs.h"

namespace ablate::probes {

/// The pairs, and the text of their ids.
struct AskedPairs {
  data::Corpus corpus;  // that has the text of ids
  PairSplits pairs;
  std::vector<std::vector<std::string>> accepted;  // the outputs of test pairs
  std::size_t longest = 0;                         // tokens of the longest first output

  /// The texts of outputs.
  std::vector<std::string> texts_of(const std::vector<std::vector<Token>>& outputs) const;
};

/// The subject's pairs: of the language, or of the files that the plan prepared. Throws
/// std::invalid_argument where it prepared none, or where a split is empty.
AskedPairs asked_pairs(const Subject& subject, const plan::ResolvedProbe& probe);

/// What stands around the parts of a pair in a prompt.
PairPrompt prompt_form(const Subject& subject, const plan::ResolvedProbe& probe);

/// The result of a model; of a fine-tuned one the mean over seeds at the learning rate that was chosen.
struct Written {
  std::vector<double> exact, f1;  // by test pair
  double chrf = 0, loss = 0;
  double deviation = 0;  // of the exact match over seeds
  double rate = 0;
  Json by_rate = Json::array();    // the loss on development pairs
  std::vector<std::string> texts;  // of the first seed
};

/// Adds the scores of one seed of `seeds`; returns its exact match.
double add_seed(const AskedPairs& asked, const std::vector<std::vector<Token>>& outputs,
                double seeds, Written& result);

/// Adds the quality of texts to the metrics, under names between `before` and `after`. chrF only on
/// text.
void add_quality(const Written& result, const std::string& before, const std::string& after,
                 bool language, Measurement& measurement);

}  // namespace ablate::probes
