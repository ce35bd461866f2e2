// Measures the held-out loss, with its optimum and floor on the same examples.

#include "harness/probes/held_out/held_out.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "harness/base/shuffle.h"
#include "harness/data/batches/batches.h"
#include "harness/plan/rows/train_params.h"
#include "harness/probes/held_out/minimiser.h"
#include "harness/probes/held_out/references.h"
#include "harness/probes/held_out/yardsticks_spec.h"
#include "harness/probes/measuring.h"
#include "harness/probes/scoring.h"
#include "harness/probes/tally.h"
#include "harness/probes/unigram.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kScoredAtOnce = 32;    // texts, where their losses do not depend on that
constexpr std::int64_t kUntrainedTexts = 64;  // by the initial weights: an anchor, not a result

/// The rows of the phase, or longer ones where its texts take more at another setting.
RowShape rows_for(const Subject& subject, const Objective& objective) {
  RowShape shape = subject.phase.shape;
  if (shape.time > 0 && objective.needs.alignment == Alignment::in_place)
    shape.time = std::max(
        shape.time, lengths_of(objective, static_cast<std::size_t>(subject.phase.context)).inputs);
  return shape;
}

/// Scores texts under the objective at one setting. The trial's seed draws them and their
/// corruption, so that arms are compared on the same texts, and the intervals of their differences
/// include what the draw adds.
class Scorer {
 public:
  Scorer(const Subject& subject, const Params& params, std::span<const double> unigram,
         std::int64_t max_texts)
      : subject_(subject),
        objective_(objective_at(subject, params)),
        unigram_(unigram),
        rows_(objective_.needs.couples_rows() ? subject.phase.train.integer("batch")
                                              : kScoredAtOnce),
        batches_(subject.corpus.held_out(), objective_,
                 {.packing = subject.phase.packing,
                  .rows = rows_,
                  .context = subject.phase.context,
                  .seed = static_cast<std::uint64_t>(subject.seed),
                  .shape = rows_for(subject, objective_)}),
        numbers_(scored_texts(subject.seed, batches_.texts(), max_texts)) {
    const bool has_optimum = objective_.optimum || objective_.step_optimum;
    if (subject.language && has_optimum && subject.objective().optimum_kind)
      tally_.kind = subject.objective().optimum_kind(params);
    tally_.heads.resize(objective_.needs.heads.size());
    // A step of fewer rows has fewer places that a place is told from, and another loss.
    const std::size_t rows = static_cast<std::size_t>(rows_), steps = numbers_.size() / rows;
    if (objective_.needs.couples_rows() && steps > 0) numbers_.resize(steps * rows);
    tally_.texts.resize(numbers_.size());
  }

  Tally run(const ProgressSink& progress) {
    const std::span<const std::int64_t> all = numbers_;
    const auto rows = static_cast<std::size_t>(rows_);
    for (std::size_t first = 0; first < all.size(); first += rows) {
      const auto chunk = all.subspan(first, std::min(rows, all.size() - first));
      add(batches_.read(chunk), first);
      progress(static_cast<double>(first + chunk.size()) / static_cast<double>(all.size()));
    }
    return std::move(tally_);
  }

  /// Also scores what a shaped loss asks for, where the exact predictor's distribution is known.
  void add_minimiser_of(const TrainingLoss& loss) {
    if (subject_.language != nullptr && subject_.objective().forecasts != nullptr && !loss.plain())
      minimiser_.emplace(loss, subject_.vocabulary().size());
  }

 private:
  void add(const data::SampledBatch& drawn, std::size_t first) {
    // Bytes are those of all tokens where examples state what losses are divided by; see apply_loss_denominator().
    const bool over_all =
        std::ranges::any_of(drawn.examples, [](const data::PlacedExample& placed) {
          return placed.example.loss_denominator.has_value();
        });
    add_model(drawn.batch, first, over_all);
    const std::vector<Loss> floors = floors_of(objective_, unigram_, drawn.examples);
    std::vector<Loss> optima;  // empty where they are not known
    if (tally_.kind != OptimumKind::none)
      optima = optima_of(objective_, subject_.language->chain(), drawn.examples);
    double weight = 0;
    for (std::size_t i = 0; i < drawn.examples.size(); ++i) {
      const data::PlacedExample& placed = drawn.examples[i];
      TextCost& cost = tally_.texts[first + static_cast<std::size_t>(placed.row)];
      cost.context_free += floors[i];
      apply_loss_denominator(placed, cost);
      if (subject_.language) add_further_optima(placed, subject_.language->chain());
      if (minimiser_) add_minimiser(placed);
      if (optima.empty()) continue;
      cost.optimum += optima[i].total;
      weight += optima[i].weight;
    }
    const double scored = drawn.batch.primary_scored().weight();
    if (tally_.kind != OptimumKind::none && std::abs(weight - scored) > 1e-6 * (1 + scored))
      throw std::logic_error(
          fmt::format("objective {}: its optimum has weight {:g} but its batch has weight {:g}",
                      subject_.objective().name, weight, scored));
  }

  /// Replaces the weights of an example by its loss denominator, where it states one.
  void apply_loss_denominator(const data::PlacedExample& placed, TextCost& cost) {
    const Example& example = placed.example;
    if (!example.loss_denominator) return;
    for (const float weight : example.weights) cost.loss.weight -= static_cast<double>(weight);
    cost.loss.weight += static_cast<double>(*example.loss_denominator);
    for (const Token token : placed.text.tokens)
      tally_.bytes += static_cast<double>(subject_.corpus.bytes_of(token));
  }

  void add_minimiser(const data::PlacedExample& placed) {
    subject_.objective().forecasts(
        subject_.language->chain(), placed.text, placed.example,
        [&](double weight, std::size_t target, std::span<const double> distribution) {
          tally_.minimiser +=
              {weight * (minimiser_->cost(distribution, target) + std::log(distribution[target])),
               weight};
        });
  }

  void add_further_optima(const data::PlacedExample& placed, const Chain& chain) {
    if (!objective_.label_optima) return;
    const std::vector<Loss> best = objective_.label_optima(chain, placed.text, placed.example);
    for (std::size_t head = 0; head < best.size(); ++head) {
      if (!(best[head].weight > 0)) continue;
      HeadTally& tally = tally_.heads[objective_.needs.part(head + 1)];
      tally.optimum += best[head].total;
      tally.has_optimum = true;
    }
  }

  void add_model(const data::Batch& batch, std::size_t first, bool over_all) {
    const std::vector<TargetScores> heads = score_targets(
        subject_.network, batch, subject_.device,
        {static_cast<std::uint64_t>(subject_.seed), static_cast<std::int64_t>(first)});
    const data::Scored& scored = batch.primary_scored();
    const TargetScores& scores = heads[batch.primary];
    for (std::size_t i = 0; i < scores.costs.size(); ++i) {
      TextCost& cost =
          tally_.texts[first + static_cast<std::size_t>(scored.positions[i] / batch.time)];
      const auto weight = static_cast<double>(scored.weights[i]);
      cost.loss += {scores.costs[i] * weight, weight};
      const bool token = scored.need.traits.ahead > 0;
      const auto bytes =
          token ? static_cast<double>(subject_.corpus.bytes_of(scored.targets[i])) : 0.0;
      if (!over_all) tally_.bytes += bytes;
      if (bytes > 0) tally_.cost_of_bytes += scores.costs[i] * weight;
      tally_.right += scores.right[i];
      if (scored.need.traits.classes == 2) tally_.odds.add(scores.targets[i], scores.costs[i]);
      ++tally_.targets;
    }
    for (std::size_t head = 0; head < heads.size(); ++head)
      if (head != batch.primary) add_further(batch.scored[head], heads[head], tally_.heads[head]);
  }

  void add_further(const data::Scored& scored, const TargetScores& scores, HeadTally& tally) {
    tally.need = scored.need;
    for (std::size_t i = 0; i < scores.costs.size(); ++i) {
      const auto weight = static_cast<double>(scored.weights[i]);
      tally.loss += {scores.costs[i] * weight, weight};
      tally.right += scores.right[i];
      if (scored.need.traits.classes == 2) tally.odds.add(scores.targets[i], scores.costs[i]);
      ++tally.targets[scores.targets[i]];
    }
  }

  const Subject& subject_;
  Objective objective_;
  std::span<const double> unigram_;
  std::int64_t rows_;  // texts that are scored together
  data::Batches batches_;
  std::vector<std::int64_t> numbers_;  // of the texts
  std::optional<Minimiser> minimiser_;
  Tally tally_;
};

/// Adds what the run says of the model: its losses, and what each text contributes. Arms with another
/// context or packing are scored on other texts.
void add_run(const Subject& subject, const Tally& tally, const std::string& suffix,
             Measurement& measurement) {
  add_losses(tally, suffix, measurement.metrics);
  const std::string headline =
      (tally.kind == OptimumKind::none ? "held_out.loss" : "held_out.excess") + suffix;
  if (!measurement.metrics.contains(headline)) return;
  measurement.items[headline] = tally.headline_contributions();
  measurement.item_sets[headline] =
      fmt::format("{} {}", data::name_of(subject.phase.packing), subject.phase.context);
}

void add_own(const Subject& subject, const Tally& tally, Measurement& measurement) {
  auto& metrics = measurement.metrics;
  if (tally.targets > 0)
    metrics["held_out.accuracy"] =
        static_cast<double>(tally.right) / static_cast<double>(tally.targets);
  if (const std::optional<double> area = tally.odds.area()) metrics["held_out.auc"] = *area;
  if (const auto excess = tally.minimiser.mean()) metrics["held_out.minimiser_excess"] = *excess;
  if (tally.kind != OptimumKind::none) {
    const TextCost sum = tally.total();
    const double range = sum.context_free.total - sum.optimum;
    metrics["held_out.excess_error"] = tally.excess_error();
    if (range > 0)
      metrics["held_out.share_learned"] = (sum.context_free.total - sum.loss.total) / range;
  }
  if (!subject.language && is_text_likelihood(subject.objective(), subject.phase.params) &&
      tally.bytes > 0)
    metrics["held_out.bits_per_byte"] = tally.cost_of_bytes / std::log(2.0) / tally.bytes;
}

/// The loss and the accuracy of the model with its initial weights, on the first of the texts.
void add_untrained(const Subject& subject, std::span<const double> unigram, std::int64_t texts,
                   const ProgressSink& progress, std::map<std::string, double>& metrics) {
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const Subject untrained = subject.with(*initial);
  const Tally tally = Scorer(untrained, held_out_params(subject.objective(), subject.phase.params),
                             unigram, std::min(texts, kUntrainedTexts))
                          .run(progress);
  if (tally.targets == 0) return;
  const TextCost sum = tally.total();
  metrics["held_out.untrained_loss"] = sum.loss.total / sum.loss.weight;
  metrics["held_out.untrained_accuracy"] =
      static_cast<double>(tally.right) / static_cast<double>(tally.targets);
  for (const HeadTally& head : tally.heads) head.add_untrained_to(metrics);
}

Json details_of(const Tally& tally) {
  return {{"texts", tally.texts.size()},
          {"targets", tally.targets},
          {"optimum_kind", name_of(tally.kind)},
          {"excess_error", tally.excess_error()}};
}

/// Why a measurement has no floor, and on the language no optimum, where they are not known.
void add_absent(const Subject& subject, const Tally& tally, Json& details) {
  const auto fills = [](const HeadTally& head) { return head.need.traits.fills; };
  if (std::ranges::any_of(tally.heads, fills))
    details["absent"]["held_out.context_free"] =
        "the labels are made from samples of the model's own generator, whose probabilities a "
        "predictor without context would have to know";
  if (subject.language == nullptr || tally.kind != OptimumKind::none) return;
  for (const char* name : {"optimum", "excess", "excess_error", "share_learned"})
    details["absent"][fmt::format("held_out.{}", name)] =
        "the optimum of its objective, the loss of the exact predictor, is not known";
}

}  // namespace

std::vector<std::int64_t> scored_texts(std::int64_t seed, std::int64_t count,
                                       std::int64_t maximum) {
  const Rng rng(static_cast<std::uint64_t>(seed), Stream::probes);
  std::vector<std::int64_t> numbers = random_order(count, rng.fork("held_out"));
  numbers.resize(static_cast<std::size_t>(std::min(count, maximum)));
  return numbers;
}

Measurement measure_held_out_own(const Subject& subject, const plan::ResolvedProbe& probe,
                                 const ProgressSink& progress) {
  Measurement measurement;
  const std::vector<double> unigram = unigram_of(subject);
  Scorer scorer(subject, held_out_params(subject.objective(), subject.phase.params), unigram,
                probe.params.integer("texts"));
  scorer.add_minimiser_of(plan::loss_of(subject.phase.train));
  const Tally own = scorer.run(progress);
  add_run(subject, own, "", measurement);
  for (const HeadTally& head : own.heads) head.add_to("", measurement.metrics);
  add_own(subject, own, measurement);
  measurement.details = details_of(own);
  add_absent(subject, own, measurement.details);
  return measurement;
}

Measurement measure_held_out(const Subject& subject, const plan::ResolvedProbe& probe,
                             const ProgressSink& progress) {
  const std::vector<Yardstick> settings = yardsticks(subject.objective(), subject.phase.params);
  const double runs = 2 + static_cast<double>(settings.size());
  double done = 0;
  const ProgressSink part = [&](double fraction) { progress((done + fraction) / runs); };

  Measurement measurement = measure_held_out_own(subject, probe, part);
  const std::vector<double> distribution = unigram_of(subject);
  ++done;
  add_untrained(subject, distribution, probe.params.integer("texts"), part, measurement.metrics);
  for (const Yardstick& setting : settings) {
    ++done;
    const Tally tally =
        Scorer(subject, setting.params, distribution, probe.params.integer("texts")).run(part);
    const std::string suffix = "_" + setting.name;
    if (setting.of_heads)
      for (const HeadTally& head : tally.heads) head.add_to(suffix, measurement.metrics);
    else
      add_run(subject, tally, suffix, measurement);
    measurement.details["yardsticks"][setting.name] = details_of(tally);
  }
  return measurement;
}

}  // namespace ablate::probes
