// Measures how well a model writes the output that belongs to an input: fine-tuned, all learning rates
// and seeds as lanes of one bank, and without fine-tuning, in the format that it was trained on.

#include <algorithm>
#include <cmath>

#include "harness/probes/measuring.h"
#include "harness/probes/seq2seq/pair_format.h"
#include "harness/probes/seq2seq/prompted.h"
#include "harness/probes/seq2seq/scores/written_scores.h"
#include "harness/probes/seq2seq/sequence_bank.h"
#include "harness/probes/seq2seq/written.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kOutputsStored = 8;

/// What is fine-tuned, and how.
struct TuningRecipe {
  std::vector<double> rates;  // ascending
  std::size_t seeds = 1;
  SequenceSettings settings;  // its lanes: every rate, and for each every seed
};

TuningRecipe recipe_of(const Subject& subject, const Params& params) {
  TuningRecipe recipe{.rates = params.json().at("learning_rates").get<std::vector<double>>(),
                      .seeds = static_cast<std::size_t>(params.integer("seeds"))};
  std::sort(recipe.rates.begin(), recipe.rates.end());
  recipe.settings = {.epochs = params.integer("epochs"),
                     .batch = params.integer("batch"),
                     .needs = pair_needs(subject.phase.objective.needs),
                     .vocabulary = subject.vocabulary(),
                     .device = subject.device};
  const Rng rng = Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("seq2seq");
  for (const double rate : recipe.rates)
    for (std::size_t seed = 0; seed < recipe.seeds; ++seed)
      recipe.settings.lanes.push_back({rate, rng.fork("tuning").fork(seed).next()});
  return recipe;
}

/// The index of the rate with the lowest loss on development pairs. Test pairs are read by the chosen
/// lanes alone.
std::size_t choose_rate(const TuningRecipe& recipe, const SequenceBank& bank,
                        std::span<const TokenPair> development, Json& by_rate) {
  const std::vector<double> losses = bank.losses(development);
  std::vector<double> means;
  for (std::size_t rate = 0; rate < recipe.rates.size(); ++rate) {
    const auto first = losses.begin() + static_cast<std::ptrdiff_t>(rate * recipe.seeds);
    means.push_back(mean_of({first, first + static_cast<std::ptrdiff_t>(recipe.seeds)}));
    by_rate.push_back({{"learning_rate", recipe.rates[rate]}, {"development", means.back()}});
  }
  const auto better = [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); };
  return static_cast<std::size_t>(std::ranges::min_element(means, better) - means.begin());
}

double deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

Written fine_tuned(const Subject& subject, train::Network& network, const TuningRecipe& recipe,
                   const AskedPairs& asked, const ProgressSink& progress) {
  SequenceBank bank(copies_of(subject, network, recipe.settings.lanes.size()), recipe.settings);
  bank.fine_tune(asked.pairs.training, progress);
  Written result;
  const std::size_t rate = choose_rate(recipe, bank, asked.pairs.development, result.by_rate);
  result.rate = recipe.rates[rate];
  const SequenceBank chosen =
      bank.part(rate * recipe.seeds, subject.bank(static_cast<std::int64_t>(recipe.seeds)));
  result.loss = mean_of(chosen.losses(asked.pairs.test));
  std::vector<double> by_seed;
  by_seed.reserve(recipe.seeds);
  for (const auto& outputs : chosen.written(asked.pairs.test, asked.longest))
    by_seed.push_back(add_seed(asked, outputs, static_cast<double>(recipe.seeds), result));
  result.deviation = deviation_of(by_seed);
  return result;
}

double optimum_of(const Chain& chain, PairTask task, const std::vector<TokenPair>& pairs) {
  double cost = 0, tokens = 0;
  for (const TokenPair& pair : pairs) {
    cost += pair_optimum(chain, task, pair);
    tokens += static_cast<double>(pair.outputs.front().size());
  }
  return cost / tokens;
}

Json details_of(const Written& result) {
  return {{"learning_rate", result.rate}, {"by_rate", result.by_rate}};
}

/// The loss on development pairs by learning rate, for the metric of the chosen one.
Json curve_of(const std::string& metric, const Written& result) {
  Json points = Json::array();
  for (const Json& tried : result.by_rate)
    points.push_back({tried.at("learning_rate"), tried.at("development")});
  return {{"metric", metric},
          {"along", "learning rate"},
          {"chosen", result.rate},
          {"points", std::move(points)}};
}

void add_samples(const AskedPairs& asked, const Written& tuned, Measurement& measurement) {
  for (std::size_t i = 0; i < std::min(kOutputsStored, tuned.texts.size()); ++i)
    measurement.samples.push_back({{"text", tuned.texts[i]},
                                   {"about",
                                    {{"prompt", asked.corpus.text_of(asked.pairs.test[i].input)},
                                     {"reference", asked.accepted[i].front()}}}});
}

}  // namespace

Measurement measure_seq2seq(const Subject& subject, const plan::ResolvedProbe& probe,
                            const ProgressSink& progress) {
  if (!subject.objective().can_write())
    return no_measurement(
        subject_of(probe.params, "seq2seq"),
        "no head of its objective predicts tokens, which an output consists of, or it "
        "predicts them from the end");
  const AskedPairs asked = asked_pairs(subject, probe);
  const TuningRecipe recipe = recipe_of(subject, probe.params);
  const std::string of = subject_of(probe.params, "seq2seq") + ".";
  const bool language = subject.language != nullptr;
  const auto part = [&](double from, double size) {
    return [&progress, from, size](double fraction) { progress(from + size * fraction); };
  };
  const Written tuned = fine_tuned(subject, subject.network, recipe, asked, part(0, 0.45));
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const Written untrained = fine_tuned(subject, *initial, recipe, asked, part(0.45, 0.45));

  Measurement measurement;
  auto& metrics = measurement.metrics;
  add_quality(tuned, of, "", language, measurement);
  add_quality(untrained, of + "untrained_", "", language, measurement);
  metrics[of + "seed_deviation"] = tuned.deviation;
  if (language)
    metrics[of + "optimum"] =
        optimum_of(subject.language->chain(), task_of(probe.params), asked.pairs.test);
  measurement.details = {
      {"fine_tuned", details_of(tuned)},
      {"untrained", details_of(untrained)},
      {"curves", {curve_of(of + "loss", tuned), curve_of(of + "untrained_loss", untrained)}},
      {"told_length", tells_length(recipe.settings.needs)},
      {"pairs",
       {{"training", asked.pairs.training.size()},
        {"development", asked.pairs.development.size()},
        {"test", asked.pairs.test.size()},
        {"too_long", asked.pairs.too_long}}}};
  if (cloze_format_of(subject.objective(), subject.phase.params) != ClozeFormat::none)
    add_prompted(subject, probe, asked, of, measurement);
  measurement.items = {{of + "exact_match", tuned.exact}, {of + "f1", tuned.f1}};
  add_samples(asked, tuned, measurement);
  return measurement;
}

}  // namespace ablate::probes
