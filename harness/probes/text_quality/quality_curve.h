// What is measured of the texts that were drawn at several temperatures, and what it would be at the
// entropy of held-out text.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/probes/generation/samplers/common/drawing.h"
#include "harness/probes/text_quality/divergence.h"
#include "harness/probes/text_quality/judge.h"

namespace ablate::probes {

/// Texts drawn at one temperature.
struct QualityPoint {
  double temperature = 1;
  double entropy = 0;         // of the tokens of all texts together; see token_entropy()
  double entropy_within = 0;  // of a text's own tokens, averaged over texts; see entropy_within()
  std::optional<double> entropy_model;   // minus the model's log-probability per drawn token, nats;
                                         // of texts drawn left to right
  std::map<std::string, double> values;  // see quality_of()
};

/// What drawn texts are held against.
struct QualityReferences {
  const Judge& judge;
  std::span<const std::vector<Token>> held_out;  // as many as texts are drawn, or fewer
  std::vector<float> features;                   // the judge's, of these, [text, width]
  std::size_t counted_tokens = 0;                // in which distinct n-grams are counted
  Rng clusters;
};

/// The divergence of texts from references, as many of each; the worst one of fewer than two.
TextDivergence divergence_of(const QualityReferences& references,
                             std::span<const std::vector<Token>> texts);

/// The point of the texts of `samples`, with the values mauve, mauve_smoothed, frontier, self_bleu and
/// repetition; distinct_1 to distinct_3, where there are enough tokens; and judge_loss (nats per
/// token), where there is a text. `exact`: their log-probabilities are known.
QualityPoint quality_of(const QualityReferences& references, double temperature,
                        std::span<const Sample> samples, bool exact);

/// A value at the temperature at which the entropy, a member of the points, has a value; see
/// value_at().
std::optional<double> matched_value(std::span<const QualityPoint> curve, const std::string& name,
                                    double QualityPoint::*entropy, double value);

/// [{"temperature", "entropy", "entropy_within", "entropy_model", every value}].
Json as_json(std::span<const QualityPoint> curve);

}  // namespace ablate::probes
