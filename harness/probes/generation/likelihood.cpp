#include "harness/probes/generation/likelihood.h"

namespace ablate::probes {

Likelihood likelihood(const Chain& chain, std::span<const Token> text, std::size_t given) {
  const auto log_of = [&](std::size_t count) {
    const auto tokens = text.subspan(1, count);  // after the begin token
    return count == 0 ? 0
                      : log_probability(chain, static_cast<std::int64_t>(count),
                                        emission_likelihood(chain, tokens), true);
  };
  return {log_of(text.size() - 1) - log_of(given - 1), static_cast<double>(text.size() - given)};
}

}  // namespace ablate::probes
