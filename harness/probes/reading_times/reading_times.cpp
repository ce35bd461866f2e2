// Measures how well a model's surprisals explain how long people read words.

#include <cmath>

#include "harness/probes/measuring.h"
#include "harness/probes/minimal_pairs/choices.h"
#include "harness/probes/reading_times/surprisal_gain.h"
#include "harness/probes/unigram.h"
#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/paired/rank_correlation.h"

namespace ablate::probes {
namespace {

/// The words with all that is known of them but their surprisal.
std::vector<ReadWord> words_of(const Subject& subject, const Choices& choices) {
  const std::vector<double> unigram = unigram_of(subject);
  std::vector<ReadWord> words;
  words.reserve(choices.completions.size());
  for (const Completion& one : choices.completions) {
    ReadWord& word = words.emplace_back();
    word.time = one.ratio;
    word.characters = one.characters;
    word.position = static_cast<double>(one.first - 1);
    word.rarity = context_free_cost(unigram, one.tokens());
  }
  return words;
}

/// What the surprisals under the subject's network add.
SurprisalGain gain_under(const Subject& subject, const Choices& choices,
                         std::vector<ReadWord>& words) {
  const std::vector<double> costs = chain_costs(subject, choices);
  for (std::size_t i = 0; i < words.size(); ++i) words[i].surprisal = costs[i];
  return surprisal_gain(words);
}

/// Adds Spearman's correlation of times and surprisals as a metric; says why not where all surprisals are equal.
void add_correlation(const std::vector<ReadWord>& words, const std::string& name,
                     Measurement& measurement) {
  std::vector<double> times, surprisals;
  for (const ReadWord& word : words) {
    times.push_back(word.time);
    surprisals.push_back(word.surprisal);
  }
  const double seen = statistics::spearman(times, surprisals);
  if (std::isfinite(seen))
    measurement.metrics[name] = seen;
  else
    measurement.details["absent"][name] = "all surprisals are equal";
}

}  // namespace

Measurement measure_reading_times(const Subject& subject, const plan::ResolvedProbe& probe,
                                  const ProgressSink& progress) {
  if (cloze_format_of(subject.objective(), subject.phase.params) == ClozeFormat::none)
    return no_measurement(subject_of(probe.params, "reading_times"), kNoFormat);
  const data::Corpus corpus = choice_corpus(subject, probe);
  const Choices choices = choices_of(corpus, subject.phase.context);
  std::vector<ReadWord> words = words_of(subject, choices);
  const std::string of = subject_of(probe.params, "reading_times") + ".";

  Measurement measurement{
      .details = {{"words", choices.items.size()}, {"too_long", choices.too_long}}};
  auto& metrics = measurement.metrics;
  const SurprisalGain gain = gain_under(subject, choices, words);
  metrics[of + "gain"] = statistics::mean(gain.by_word);
  metrics[of + "r2_gain"] = gain.r2_gain();
  metrics[of + "baseline_r2"] = gain.baseline_r2;
  add_correlation(words, of + "correlation", measurement);
  measurement.items[of + "gain"] = gain.by_word;
  progress(0.5);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const SurprisalGain floor = gain_under(subject.with(*initial), choices, words);
  metrics[of + "untrained"] = statistics::mean(floor.by_word);
  metrics[of + "untrained_r2_gain"] = floor.r2_gain();
  return measurement;
}

}  // namespace ablate::probes
