// The texts of a sampler over a list of temperatures.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/probes/generation/drawing/sampling.h"
#include "harness/probes/generation/samplers/sampler.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// The texts of one sampler at one temperature, and what is measured of them.
struct Drawn {
  double temperature = 1;
  std::vector<Sample> samples;
  std::map<std::string, double> metrics;  // see sample_metrics()
  double entropy = 0;                     // of the tokens
};

/// What a trial's texts are drawn with, and how far the drawing has come.
struct Drawing {
  const Subject& subject;
  const Params& params;  // of the probe
  Sampler with;
  const std::vector<UnfinishedText>& texts;
  std::size_t length = 0;
  std::int64_t rounds = 0;
  std::size_t counted_tokens = 0;    // in which distinct n-grams are counted
  std::vector<double> temperatures;  // rising
  const ProgressSink& progress;
  double passes = 1;  // over the texts, of all samplers at all temperatures
  double done = 0;    // of them
};

/// The probe's own temperature and those of its curve, rising.
std::vector<double> temperatures_in(const Params& params);

/// How often the samplers draw the texts.
double passes_of(const Drawing& drawing, std::span<const SamplerSpec* const> samplers);

/// The texts at every temperature; of a deterministic sampler once, at the probe's own.
std::vector<Drawn> curve_of(Drawing& drawing, const SamplerSpec& sampler);

/// The point of a curve at a temperature; of a single point, that one.
const Drawn& drawn_in(const std::vector<Drawn>& curve, double temperature);

/// The log-probability under the language where the tokens have this entropy; see value_at().
std::optional<double> matched(const std::vector<Drawn>& curve, double entropy);

/// [{"temperature", "token_entropy", every metric}].
Json as_json(const std::vector<Drawn>& curve);

}  // namespace ablate::probes
