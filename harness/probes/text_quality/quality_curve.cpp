#include "harness/probes/text_quality/quality_curve.h"

#include <algorithm>

#include "harness/probes/generation/equal_entropy.h"
#include "harness/probes/generation/sample_metrics.h"
#include "harness/probes/text_quality/self_bleu.h"

namespace ablate::probes {
namespace {

std::vector<JudgedText> spans_of(std::span<const std::vector<Token>> texts) {
  return {texts.begin(), texts.end()};
}

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

TextDivergence divergence_of(const QualityReferences& references,
                             std::span<const std::vector<Token>> texts) {
  const std::size_t count = std::min(texts.size(), references.held_out.size());
  if (count < 2) return {.frontier = 1};
  const std::size_t width = references.judge.width();
  return text_divergence(references.judge.features(spans_of(texts.first(count))),
                         std::span(references.features).first(count * width), width,
                         references.clusters);
}

QualityPoint quality_of(const QualityReferences& references, double temperature,
                        std::span<const Sample> samples, bool exact) {
  const std::vector<std::vector<Token>> texts = texts_of(samples);
  QualityPoint point{.temperature = temperature};
  const TextDivergence divergence = divergence_of(references, texts);
  point.values = {{"mauve", divergence.mauve},
                  {"mauve_smoothed", divergence.smoothed},
                  {"frontier", divergence.frontier},
                  {"self_bleu", self_bleu(texts)}};
  if (texts.empty()) return point;
  add_variety(texts, references.counted_tokens, point.values);
  point.values["judge_loss"] = references.judge.loss(spans_of(texts));
  point.entropy = token_entropy(texts);
  point.entropy_within = entropy_within(texts);
  if (exact) point.entropy_model = entropy_of_model(samples);
  return point;
}

std::optional<double> matched_value(std::span<const QualityPoint> curve, const std::string& name,
                                    double QualityPoint::*entropy, double value) {
  std::vector<EntropyPoint> points;
  for (const QualityPoint& point : curve)
    if (const auto found = point.values.find(name); found != point.values.end())
      points.push_back({point.temperature, found->second, point.*entropy});
  return value_at(points, value);
}

Json as_json(std::span<const QualityPoint> curve) {
  Json list = Json::array();
  for (const QualityPoint& point : curve) {
    Json& one = list.emplace_back(point.values);
    one["temperature"] = point.temperature;
    one["entropy"] = point.entropy;
    one["entropy_within"] = point.entropy_within;
    if (point.entropy_model) one["entropy_model"] = *point.entropy_model;
  }
  return list;
}

}  // namespace ablate::probes
