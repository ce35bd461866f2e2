#include "harness/probes/generation/drawing/scheme_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace ablate::probes {
namespace {

constexpr std::string_view kSchemeNames[] = {"none", "left to right", "unmasking in random order",
                                             "block by block", "through its format"};

constexpr auto kTold = "unmasking is told the length and the end token of each text";

constexpr auto kContinuation =
    "its texts are drawn as what follows the prompt in the format of its objective";

constexpr auto kBlank =
    "its texts are drawn as the fill of one blank at the end of the prompt, longer than the blanks "
    "of its training unless the model ends them as early as those";

std::string_view note_of(const ProbedArm& arm) {
  switch (drawing_scheme(arm)) {
    case DrawingScheme::unmasking:
    case DrawingScheme::blocks:
      return kTold;
    case DrawingScheme::through_format:
      return cloze_format_of(arm.objective, arm.params) == ClozeFormat::left ? kContinuation
                                                                             : kBlank;
    case DrawingScheme::none:
    case DrawingScheme::left_to_right:
      break;
  }
  return {};
}

}  // namespace

DrawingScheme drawing_scheme(const ObjectiveSpec& objective, const Params& params,
                             const Offer& offer) {
  const Generation generation = generation_of(objective, params);
  if (generation == Generation::ancestral && !offer.encoder) return DrawingScheme::left_to_right;
  if (generation == Generation::blocks && !offer.encoder) return DrawingScheme::blocks;
  if (generation == Generation::unmasking && !offer.encoder) return DrawingScheme::unmasking;
  const ClozeFormat format = cloze_format_of(objective, params);
  return format == ClozeFormat::left || format == ClozeFormat::both_sides
             ? DrawingScheme::through_format
             : DrawingScheme::none;
}

DrawingScheme drawing_scheme(const ProbedArm& arm) {
  return drawing_scheme(arm.objective, arm.params, arm.offer);
}

double reads_per_token(Generation generation, double length, double rounds) {
  constexpr double kStepByStep = 3;
  if (generation == Generation::none) return 0;
  if (generation == Generation::ancestral) return kStepByStep;
  return (rounds > 0 ? std::min(rounds, length) : length) / 2;
}

double reads_to_fill(const ProbedArm& arm, double text, double blank) {
  switch (cloze_format_of(arm.objective, arm.params)) {
    case ClozeFormat::none:
      return 0;
    case ClozeFormat::left:
    case ClozeFormat::both_sides:
      return text + reads_per_token(Generation::ancestral, blank, 0) * blank;
    case ClozeFormat::told_length:
    case ClozeFormat::left_told_length:
      break;
  }
  return text * blank;
}

std::string_view name_of(DrawingScheme scheme) {
  return kSchemeNames[static_cast<std::size_t>(scheme)];
}

void note_scheme(std::vector<Metric>& metrics, const ProbedArm& arm) {
  const std::string_view note = note_of(arm);
  if (note.empty()) return;
  for (Metric& metric : metrics)
    if (metric.better != Better::neither)
      metric.caveat =
          metric.caveat.empty() ? std::string(note) : fmt::format("{}; {}", note, metric.caveat);
}

}  // namespace ablate::probes
