// What a judge and the entropies say of the texts that were drawn at several temperatures.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "harness/probes/generation/samplers/common/drawing.h"
#include "harness/probes/text_quality/judge.h"

namespace ablate::probes {

/// Texts drawn at one temperature.
struct QualityPoint {
  double temperature = 1;
  double judge_loss = 0;      // nats per token; not a number where no text was drawn
  double entropy = 0;         // of the tokens of all texts together; see token_entropy()
  double entropy_within = 0;  // of a text's own tokens, averaged over texts; see entropy_within()
  std::optional<double> entropy_model;  // minus the model's log-probability per drawn token, nats;
                                        // of texts drawn left to right
};

/// The point of the texts of `samples`. `exact`: their log-probabilities are known.
QualityPoint quality_of(const Judge& judge, double temperature, std::span<const Sample> samples,
                        bool exact);

/// The judge's loss at the temperature at which the entropy, a member of the points, has a value; see
/// value_at().
std::optional<double> judge_loss_at(std::span<const QualityPoint> curve,
                                    double QualityPoint::*entropy, double value);

/// [{"temperature", "judge_loss", "entropy", "entropy_within", "entropy_model"}].
Json as_json(std::span<const QualityPoint> curve);

}  // namespace ablate::probes
