// Completions between which a model chooses, and what each costs it.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/data/corpus/corpus.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/probes/minimal_pairs/choice_scores.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// A completion with what stands before it.
struct Completion {
  std::span<const Token> document;      // from the begin to the end token
  std::span<const std::uint8_t> marks;  // of the document
  std::size_t first = 1;                // its first token
  double characters = 1;
  double ratio = 0;  // people's rating or reading time, where the file has ratios

  std::span<const Token> tokens() const {
    return document.subspan(first, document.size() - 1 - first);
  }
};

/// The items of a file that fit into the model's context.
struct Choices {
  std::vector<ChoiceItem> items;
  std::vector<Completion> completions;
  std::vector<std::string> groups, fields;
  std::size_t too_long = 0;  // items that do not fit
};

/// The corpus that prepare_choices() named in the probe's settings. Throws std::invalid_argument where
/// they name none.
data::Corpus choice_corpus(const Subject& subject, const plan::ResolvedProbe& probe);

/// Its choices, which point into the corpus. Throws std::invalid_argument where none fits into
/// `context` tokens, DamagedFile where completions are missing.
Choices choices_of(const data::Corpus& corpus, std::int64_t context);

/// The completions that differ in tokens or in where these begin, and which of them each completion is. What is equal is
/// asked once: in another row of another batch it would cost a little more or less.
struct DifferentCompletions {
  std::vector<std::size_t> completions;  // indices of the first of each kind
  std::vector<std::size_t> kind;         // of every completion: an index into `completions`

  /// The costs of all completions, from those of each kind.
  std::vector<double> spread(std::span<const double> costs) const;
};

DifferentCompletions different_completions(const Choices& choices);

/// The cost of each completion given its prefix, left to right in the arm's own format, in nats. Equal
/// completions cost the same to a bit.
std::vector<double> chain_costs(const Subject& subject, const Choices& choices);

}  // namespace ablate::probes
