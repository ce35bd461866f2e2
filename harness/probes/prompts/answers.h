// What a trained model makes of a prompt, in the format that it was trained on.

#pragma once

#include "harness/probes/probe.h"
#include "harness/run/job/prompt.h"

namespace ablate::probes {

/// One filling of a prompt: the ids in each of its blanks.
using Fillings = std::vector<std::vector<Token>>;

/// What a model makes of a prompt.
struct Answer {
  ClozeFormat format = ClozeFormat::none;
  Fillings greedy;                // of the most probable tokens, one after the other
  std::vector<Fillings> samples;  // drawn

  /// The most probable first tokens of the first blank, each with its probability, the most probable
  /// one first; -1 stands for all special ids.
  std::vector<std::pair<Token, double>> top;
  /// The same of the exact predictor that reads what the model reads; empty on text, and where the
  /// language has no such text.
  std::vector<std::pair<Token, double>> exact;
};

/// The subject's answer, in the order of the parts in which its phase asks; see asked_in(). Blanks are filled from the left; those that follow are shown as the format
/// shows a blank, with its number of tokens to a model that is told lengths. Throws
/// std::invalid_argument where an id is not one of text, where the prompt does not fit into the
/// context, and where the objective has no format for a text with blanks.
Answer answer_of(const Subject& subject, const run::Prompt& prompt);

/// "what is left of the blank", "both sides" or "both sides, and the number of tokens".
std::string_view reading_of(ClozeFormat format);

}  // namespace ablate::probes
