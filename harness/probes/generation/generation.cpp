// Measures text that the model generates.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/cloze/orders.h"
#include "harness/probes/documents.h"
#include "harness/probes/generation/drawing/drawn_texts.h"
#include "harness/probes/generation/equal_entropy.h"
#include "harness/probes/generation/infills.h"
#include "harness/probes/generation/likelihood.h"
#include "harness/probes/generation/sample_metrics.h"
#include "harness/probes/generation/samplers/chosen.h"
#include "harness/probes/generation/samplers/registry.h"
#include "harness/probes/generation/setting.h"
#include "harness/probes/generation/stored_samples.h"
#include "harness/probes/generation/temperature_curve.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kReferences = 512;  // held-out documents of the reference
constexpr std::size_t kUntrainedSamples = 64;

constexpr std::string_view kAllImpossible =
    "the language can generate none of its texts; they end where no document does";
constexpr std::string_view kFewTokens =
    "its texts have fewer tokens than those in which distinct n-grams are counted";

using Tokens = std::vector<Token>;

/// At most `maximum` held-out documents that are longer than the prompt, truncated to the length.
/// The trial's seed draws them, whatever the arm.
std::vector<Tokens> references(const Subject& subject, const GenerationSetting& setting,
                               std::size_t maximum) {
  const auto documents = documents_of(subject.corpus.held_out(), SIZE_MAX);
  std::vector<Tokens> cut;
  for (const std::size_t i :
       random_order(documents.size(), setting.sampler.rng.fork("documents"))) {
    if (cut.size() == maximum) break;
    const auto document = documents[i];
    if (document.size() < setting.prompt + 2) continue;
    const auto kept = document.first(std::min(document.size(), setting.length));
    cut.emplace_back(kept.begin(), kept.end());
  }
  if (cut.empty())
    fail(
        "generation: no held-out document is longer than the prompt of {} tokens; give a shorter "
        "prompt",
        setting.prompt);
  return cut;
}

/// The begin token and prompt of each sample.
std::vector<Tokens> starts(const GenerationSetting& setting, const std::vector<Tokens>& documents) {
  std::vector<Tokens> list;
  for (std::size_t i = 0; i < setting.samples; ++i) {
    const Tokens& document = documents[i % documents.size()];
    list.emplace_back(document.begin(),
                      document.begin() + static_cast<std::ptrdiff_t>(setting.prompt) + 1);
  }
  return list;
}

/// The mean log-probability of held-out documents' tokens after the prompt.
double reference_of(const Chain& chain, const std::vector<Tokens>& documents, std::size_t given) {
  Likelihood reference;
  for (const Tokens& document : documents) reference += likelihood(chain, document, given);
  return reference.mean();
}

void append_all(Json& list, Json more) {
  for (Json& each : more) list.push_back(std::move(each));
}

/// What the chosen samplers put into the blanks of held-out documents.
Json infills(const Drawing& drawing, const std::vector<const SamplerSpec*>& chosen) {
  Json all = Json::array();
  if (!drawing.params.has("infill") || !can_infill(drawing.subject)) return all;
  const Json& section = drawing.params.section("infill");
  const plan::ResolvedPhase phase = asked_in(drawing.subject.phase, part_orders(drawing.subject));
  const Subject subject = drawing.subject.with(phase);
  const std::vector<Passage> passages =
      passages_of(subject, section.at("documents"), section.at("tokens"));
  Sampler with = drawing.with;
  with.rng = with.rng.fork("infill");
  for (const SamplerSpec* sampler : chosen)
    append_all(all, infill_samples(
                        subject, with, *sampler,
                        {.rounds = drawing.rounds, .options = options_of(drawing.params, *sampler)},
                        passages));
  return all;
}

/// Under "generation.", with a name that ends in `suffix`.
void add_metrics(Measurement& measurement, const std::map<std::string, double>& metrics,
                 const std::string& suffix) {
  for (const auto& [name, value] : metrics)
    measurement.metrics["generation." + name + suffix] = value;
}

double tokens_drawn(std::span<const Sample> samples) {
  double tokens = 0;
  for (const Sample& sample : samples)
    tokens += static_cast<double>(sample.tokens.size() - sample.given);
  return tokens;
}

/// The usual sampler first, then the others of those chosen.
std::vector<const SamplerSpec*> with_usual(const SamplerSpec& usual,
                                           const std::vector<const SamplerSpec*>& chosen) {
  std::vector<const SamplerSpec*> all = {&usual};
  std::ranges::copy_if(chosen, std::back_inserter(all),
                       [&](const SamplerSpec* sampler) { return sampler != &usual; });
  return all;
}

/// The metrics of what the model draws with its initial weights.
std::map<std::string, double> untrained(const Drawing& drawing, const SamplerSpec& sampler) {
  const std::unique_ptr<train::Network> initial = drawing.subject.untrained();
  const Sampler& trained = drawing.with;
  const Sampler with{*initial,    trained.vocabulary, trained.device, trained.temperature,
                     trained.rng, trained.filter};
  const auto texts =
      std::span(drawing.texts).first(std::min(kUntrainedSamples, drawing.texts.size()));
  const std::vector<Sample> samples =
      drawn_by(sampler, source_for(drawing.subject, with, texts.front().given, drawing.length),
               {.texts = texts, .length = drawing.length, .rounds = drawing.rounds});
  return sample_metrics(&drawing.subject.language->chain(), sampler, samples,
                        drawing.counted_tokens);
}

/// Adds what the samples are read against: the untrained model on the language, and held-out text.
void add_references(const Drawing& drawing, const SamplerSpec& usual,
                    const GenerationSetting& setting, const std::vector<Tokens>& documents,
                    Measurement& measurement) {
  if (const data::Language* const language = drawing.subject.language) {
    measurement.metrics["generation.reference"] =
        reference_of(language->chain(), documents, setting.prompt + 1);
    constexpr std::pair<std::string_view, std::string_view> kFloors[] = {
        {"log_probability", "untrained"},
        {"impossible", "untrained_impossible"},
        {"divergence", "untrained_divergence"}};
    const std::map<std::string, double> drawn = untrained(drawing, usual);
    for (const auto& [name, floor] : kFloors)
      if (const auto found = drawn.find(std::string(name)); found != drawn.end())
        measurement.metrics[fmt::format("generation.{}", floor)] = found->second;
  }
  std::map<std::string, double> held_out;
  add_variety(documents, setting.counted_tokens, held_out, "_held_out");
  add_metrics(measurement, held_out, "");
}

/// What readers must know of how the texts were drawn.
Json details_of(const Subject& subject, const GenerationSetting& setting, std::size_t length,
                double tokens) {
  Json details = {{"samples", setting.samples},
                  {"tokens", tokens},
                  {"distinct_tokens", setting.counted_tokens},
                  {"scheme", name_of(scheme_of(subject))}};
  note_length(details, length, setting.length);
  return details;
}

/// Says in the details why metrics of the usual sampler are missing.
void add_reasons(const Subject& subject, Measurement& measurement) {
  const auto missing = [&](std::string_view reason, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
      if (const std::string full = fmt::format("generation.{}", name);
          !measurement.metrics.contains(full))
        measurement.details["absent"][full] = reason;
  };
  if (subject.language != nullptr && !draws_left_to_right(subject))
    missing(kNoExactProbability, {"entropy", "divergence"});
  else if (subject.language != nullptr)
    missing(kAllImpossible, {"entropy", "divergence"});
  if (subject.language != nullptr) missing(kAllImpossible, {"log_probability"});
  missing(kFewTokens, {"distinct_1", "distinct_2", "distinct_3"});
}

}  // namespace

Measurement measure_generation(const Subject& subject, const plan::ResolvedProbe& probe,
                               const ProgressSink& progress) {
  const Params& params = probe.params;
  if (!can_draw(subject)) return no_measurement("generation", kNoGeneration);
  const GenerationSetting setting = setting_of(subject, params);
  const std::vector<Tokens> documents =
      references(subject, setting, std::max(kReferences, setting.samples));
  const auto compared = std::span(documents).first(std::min(documents.size(), setting.samples));
  const std::size_t length = drawn_length(subject, setting.prompt + 1, setting.length);
  const std::vector<UnfinishedText> texts =
      unfinished_texts(subject, setting.sampler.rng, starts(setting, documents), length);
  const Generation generation = generation_by(scheme_of(subject));
  const SamplerSpec& usual = exact_sampler(generation);
  const auto chosen = chosen_samplers(params, generation);
  const auto all = with_usual(usual, chosen);
  Drawing drawing{.subject = subject,
                  .params = params,
                  .with = setting.sampler,
                  .texts = texts,
                  .length = length,
                  .rounds = setting.rounds,
                  .counted_tokens = setting.counted_tokens,
                  .temperatures = temperatures_in(params),
                  .progress = progress};
  drawing.passes = passes_of(drawing, all);

  Measurement measurement;
  Json curves = Json::object(), beside = Json::array();
  double tokens = 0;
  for (const SamplerSpec* sampler : all) {
    const std::vector<Drawn> curve = curve_of(drawing, *sampler);
    const Drawn& drawn = drawn_in(curve, params.number("temperature"));
    std::map<std::string, double> metrics = drawn.metrics;
    if (const auto at = matched(curve, token_entropy(compared)))
      metrics["log_probability_matched"] = *at;
    if (sampler == &usual) {
      add_metrics(measurement, metrics, "");
      measurement.samples = stored(subject, drawn.samples);
      tokens = tokens_drawn(drawn.samples);
    }
    if (std::ranges::find(chosen, sampler) != chosen.end()) {
      add_metrics(measurement, metrics, fmt::format("_{}", sampler->name));
      append_all(beside, stored_for(subject, *sampler, drawn.samples));
    }
    curves[std::string(sampler->name)] = as_json(curve);
  }
  add_references(drawing, usual, setting, documents, measurement);
  append_all(beside, infills(drawing, chosen));
  append_all(measurement.samples, std::move(beside));
  measurement.details = details_of(subject, setting, length, tokens);
  add_reasons(subject, measurement);
  if (params.has("samplers") || params.has("temperatures")) {
    measurement.details["samplers"] = std::move(curves);
    measurement.details["token_entropy_held_out"] = token_entropy(compared);
  }
  return measurement;
}

}  // namespace ablate::probes
