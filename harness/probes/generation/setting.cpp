#include "harness/probes/generation/setting.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/generation/token_filters/top_k.h"
#include "harness/probes/generation/token_filters/top_p.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kCountedOfSample = 8;  // tokens for each sample that are counted by default

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

}  // namespace

GenerationSetting setting_of(const Subject& subject, const Params& params) {
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

}  // namespace ablate::probes
