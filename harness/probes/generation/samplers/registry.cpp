#include "harness/probes/generation/samplers/registry.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/time/time_spent.h"

#define ABLATE_SAMPLERS(X) \
  X(ancestral)             \
  X(beam)                  \
  X(confidence_order)      \
  X(gibbs)                 \
  X(greedy)                \
  X(left_to_right)         \
  X(mask_predict)          \
  X(random_order)          \
  X(remasking)             \
  X(semi_autoregressive)

namespace ablate::probes {

#define ABLATE_DECLARE(name) SamplerSpec name##_sampler();
ABLATE_SAMPLERS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::span<const SamplerSpec> sampler_specs() {
#define ABLATE_CALL(name) name##_sampler(),
  static const std::vector<SamplerSpec> specs = {ABLATE_SAMPLERS(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

const SamplerSpec& sampler_named(std::string_view name) {
  const auto specs = sampler_specs();
  const auto found = std::ranges::find(specs, name, &SamplerSpec::name);
  if (found == specs.end()) reject("no sampler is named '{}'", name);
  return *found;
}

const SamplerSpec& exact_sampler(Generation generation) {
  return sampler_named(generation == Generation::ancestral ? "ancestral" : "random_order");
}

std::vector<Sample> drawn_by(const SamplerSpec& spec, const TokenSource& source,
                             const DrawTask& task) {
  const Spending writing(Activity::text);
  if (!spec.deterministic) return spec.draw(source, task);
  std::vector<UnfinishedText> distinct;
  std::vector<std::size_t> which;  // of the distinct texts, for each text
  for (const UnfinishedText& text : task.texts) {
    const auto found = std::ranges::find(distinct, text);
    which.push_back(static_cast<std::size_t>(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(text);
  }
  DrawTask once = task;
  once.texts = distinct;
  const std::vector<Sample> made = spec.draw(source, once);
  std::vector<Sample> samples;
  samples.reserve(which.size());
  for (const std::size_t i : which) samples.push_back(made[i]);
  return samples;
}

}  // namespace ablate::probes
