#include "harness/probes/generation/samplers/chosen.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/probes/generation/samplers/registry.h"

namespace ablate::probes {
namespace {

std::vector<std::string_view> names_of_samplers(
    const std::function<bool(const SamplerSpec&)>& wanted) {
  std::vector<std::string_view> names;
  for (const SamplerSpec& spec : sampler_specs())
    if (wanted(spec)) names.push_back(spec.name);
  return names;
}

std::vector<std::string> names_in(const Params& settings) {
  if (!settings.has("samplers")) return {};
  return settings.list("samplers").get<std::vector<std::string>>();
}

}  // namespace

std::vector<Param> sampler_params() {
  const auto all = names_of_samplers([](const SamplerSpec&) { return true; });
  std::vector<Param> params = {optional(
      list("samplers", nullptr, {choice("", nullptr, all, "")}, static_cast<double>(all.size()),
           "further ways of sampling to measure, in metrics that end in their names; an arm skips "
           "those that its models do not support"))};
  for (const SamplerSpec& spec : sampler_specs())
    if (!spec.params.empty())
      params.push_back(optional(section(spec.name, spec.params, spec.summary)));
  return params;
}

std::vector<const SamplerSpec*> chosen_samplers(const Params& settings, Generation generation) {
  std::vector<const SamplerSpec*> chosen;
  for (const std::string& name : names_in(settings))
    if (const SamplerSpec& spec = sampler_named(name); spec.draws(generation))
      chosen.push_back(&spec);
  return chosen;
}

std::string samplers_refusal(const Params& settings, Generation generation) {
  std::vector<std::string> names = names_in(settings);
  for (const SamplerSpec& spec : sampler_specs()) {
    const auto count = std::ranges::count(names, spec.name);
    if (count > 1)
      return fmt::format("samplers names '{}' {} times; name it once", spec.name, count);
    if (settings.has(spec.name) && count == 0)
      return fmt::format("'{0}' is set, and samplers does not name it; add \"{0}\" there",
                         spec.name);
  }
  if (names.empty() || generation == Generation::none ||
      !chosen_samplers(settings, generation).empty())
    return {};
  return fmt::format(
      "none of its samplers draws from an arm that {}; add one of {}",
      generation == Generation::ancestral ? "writes left to right" : "fills masks",
      fmt::join(names_of_samplers([&](const SamplerSpec& spec) { return spec.draws(generation); }),
                ", "));
}

Params options_of(const Params& settings, const SamplerSpec& spec) {
  return Params(spec.params,
                settings.has(spec.name) ? settings.section(spec.name) : Json::object());
}

}  // namespace ablate::probes
