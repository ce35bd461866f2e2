#include "harness/probes/generation/stored_samples.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/probes/generation/likelihood.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kStored = 8;           // samples stored in the record
constexpr std::size_t kStoredOfSampler = 3;  // and of each of "samplers"

}  // namespace

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

}  // namespace ablate::probes
