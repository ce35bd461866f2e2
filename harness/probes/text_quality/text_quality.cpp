// Measures generated text against held-out text, by a judge and by its tokens.

#include <algorithm>
#include <cmath>

#include "harness/probes/generation/drawing/drawn_texts.h"
#include "harness/probes/generation/equal_entropy.h"
#include "harness/probes/generation/sample_metrics.h"
#include "harness/probes/measuring.h"
#include "harness/probes/text_quality/divergence.h"
#include "harness/probes/text_quality/judge.h"
#include "harness/probes/text_quality/quality_curve.h"
#include "harness/probes/text_quality/self_bleu.h"

namespace ablate::probes {
namespace {

using Texts = std::vector<std::vector<Token>>;

std::vector<JudgedText> spans_of(const Texts& texts) { return {texts.begin(), texts.end()}; }

/// What is drawn, and by what it is judged.
struct Course {
  const Subject& subject;
  const Judge& judge;
  std::size_t samples = 0;
  std::size_t held_out =
      0;  // references that drawn texts are compared with; there are twice as many
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

/// The divergence of texts from references, as many of each; the worst one of fewer than two.
TextDivergence divergence_of(const Course& course, std::span<const JudgedText> texts,
                             std::span<const JudgedText> references) {
  const std::size_t count = std::min(texts.size(), references.size());
  if (count < 2) return {.frontier = 1};
  return text_divergence(course.judge.features(texts.first(count)),
                         course.judge.features(references.first(count)), course.judge.width(),
                         course.rng.fork("clusters"));
}

/// "quality.mauve" and its companions, of which the names end in `mauve_suffix` and `suffix`.
void add_divergence(std::map<std::string, double>& metrics, const TextDivergence& divergence,
                    const std::string& mauve_suffix, const std::string& suffix) {
  metrics["quality.mauve" + mauve_suffix] = divergence.mauve;
  metrics["quality.mauve_smoothed" + mauve_suffix] = divergence.smoothed;
  metrics["quality.frontier" + suffix] = divergence.frontier;
}

/// As set, or twice the width of the arm, as a multiple of 32.
std::int64_t judge_width(const Subject& subject, const Params& params) {
  constexpr std::int64_t kUnit = 32;
  if (const std::int64_t asked = params.integer("judge_width"); asked > 0) return asked;
  return (2 * subject.model.params.integer("width") + kUnit - 1) / kUnit * kUnit;
}

/// What drawn and held-out texts are compared by at temperature 1.
void add_texts(std::map<std::string, double>& metrics, const Course& course,
               const std::vector<Sample>& at_one, const std::vector<Sample>& untrained) {
  const std::vector<JudgedText> all = spans_of(course.judge.references());
  const auto references = std::span(all).first(course.held_out),
             others = std::span(all).subspan(course.held_out, course.held_out);
  const Texts texts = texts_of(at_one), of_untrained = texts_of(untrained);
  add_divergence(metrics, divergence_of(course, spans_of(texts), references), "", "");
  add_divergence(metrics, divergence_of(course, others, references), "_ceiling", "_held_out");
  add_divergence(metrics, divergence_of(course, spans_of(of_untrained), references), "_untrained",
                 "_untrained");
  metrics["quality.self_bleu"] = self_bleu(texts);
  metrics["quality.self_bleu_held_out"] =
      self_bleu(std::span(course.judge.references()).first(course.held_out));
}

/// The judge's losses and the entropies, of drawn texts and of held-out ones.
void add_losses(std::map<std::string, double>& metrics, const Course& course,
                std::span<const QualityPoint> curve) {
  const auto held_out = std::span(course.judge.references()).first(course.held_out);
  const double entropy = token_entropy(held_out), within = entropy_within(held_out);
  if (const auto loss = judge_loss_at(curve, &QualityPoint::entropy, entropy))
    metrics["quality.judge_loss_matched"] = *loss;
  if (const auto loss = judge_loss_at(curve, &QualityPoint::entropy_within, within))
    metrics["quality.judge_loss_matched_within"] = *loss;
  const QualityPoint& own = *std::ranges::find(curve, 1.0, &QualityPoint::temperature);
  if (std::isfinite(own.judge_loss)) metrics["quality.judge_loss"] = own.judge_loss;
  const std::vector<JudgedText> references(held_out.begin(), held_out.end());
  metrics["quality.judge_loss_held_out"] = course.judge.loss(references);
  metrics["quality.entropy"] = own.entropy;
  metrics["quality.entropy_held_out"] = entropy;
  metrics["quality.entropy_within"] = own.entropy_within;
  metrics["quality.entropy_within_held_out"] = within;
  if (own.entropy_model) metrics["quality.entropy_model"] = *own.entropy_model;
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
  const Course course{
      .subject = subject,
      .judge = judge,
      .samples = asked,
      .held_out = std::min(asked, judge.references().size() / 2),
      .length = static_cast<std::size_t>(length),
      .rounds = params.integer("steps"),
      .rng = Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("text_quality")};

  const std::vector<double> temperatures = temperatures_of(params);
  const double runs = static_cast<double>(temperatures.size()) + 1;  // and the untrained model
  double done = 0;
  const auto part = [&](double fraction) { progress(0.2 + 0.8 * (done + fraction) / runs); };
  std::vector<QualityPoint> curve;
  std::vector<Sample> at_one;
  for (const double temperature : temperatures) {
    std::vector<Sample> samples = drawn(course, subject.network, temperature, part);
    curve.push_back(quality_of(judge, temperature, samples, draws_left_to_right(subject)));
    if (temperature == 1) at_one = std::move(samples);
    ++done;
  }
  const std::vector<Sample> untrained = drawn(course, *subject.untrained(), 1, part);

  Measurement measurement;
  add_losses(measurement.metrics, course, curve);
  add_texts(measurement.metrics, course, at_one, untrained);
  measurement.details = {{"judge", judge.hash()},
                         {"judge_width", judge.width()},
                         {"texts", at_one.size()},
                         {"held_out", course.held_out},
                         {"scheme", name_of(scheme_of(subject))},
                         {"temperatures", as_json(curve)}};
  note_length(measurement.details, drawn_length(subject, 1, course.length), course.length);
  if (!draws_left_to_right(subject))
    measurement.details["absent"]["quality.entropy_model"] = kNoExactProbability;
  return measurement;
}

}  // namespace ablate::probes
