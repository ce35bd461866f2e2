// Measures text that the model generates.

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"
#include "harness/probes/generation/drawn_texts.h"
#include "harness/probes/generation/equal_entropy.h"
#include "harness/probes/generation/infills.h"
#include "harness/probes/generation/likelihood.h"
#include "harness/probes/generation/sample_metrics.h"
#include "harness/probes/generation/samplers/chosen.h"
#include "harness/probes/generation/samplers/registry.h"
#include "harness/probes/generation/temperature_curve.h"
#include "harness/probes/generation/token_filters/top_k.h"
#include "harness/probes/generation/token_filters/top_p.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kStored = 8;            // samples stored in the record
constexpr std::size_t kStoredOfSampler = 3;   // and of each of "samplers"
constexpr std::size_t kReferences = 512;      // held-out documents of the reference
constexpr std::int64_t kCountedOfSample = 8;  // tokens for each sample that are counted by default

using Tokens = std::vector<Token>;

/// What is drawn, and how.
struct Setting {
  std::size_t samples = 0;
  std::size_t length = 0;  // maximum tokens of a text, begin token and prompt included
  std::size_t prompt = 0;
  std::size_t counted_tokens = 0;  // in which distinct n-grams are counted
  std::int64_t rounds = 0;
  Sampler sampler;
};

/// The filters of the settings, one after the other.
TokenFilter filter_of(const Params& params) {
  std::vector<TokenFilter> filters;
  if (params.has("top_k")) filters.push_back(top_k(params.integer("top_k")));
  if (params.has("top_p")) filters.push_back(top_p(params.number("top_p")));
  if (filters.empty()) return {};
  return [filters](TokenDistribution& distribution) {
    for (const TokenFilter& filter : filters) filter(distribution);
  };
}

/// The number of tokens in which distinct n-grams are counted: it depends on the settings alone, so that
/// it is the same for all arms.
std::size_t counted_tokens(const Params& params) {
  if (const std::int64_t asked = params.integer("distinct_tokens"); asked > 0)
    return static_cast<std::size_t>(asked);
  const std::int64_t length = params.integer("length");
  const std::int64_t each =
      length > 0 ? std::clamp<std::int64_t>(length - 1, 1, kCountedOfSample) : kCountedOfSample;
  return static_cast<std::size_t>(each * params.integer("samples"));
}

Setting setting_of(const Subject& subject, const Params& params) {
  const std::int64_t context = subject.phase.context;
  const std::int64_t asked = params.integer("length");
  if (asked > context)
    reject(
        "generation.length = {} is above the model's context of {} tokens; give at most that, or "
        "0",
        asked, context);
  const std::int64_t length = asked > 0 ? asked : context, prompt = params.integer("prompt");
  if (prompt + 2 > length)
    reject(
        "generation.prompt = {} leaves nothing to draw in a text of {} tokens, begin token "
        "included; give at most {}",
        prompt, length, std::max<std::int64_t>(0, length - 2));
  const auto seed = static_cast<std::uint64_t>(subject.seed);
  return {.samples = static_cast<std::size_t>(params.integer("samples")),
          .length = static_cast<std::size_t>(length),
          .prompt = static_cast<std::size_t>(prompt),
          .counted_tokens = counted_tokens(params),
          .rounds = params.integer("steps"),
          .sampler = {subject.network, subject.vocabulary(), subject.device,
                      params.number("temperature"), Rng(seed, Stream::probes).fork("generation"),
                      filter_of(params)}};
}

/// At most `maximum` held-out documents that are longer than the prompt, truncated to the length.
/// The trial's seed draws them, whatever the arm.
std::vector<Tokens> references(const Subject& subject, const Setting& setting,
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
std::vector<Tokens> starts(const Setting& setting, const std::vector<Tokens>& documents) {
  std::vector<Tokens> list;
  for (std::size_t i = 0; i < setting.samples; ++i) {
    const Tokens& document = documents[i % documents.size()];
    list.emplace_back(document.begin(),
                      document.begin() + static_cast<std::ptrdiff_t>(setting.prompt) + 1);
  }
  return list;
}

Json stored(const Subject& subject, std::span<const Sample> samples) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(kStored, samples.size()); ++i) {
    Json about = {{"tokens", samples[i].tokens.size()}, {"given", samples[i].given}};
    if (samples[i].given > 1)  // more than the begin token: readers see where the prompt ends
      about["prompt"] =
          subject.corpus.spelled(std::span(samples[i].tokens).first(samples[i].given));
    if (subject.language)
      about["log_probability"] =
          likelihood(subject.language->chain(), samples[i].tokens, samples[i].given).mean();
    list.push_back({{"text", subject.corpus.spelled(samples[i].tokens)}, {"about", about}});
  }
  return list;
}

/// The first texts of a sampler, for the report to put beside those of the others.
Json stored_for(const Subject& subject, const SamplerSpec& sampler,
                std::span<const Sample> samples) {
  Json list = stored(subject, samples.first(std::min(kStoredOfSampler, samples.size())));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Sample& sample = samples[i];
    Json& about = list[i].at("about");
    about["sampler"] = sampler.name;
    about["shown"] =
        sample.given > 1
            ? subject.corpus.spelled(std::span(sample.tokens).subspan(1, sample.given - 1))
            : fmt::format("text {} without a prompt", i + 1);
    about["drawn"] = subject.corpus.spelled(std::span(sample.tokens).subspan(sample.given));
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
  const std::vector<Passage> passages =
      passages_of(drawing.subject, section.at("documents"), section.at("tokens"));
  Sampler with = drawing.with;
  with.rng = with.rng.fork("infill");
  for (const SamplerSpec* sampler : chosen)
    append_all(all, infill_samples(
                        drawing.subject, with, *sampler,
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

}  // namespace

Measurement measure_generation(const Subject& subject, const plan::ResolvedProbe& probe,
                               const ProgressSink& progress) {
  const Params& params = probe.params;
  if (!can_draw(subject)) return no_measurement("generation", kNoGeneration);
  const Setting setting = setting_of(subject, params);
  const std::vector<Tokens> documents =
      references(subject, setting, std::max(kReferences, setting.samples));
  const auto compared = std::span(documents).first(std::min(documents.size(), setting.samples));
  const std::vector<UnfinishedText> texts =
      unfinished_texts(subject, setting.sampler.rng, starts(setting, documents), setting.length);
  const SamplerSpec& usual = exact_sampler(subject.objective().generation);
  const auto chosen = chosen_samplers(params, subject.objective().generation);
  const auto all = with_usual(usual, chosen);
  Drawing drawing{.subject = subject,
                  .params = params,
                  .with = setting.sampler,
                  .texts = texts,
                  .length = setting.length,
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
  if (subject.language)
    measurement.metrics["generation.reference"] =
        reference_of(subject.language->chain(), documents, setting.prompt + 1);
  std::map<std::string, double> held_out;
  add_variety(documents, setting.counted_tokens, held_out, "_held_out");
  add_metrics(measurement, held_out, "");
  append_all(beside, infills(drawing, chosen));
  append_all(measurement.samples, std::move(beside));
  measurement.details = {
      {"samples", texts.size()},
      {"tokens", tokens},
      {"distinct_tokens", setting.counted_tokens},
      {"scheme", draws_left_to_right(subject) ? "left to right" : "unmasking in random order"}};
  if (params.has("samplers") || params.has("temperatures")) {
    measurement.details["samplers"] = std::move(curves);
    measurement.details["token_entropy_held_out"] = token_entropy(compared);
  }
  return measurement;
}

}  // namespace ablate::probes
