// What a task is: a generator of documents in which some tokens are answers.
//
// Each document has a begin token, words, and an end token. An answer follows from what stands before it,
// so that the exact predictor pays nothing for it.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/example.h"
#include "harness/contract/params.h"

namespace ablate::data {

/// A document of a task, and what its generator knows of it.
struct TaskDocument {
  std::vector<Token> tokens;        // begin_token, ..., end_token
  std::vector<std::uint8_t> marks;  // Mark bits of each token; answers have answer_mark
  double nats = 0;                  // -log P(document), given its difficulty

  /// Appends word number `word`. Words that stand next to each other as answers are one answer.
  void put(std::int64_t word, bool answer = false) {
    tokens.push_back(special_count + static_cast<Token>(word));
    marks.push_back(answer ? word_mark | answer_mark : word_mark);
  }
};

/// What a document is drawn with.
struct TaskDraw {
  const Params& dials;          // of the task
  std::int64_t difficulty = 0;  // the document's
  std::uint64_t seed = 0;       // the corpus's, of what all its documents have in common
};

/// The dial that makes documents of a task harder: a list, of which each document has one value.
struct Difficulty {
  std::string_view name;       // of the values that documents are drawn with, such as "pairs"
  std::string_view test_name;  // of those that models are asked about, such as "test_pairs"
  Json usual;                  // the default of the former
  Json usual_test = {};        // of the latter; null: the same as the former
  std::int64_t least = 0, most = 0;
  std::string_view description;
};

/// A row of the table of tasks.
struct TaskSpec {
  std::string_view name;     // of its section
  std::string_view summary;  // what a document is, in one line
  std::string_view source;   // paper and code that define it
  Difficulty difficulty;
  std::vector<Param> dials;

  /// Why documents of this difficulty cannot be drawn, and what to do; empty if they can. Null if all can.
  std::string (*refusal)(const Params& dials, std::int64_t difficulty);

  /// The names of its words, in the order of their numbers.
  std::vector<std::string> (*words)(const Params& dials);

  /// The number of tokens of a document, or the most that it may have, begin and end tokens included.
  std::int64_t (*length)(const Params& dials, std::int64_t difficulty);

  /// How often an answer token is right that is guessed without reading the document.
  double (*chance)(const Params& dials);

  /// Draws what stands between begin and end tokens, and what it costs.
  void (*draw)(const TaskDraw& with, Rng& rng, TaskDocument& document);
};

/// The tasks, in alphabetical order.
std::span<const TaskSpec> task_specs();

/// log n!, log (n! / (n - k)!) and log (n choose k).
double log_factorial(std::int64_t n);
double log_arrangements(std::int64_t n, std::int64_t k);
double log_choices(std::int64_t n, std::int64_t k);

/// `count` distinct numbers below `bound`, in random order. Requires: count <= bound.
std::vector<std::int64_t> distinct(std::int64_t count, std::int64_t bound, Rng& rng);

/// `prefix` followed by each number below `count`, appended to `words`.
void add_words(std::vector<std::string>& words, std::string_view prefix, std::int64_t count);

}  // namespace ablate::data
