// How text is drawn from the models of an arm. Without LibTorch.

#pragma once

#include <string_view>
#include <vector>

#include "harness/contract/probe.h"

namespace ablate::probes {

/// How text is drawn from a model.
enum class DrawingScheme {
  none,            // it is not
  left_to_right,   // each token given those before it, as the objective predicts them
  unmasking,       // the masks of a text of known length are filled
  blocks,          // those of one block after the other
  through_format,  // each token as the next one of a blank at the end, in the objective's format
};

/// The scheme of an objective at these parameters on a backbone with this offer: its own, where the
/// backbone can host it, or else its cloze format, where that can be asked for tokens one after the
/// other.
DrawingScheme drawing_scheme(const ObjectiveSpec& objective, const Params& params,
                             const Offer& offer);

/// That of an arm.
DrawingScheme drawing_scheme(const ProbedArm& arm);

/// The samplers that draw by a scheme: through a format, too, they continue texts.
constexpr Generation generation_by(DrawingScheme scheme) {
  switch (scheme) {
    case DrawingScheme::none:
      return Generation::none;
    case DrawingScheme::unmasking:
      return Generation::unmasking;
    case DrawingScheme::blocks:
      return Generation::blocks;
    case DrawingScheme::left_to_right:
    case DrawingScheme::through_format:
      break;
  }
  return Generation::ancestral;
}

/// How long drawing a text takes for each token of its maximum length, in tokens that the model reads in
/// whole rows. Left to right, a token that is read by itself takes the time of four or five of them, and most
/// texts end early; unmasking reads the text in each of its rounds, or at `rounds` 0 for each of its tokens.
double reads_per_token(Generation generation, double length, double rounds);

/// How long filling a blank of so many tokens takes, in tokens that the model reads in whole rows of
/// `text` tokens. In a format that goes on, the text is read once and each token by itself; where each
/// token has a mask, all of the text for each of them. 0 where the arm has no format for blanks.
double reads_to_fill(const ProbedArm& arm, double text, double blank);

/// "left to right", "unmasking in random order", "block by block", "through its format" or "none".
std::string_view name_of(DrawingScheme scheme);

/// Adds what readers must know of texts that the arm draws to the metrics that have a direction.
void note_scheme(std::vector<Metric>& metrics, const ProbedArm& arm);

}  // namespace ablate::probes
