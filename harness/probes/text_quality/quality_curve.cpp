#include "harness/probes/text_quality/quality_curve.h"

#include <cmath>

#include "harness/probes/generation/equal_entropy.h"
#include "harness/probes/generation/sample_metrics.h"

namespace ablate::probes {
namespace {

/// Minus the log-probability of the drawn tokens, per token.
double entropy_of_model(std::span<const Sample> samples) {
  double log_probability = 0, drawn = 0;
  for (const Sample& sample : samples) {
    log_probability += sample.log_probability;
    drawn += static_cast<double>(sample.tokens.size() - sample.given);
  }
  return -log_probability / drawn;
}

}  // namespace

QualityPoint quality_of(const Judge& judge, double temperature, std::span<const Sample> samples,
                        bool exact) {
  if (samples.empty()) return {.temperature = temperature, .judge_loss = std::nan("")};
  const std::vector<std::vector<Token>> texts = texts_of(samples);
  const std::vector<JudgedText> judged(texts.begin(), texts.end());
  return {.temperature = temperature,
          .judge_loss = judge.loss(judged),
          .entropy = token_entropy(texts),
          .entropy_within = entropy_within(texts),
          .entropy_model = exact ? std::optional(entropy_of_model(samples)) : std::nullopt};
}

std::optional<double> judge_loss_at(std::span<const QualityPoint> curve,
                                    double QualityPoint::*entropy, double value) {
  std::vector<EntropyPoint> points;
  for (const QualityPoint& point : curve)
    points.push_back({point.temperature, point.judge_loss, point.*entropy});
  return value_at(points, value);
}

Json as_json(std::span<const QualityPoint> curve) {
  Json list = Json::array();
  for (const QualityPoint& point : curve) {
    list.push_back({{"temperature", point.temperature},
                    {"judge_loss", point.judge_loss},
                    {"entropy", point.entropy},
                    {"entropy_within", point.entropy_within}});
    if (point.entropy_model) list.back()["entropy_model"] = *point.entropy_model;
  }
  return list;
}

}  // namespace ablate::probes
