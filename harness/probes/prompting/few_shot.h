// Prompts of labelled demonstrations, and the labels that their costs name. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"
#include "harness/probes/classification/label_scores.h"

namespace ablate::probes {

/// How a labelled text is written: its tokens, `before`, the label's verbaliser, `after`. Of a pair of
/// texts: the first, `between`, the second.
struct PromptFormat {
  std::vector<std::vector<Token>> verbalisers;  // by label; ordinary ids, at least one
  std::vector<Token> before, after;
  std::vector<Token> between = {};  // empty where there are no pairs
};

/// A text, or a pair of them around a separator token, with its label, shown before the question.
struct Demonstration {
  std::span<const Token> text;
  std::size_t label = 0;
};

/// What a model reads before the verbaliser of `text`, from a begin token on. Each text is cut to
/// `shown` tokens. A pair is cut to as many together: half for each text, and what one does not need
/// goes to the other.
std::vector<Token> prompt_of(const PromptFormat& format,
                             std::span<const Demonstration> demonstrations,
                             std::span<const Token> text, std::size_t shown);

/// Scores of shared items against labels: accuracy and macro F1 as of label_scores(), where an item
/// counts in fractions. `shares`: [item][label]. So a model that scores all labels alike has an
/// accuracy of 1 / labels exactly.
LabelScores shared_scores(const std::vector<std::vector<double>>& shares,
                          std::span<const std::int32_t> labels);

}  // namespace ablate::probes
