// The built-in language and its text as files that other programs can read.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/data/language/language.h"

namespace ablate::data {

/// A file of an exported language.
struct LanguageFile {
  std::string name;  // such as "transition.npy"
  std::string bytes;
};

/// The language of a resolved section and the corpus that is drawn from it:
///   language.json                          parameters, sizes, ids, blocks, and what each file holds
///   start, stationary, transition,
///   emission .npy                          float64, as Chain has them
///   training.npy, held_out.npy             int32 [tokens]: the text that arms are trained on
///   training.jsonl, held_out.jsonl         a document a line: "tokens", "topic", "name", "states"
/// and of each held-out document what the exact predictor makes of it, in nats: "log_probability" of
/// the document, "filtering" (-log P of each token given those before it: the optimum of causal LM)
/// and "smoothing" (-log P given all others: that of a single mask), and "topic_posterior" given all
/// of it.
std::vector<LanguageFile> language_files(const Params& params);

/// An array in NumPy's format 1.0: "<f8" or "<i4", row-major.
std::string npy(const std::vector<double>& values, const std::vector<std::int64_t>& shape);
std::string npy(const std::vector<Token>& values, const std::vector<std::int64_t>& shape);

}  // namespace ablate::data
