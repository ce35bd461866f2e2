// Measures generated text against held-out text, by a judge and by its tokens.

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/probes/generation/drawing/drawn_texts.h"
#include "harness/probes/generation/equal_entropy.h"
#include "harness/probes/generation/sample_metrics.h"
#include "harness/probes/measuring.h"
#include "harness/probes/text_quality/judge.h"
#include "harness/probes/text_quality/quality_curve.h"
#include "harness/probes/text_quality/self_bleu.h"

namespace ablate::probes {
namespace {

using Texts = std::vector<std::vector<Token>>;

/// What is drawn.
struct Course {
  const Subject& subject;
  std::size_t samples = 0;
  std::size_t length = 0;
  std::int64_t rounds = 0;
  Rng rng;
};

/// Samples without a prompt. Those that end at once are left out: there is nothing to judge.
std::vector<Sample> drawn(const Course& course, train::Network& network, double temperature,
                          const ProgressSink& progress) {
  const Sampler sampler{network, course.subject.vocabulary(), course.subject.device, temperature,
                        course.rng.fork("draw")};
  const Texts starts(course.samples, {begin_token});
  std::vector<Sample> samples =
      draw_texts(course.subject, sampler, starts, course.length, course.rounds, progress);
  std::erase_if(samples, [](const Sample& sample) { return sample.tokens.size() <= 2; });
  return samples;
}

/// As set, or twice the width of the arm, as a multiple of 32.
std::int64_t judge_width(const Subject& subject, const Params& params) {
  constexpr std::int64_t kUnit = 32;
  if (const std::int64_t asked = params.integer("judge_width"); asked > 0) return asked;
  return (2 * subject.model.params.integer("width") + kUnit - 1) / kUnit * kUnit;
}

/// What texts are compared by that were drawn at temperature 1, and with its initial weights.
void add_at_one(std::map<std::string, double>& metrics, const QualityPoint& at_one,
                const QualityPoint& untrained) {
  for (const char* name : {"mauve", "mauve_smoothed", "frontier", "self_bleu", "judge_loss"}) {
    if (const auto value = at_one.values.find(name); value != at_one.values.end())
      metrics[fmt::format("quality.{}", name)] = value->second;
    if (const auto value = untrained.values.find(name); value != untrained.values.end())
      metrics[fmt::format("quality.{}_untrained", name)] = value->second;
  }
  metrics["quality.entropy"] = at_one.entropy;
  metrics["quality.entropy_within"] = at_one.entropy_within;
  if (at_one.entropy_model) metrics["quality.entropy_model"] = *at_one.entropy_model;
  metrics["quality.entropy_untrained"] = untrained.entropy;
}

/// Every value at the temperature at which drawn text is as varied as held-out text.
void add_matched(std::map<std::string, double>& metrics, std::span<const QualityPoint> curve,
                 double entropy, double entropy_within) {
  std::set<std::string> names;
  for (const QualityPoint& point : curve)
    for (const auto& [name, value] : point.values) names.insert(name);
  for (const std::string& name : names)
    if (const auto value = matched_value(curve, name, &QualityPoint::entropy, entropy))
      metrics[fmt::format("quality.{}_matched", name)] = *value;
  if (const auto loss =
          matched_value(curve, "judge_loss", &QualityPoint::entropy_within, entropy_within))
    metrics["quality.judge_loss_matched_within"] = *loss;
}

/// The same of held-out text, and its divergence from other held-out text.
void add_held_out(std::map<std::string, double>& metrics, const QualityReferences& references,
                  std::span<const std::vector<Token>> others) {
  const auto held_out = references.held_out;
  const std::vector<JudgedText> judged(held_out.begin(), held_out.end());
  metrics["quality.judge_loss_held_out"] = references.judge.loss(judged);
  metrics["quality.entropy_held_out"] = token_entropy(held_out);
  metrics["quality.entropy_within_held_out"] = entropy_within(held_out);
  metrics["quality.self_bleu_held_out"] = self_bleu(held_out);
  std::map<std::string, double> variety;
  add_variety(held_out, references.counted_tokens, variety, "_held_out");
  for (const auto& [name, value] : variety) metrics["quality." + name] = value;
  const TextDivergence ceiling = divergence_of(references, others);
  metrics["quality.mauve_ceiling"] = ceiling.mauve;
  metrics["quality.mauve_smoothed_ceiling"] = ceiling.smoothed;
  metrics["quality.frontier_held_out"] = ceiling.frontier;
}

/// Half of the tokens of held-out texts: all arms are held against these, and few draw less.
std::size_t counted_tokens(std::span<const std::vector<Token>> held_out) {
  std::size_t tokens = 0;
  for (const std::vector<Token>& text : held_out) tokens += text.size();
  return tokens / 2;
}

std::vector<double> temperatures_of(const Params& params) {
  auto list = params.list("temperatures").get<std::vector<double>>();
  list.push_back(1);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

}  // namespace

Measurement measure_text_quality(const Subject& subject, const plan::ResolvedProbe& probe,
                                 const ProgressSink& progress) {
  if (!can_draw(subject)) return no_measurement("quality", kNoGeneration);
  const Params& params = probe.params;
  const std::int64_t length =
      params.integer("length") > 0 ? params.integer("length") : subject.phase.context;
  const Judge judge = Judge::of(subject,
                                {judge_width(subject, params), params.integer("judge_depth"),
                                 length, params.integer("judge_tokens")},
                                [&](double fraction) { progress(0.2 * fraction); });
  const auto asked = static_cast<std::size_t>(params.integer("samples"));
  const Rng rng =
      Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("text_quality");
  const Course course{.subject = subject,
                      .samples = asked,
                      .length = static_cast<std::size_t>(length),
                      .rounds = params.integer("steps"),
                      .rng = rng};
  // Twice as many held-out texts are read as are compared: the others give the ceiling.
  const std::size_t compared = std::min(asked, judge.references().size() / 2);
  const auto held_out = std::span(judge.references()).first(compared);
  const std::vector<JudgedText> judged(held_out.begin(), held_out.end());
  const QualityReferences references{judge, held_out, judge.features(judged),
                                     counted_tokens(held_out), rng.fork("clusters")};

  const std::vector<double> temperatures = temperatures_of(params);
  const double runs = static_cast<double>(temperatures.size()) + 1;  // and the untrained model
  double done = 0;
  const auto part = [&](double fraction) { progress(0.2 + 0.8 * (done + fraction) / runs); };
  std::vector<QualityPoint> curve;
  std::size_t texts = 0;  // at temperature 1
  for (const double temperature : temperatures) {
    const std::vector<Sample> samples = drawn(course, subject.network, temperature, part);
    curve.push_back(quality_of(references, temperature, samples, draws_left_to_right(subject)));
    if (temperature == 1) texts = samples.size();
    ++done;
  }
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const QualityPoint untrained =
      quality_of(references, 1, drawn(course, *initial, 1, part), draws_left_to_right(subject));

  Measurement measurement;
  auto& metrics = measurement.metrics;
  add_held_out(metrics, references, std::span(judge.references()).subspan(compared, compared));
  add_at_one(metrics, *std::ranges::find(curve, 1.0, &QualityPoint::temperature), untrained);
  add_matched(metrics, curve, metrics.at("quality.entropy_held_out"),
              metrics.at("quality.entropy_within_held_out"));
  measurement.details = {{"judge", judge.hash()},
                         {"judge_width", judge.width()},
                         {"texts", texts},
                         {"held_out", compared},
                         {"scheme", name_of(scheme_of(subject))},
                         {"temperatures", as_json(curve)}};
  note_length(measurement.details, drawn_length(subject, 1, course.length), course.length);
  if (!draws_left_to_right(subject))
    measurement.details["absent"]["quality.entropy_model"] = kNoExactProbability;
  return measurement;
}

}  // namespace ablate::probes
