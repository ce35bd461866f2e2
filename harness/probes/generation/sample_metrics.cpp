#include "harness/probes/generation/sample_metrics.h"

#include <cmath>

#include "harness/probes/generation/likelihood.h"
#include "harness/probes/generation/variety.h"

namespace ablate::probes {
namespace {

void add_likelihoods(const Chain& chain, const SamplerSpec& sampler,
                     std::span<const Sample> samples, std::map<std::string, double>& metrics) {
  Likelihood drawn;
  double own = 0;
  std::size_t impossible = 0;  // of probability 0: one of them would make the mean infinite
  for (const Sample& sample : samples) {
    const Likelihood one = likelihood(chain, sample.tokens, sample.given);
    if (!std::isfinite(one.log_probability)) {
      ++impossible;
      continue;
    }
    drawn += one;
    own += sampler.deterministic ? 0 : sample.log_probability;
  }
  metrics["impossible"] = static_cast<double>(impossible) / static_cast<double>(samples.size());
  if (!(drawn.tokens > 0)) return;  // all samples are impossible
  metrics["log_probability"] = drawn.mean();
  if (sampler.generation != Generation::ancestral) return;
  metrics["entropy"] = (0 - own) / drawn.tokens;  // 0, not -0, of a deterministic one
  metrics["divergence"] = (own - drawn.log_probability) / drawn.tokens;
}

}  // namespace

void add_variety(std::span<const std::vector<Token>> texts, std::size_t counted_tokens,
                 std::map<std::string, double>& metrics, const std::string& suffix) {
  const Variety measured = variety(texts, counted_tokens);
  metrics["repetition" + suffix] = measured.repetition;
  if (!measured.distinct) return;
  for (std::size_t n = 0; n < measured.distinct->size(); ++n)
    metrics["distinct_" + std::to_string(n + 1) + suffix] = measured.distinct->at(n);
}

std::map<std::string, double> sample_metrics(const Chain* language, const SamplerSpec& sampler,
                                             std::span<const Sample> samples,
                                             std::size_t counted_tokens) {
  std::map<std::string, double> metrics;
  if (language != nullptr) add_likelihoods(*language, sampler, samples, metrics);
  add_variety(texts_of(samples), counted_tokens, metrics);
  return metrics;
}

std::vector<std::vector<Token>> texts_of(std::span<const Sample> samples) {
  std::vector<std::vector<Token>> texts;
  texts.reserve(samples.size());
  for (const Sample& sample : samples) texts.push_back(sample.tokens);
  return texts;
}

}  // namespace ablate::probes
