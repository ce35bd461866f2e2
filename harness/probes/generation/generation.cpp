// Measures text that the model generates.

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"
#include "harness/probes/generation/drawn_texts.h"
#include "harness/probes/generation/samplers/top_k.h"
#include "harness/probes/generation/samplers/top_p.h"
#include "harness/probes/generation/variety.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kStored = 8;        // samples stored in the record
constexpr std::size_t kReferences = 512;  // held-out documents of the reference

using Tokens = std::vector<Token>;

/// What is drawn, and how.
struct Setting {
  std::size_t samples = 0;
  std::size_t length = 0;  // maximum tokens of a text, begin token and prompt included
  std::size_t prompt = 0;
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

/// The log-probability under the language of the tokens drawn, given the prompt, and their number.
struct Likelihood {
  double log_probability = 0;
  double tokens = 0;

  double mean() const { return log_probability / tokens; }
};

Likelihood likelihood(const Chain& chain, const Tokens& text, std::size_t given) {
  const auto log_of = [&](std::size_t count) {
    const auto tokens = std::span(text).subspan(1, count);  // after the begin token
    return count == 0 ? 0
                      : log_probability(chain, static_cast<std::int64_t>(count),
                                        emission_likelihood(chain, tokens), true);
  };
  return {log_of(text.size() - 1) - log_of(given - 1), static_cast<double>(text.size() - given)};
}

void add(Likelihood& sum, const Likelihood& one) {
  sum.log_probability += one.log_probability;
  sum.tokens += one.tokens;
}

void add_likelihoods(const Chain& chain, const std::vector<Sample>& samples,
                     const std::vector<Tokens>& documents, std::size_t given, bool ancestral,
                     std::map<std::string, double>& metrics) {
  Likelihood drawn, reference;
  double own = 0;
  std::size_t impossible = 0;  // of probability 0: one of them would make the mean infinite
  for (const Sample& sample : samples) {
    const Likelihood one = likelihood(chain, sample.tokens, sample.given);
    if (!std::isfinite(one.log_probability)) {
      ++impossible;
      continue;
    }
    add(drawn, one);
    own += sample.log_probability;
  }
  metrics["generation.impossible"] =
      static_cast<double>(impossible) / static_cast<double>(samples.size());
  for (const Tokens& document : documents) add(reference, likelihood(chain, document, given));
  metrics["generation.reference"] = reference.mean();
  if (!(drawn.tokens > 0)) return;  // all samples are impossible
  metrics["generation.log_probability"] = drawn.mean();
  if (!ancestral) return;
  metrics["generation.entropy"] = -own / drawn.tokens;
  metrics["generation.divergence"] = (own - drawn.log_probability) / drawn.tokens;
}

Json stored(const Subject& subject, const std::vector<Sample>& samples) {
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

Json as_json(const Variety& variety) {
  return {{"distinct_1", variety.distinct[0]},
          {"distinct_2", variety.distinct[1]},
          {"distinct_3", variety.distinct[2]},
          {"repetition", variety.repetition}};
}

}  // namespace

Measurement measure_generation(const Subject& subject, const plan::ResolvedProbe& probe,
                               const ProgressSink& progress) {
  const Params& params = probe.params;
  if (!can_draw(subject))
    return {.details = {{"scheme", "none: the objective cannot generate text on this backbone"}}};
  const Setting setting = setting_of(subject, params);
  const bool ancestral = draws_left_to_right(subject);
  const std::vector<Tokens> documents =
      references(subject, setting, std::max(kReferences, setting.samples));
  const std::vector<Tokens> prompts = starts(setting, documents);
  const std::vector<Sample> samples =
      draw_texts(subject, setting.sampler, prompts, setting.length, setting.rounds, progress);

  Measurement measurement;
  if (subject.language)
    add_likelihoods(subject.language->chain(), samples, documents, setting.prompt + 1, ancestral,
                    measurement.metrics);
  std::vector<Tokens> texts;
  double tokens = 0;
  for (const Sample& sample : samples) {
    texts.push_back(sample.tokens);
    tokens += static_cast<double>(sample.tokens.size() - sample.given);
  }
  const Json measured = as_json(variety(texts));
  for (const auto& [name, value] : measured.items())
    measurement.metrics["generation." + name] = value.get<double>();
  const std::size_t compared = std::min(documents.size(), samples.size());
  measurement.details = {{"samples", samples.size()},
                         {"tokens", tokens},
                         {"scheme", ancestral ? "left to right" : "unmasking in random order"},
                         {"held_out", as_json(variety(std::span(documents).first(compared)))}};
  measurement.samples = stored(subject, samples);
  return measurement;
}

}  // namespace ablate::probes
