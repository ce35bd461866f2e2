#include "harness/probes/generation/temperature_curve.h"

#include <algorithm>

#include "harness/probes/generation/drawing/drawn_texts.h"
#include "harness/probes/generation/equal_entropy.h"
#include "harness/probes/generation/sample_metrics.h"
#include "harness/probes/generation/samplers/chosen.h"
#include "harness/probes/generation/samplers/registry.h"

namespace ablate::probes {
namespace {

Drawn drawn_at(Drawing& drawing, const SamplerSpec& sampler, double temperature) {
  Sampler with = drawing.with;
  with.temperature = temperature;
  Drawn drawn{.temperature = temperature};
  drawn.samples = drawn_by(
      sampler, source_for(drawing.subject, with, drawing.texts.front().given, drawing.length),
      {.texts = drawing.texts,
       .length = drawing.length,
       .rounds = drawing.rounds,
       .options = options_of(drawing.params, sampler),
       .progress = [&](double part) { drawing.progress((drawing.done + part) / drawing.passes); }});
  ++drawing.done;
  const data::Language* const language = drawing.subject.language;
  drawn.metrics = sample_metrics(language != nullptr ? &language->chain() : nullptr, sampler,
                                 drawn.samples, drawing.counted_tokens);
  drawn.entropy = token_entropy(texts_of(drawn.samples));
  return drawn;
}

}  // namespace

std::vector<double> temperatures_in(const Params& params) {
  std::vector<double> list = {params.number("temperature")};
  if (params.has("temperatures"))
    for (const Json& temperature : params.list("temperatures"))
      list.push_back(temperature.get<double>());
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

double passes_of(const Drawing& drawing, std::span<const SamplerSpec* const> samplers) {
  double passes = 0;
  for (const SamplerSpec* sampler : samplers)
    passes += sampler->deterministic ? 1 : static_cast<double>(drawing.temperatures.size());
  return passes;
}

std::vector<Drawn> curve_of(Drawing& drawing, const SamplerSpec& sampler) {
  std::vector<Drawn> curve;
  if (sampler.deterministic) {
    curve.push_back(drawn_at(drawing, sampler, drawing.params.number("temperature")));
    return curve;
  }
  curve.reserve(drawing.temperatures.size());
  for (const double temperature : drawing.temperatures)
    curve.push_back(drawn_at(drawing, sampler, temperature));
  return curve;
}

const Drawn& drawn_in(const std::vector<Drawn>& curve, double temperature) {
  const auto found = std::ranges::find(curve, temperature, &Drawn::temperature);
  return found == curve.end() ? curve.front() : *found;
}

std::optional<double> matched(const std::vector<Drawn>& curve, double entropy) {
  std::vector<EntropyPoint> points;
  for (const Drawn& drawn : curve)
    if (const auto found = drawn.metrics.find("log_probability"); found != drawn.metrics.end())
      points.push_back({drawn.temperature, found->second, drawn.entropy});
  return value_at(points, entropy);
}

Json as_json(const std::vector<Drawn>& curve) {
  Json list = Json::array();
  for (const Drawn& drawn : curve) {
    Json point = drawn.metrics;
    point["temperature"] = drawn.temperature;
    point["token_entropy"] = drawn.entropy;
    list.push_back(std::move(point));
  }
  return list;
}

}  // namespace ablate::probes
