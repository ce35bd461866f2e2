// Measures generated text against held-out text, by a judge and by its tokens.

#include <algorithm>
#include <cmath>

#include "harness/probes/generation/drawn_texts.h"
#include "harness/probes/generation/equal_entropy.h"
#include "harness/probes/measuring.h"
#include "harness/probes/text_quality/divergence.h"
#include "harness/probes/text_quality/judge.h"
#include "harness/probes/text_quality/self_bleu.h"

namespace ablate::probes {
namespace {

using Texts = std::vector<std::vector<Token>>;

std::vector<JudgedText> spans_of(const Texts& texts) { return {texts.begin(), texts.end()}; }

/// What is drawn, and by what it is judged.
struct Course {
  const Subject& subject;
  const Judge& judge;
  std::size_t samples = 0, length = 0;
  std::int64_t rounds = 0;
  Rng rng;
};

/// Texts without a prompt. Texts that end at once are left out: there is nothing to judge.
Texts drawn(const Course& course, train::Network& network, double temperature,
            const ProgressSink& progress) {
  const Sampler sampler{network, course.subject.vocabulary(), course.subject.device, temperature,
                        course.rng.fork("draw")};
  const Texts starts(course.samples, {begin_token});
  Texts texts;
  for (Sample& sample :
       draw_texts(course.subject, sampler, starts, course.length, course.rounds, progress))
    if (sample.tokens.size() > 2) texts.push_back(std::move(sample.tokens));
  return texts;
}

/// One temperature: the judge's loss and the entropy of what was drawn.
EntropyPoint point_of(const Judge& judge, double temperature, const Texts& texts) {
  if (texts.empty()) return {temperature, std::nan(""), 0};
  return {temperature, judge.loss(spans_of(texts)), token_entropy(texts)};
}

/// MAUVE of texts against references, as many of each.
double mauve_of(const Course& course, const Texts& texts, std::span<const JudgedText> references) {
  const std::vector<JudgedText> own = spans_of(texts);
  const std::size_t count = std::min(own.size(), references.size());
  if (count < 2) return 0;
  return mauve(course.judge.features(std::span(own).first(count)),
               course.judge.features(references.first(count)), course.judge.width(),
               course.rng.fork("clusters"));
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
                                {params.integer("judge_width"), params.integer("judge_depth"),
                                 length, params.integer("judge_tokens")},
                                [&](double fraction) { progress(0.2 * fraction); });
  const auto asked = static_cast<std::size_t>(params.integer("samples"));
  const std::size_t half = std::min(asked, judge.references().size() / 2);
  const std::vector<JudgedText> all = spans_of(judge.references());
  const auto references = std::span(all).first(half);
  const Course course{
      .subject = subject,
      .judge = judge,
      .samples = asked,
      .length = static_cast<std::size_t>(length),
      .rounds = params.integer("steps"),
      .rng = Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("text_quality")};

  const std::vector<double> temperatures = temperatures_of(params);
  const double runs = static_cast<double>(temperatures.size()) + 1;  // and the untrained model
  double done = 0;
  const auto part = [&](double fraction) { progress(0.2 + 0.8 * (done + fraction) / runs); };
  std::vector<EntropyPoint> curve;
  Texts at_one;
  for (const double temperature : temperatures) {
    Texts texts = drawn(course, subject.network, temperature, part);
    curve.push_back(point_of(judge, temperature, texts));
    if (temperature == 1) at_one = std::move(texts);
    ++done;
  }
  const Texts untrained = drawn(course, *subject.untrained(), 1, part);
  const Texts held_out(judge.references().begin(),
                       judge.references().begin() + static_cast<std::ptrdiff_t>(half));

  Measurement measurement;
  auto& metrics = measurement.metrics;
  const EntropyPoint own = point_of(judge, 1, at_one);
  const double entropy = token_entropy(held_out);
  if (const auto loss = value_at(curve, entropy)) metrics["quality.judge_loss_matched"] = *loss;
  if (std::isfinite(own.value)) metrics["quality.judge_loss"] = own.value;
  metrics["quality.judge_loss_held_out"] = judge.loss(references);
  metrics["quality.entropy"] = own.entropy;
  metrics["quality.entropy_held_out"] = entropy;
  metrics["quality.mauve"] = mauve_of(course, at_one, references);
  metrics["quality.mauve_ceiling"] =
      mauve_of(course,
               Texts(judge.references().begin() + static_cast<std::ptrdiff_t>(half),
                     judge.references().begin() + static_cast<std::ptrdiff_t>(2 * half)),
               references);
  metrics["quality.mauve_untrained"] = mauve_of(course, untrained, references);
  metrics["quality.self_bleu"] = self_bleu(at_one);
  metrics["quality.self_bleu_held_out"] = self_bleu(held_out);
  Json heats = Json::array();
  for (const EntropyPoint& point : curve)
    heats.push_back({{"temperature", point.temperature},
                     {"judge_loss", point.value},
                     {"entropy", point.entropy}});
  measurement.details = {{"judge", judge.hash()},
                         {"texts", at_one.size()},
                         {"held_out", half},
                         {"temperatures", std::move(heats)}};
  return measurement;
}

}  // namespace ablate::probes
