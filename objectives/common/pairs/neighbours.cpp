// Which segment follows: by Bayes, P(j | first) is proportional to P(second j | first) / P(second j).

#include "objectives/common/pairs/neighbours.h"

#include <cmath>
#include <numeric>

namespace ablate::objectives {
namespace {

using Distribution = std::vector<double>;  // over composite states

/// P(state one after the evidence | evidence), up to a factor.
Distribution state_after(const Chain& language, Evidence evidence) {
  const auto states = static_cast<std::size_t>(language.composite_states());
  evidence.resize(evidence.size() + states, 1.0);
  const auto time = static_cast<std::int64_t>(evidence.size() / states);
  const std::vector<double> all = predicted(language, time, evidence, false);
  return {all.end() - static_cast<std::ptrdiff_t>(states), all.end()};
}

/// The evidence that the document does not end within `tokens` tokens.
Evidence going_on(const Chain& language, std::size_t tokens) {
  const auto states = static_cast<std::size_t>(language.states);
  Evidence evidence(tokens * static_cast<std::size_t>(language.composite_states()), 1.0);
  for (std::size_t ending = states - 1; ending < evidence.size(); ending += states)
    evidence[ending] = 0;
  return evidence;
}

double product(const Distribution& a, const Distribution& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

std::vector<double> neighbour_ratios(const Chain& language,
                                     std::span<const std::span<const Token>> first,
                                     std::span<const std::span<const Token>> second) {
  if (first.empty()) return {};
  const std::size_t tokens = first.front().size();
  const Distribution anywhere = state_after(language, going_on(language, tokens));
  std::vector<Distribution> likelihood;  // of each second segment, by its first state, over P(it)
  likelihood.reserve(second.size());
  for (const std::span<const Token> segment : second) {
    const Evidence evidence = emission_likelihood(language, segment);
    likelihood.push_back(
        likelihood_by_state(language, static_cast<std::int64_t>(segment.size()), evidence));
    const double alone = product(anywhere, likelihood.back());
    for (double& value : likelihood.back()) value /= alone;
  }
  // A first segment is one of a pair: the document goes on behind it for as long.
  const Distribution goes_on =
      likelihood_by_state(language, static_cast<std::int64_t>(tokens), going_on(language, tokens));
  const double usually_paired = product(anywhere, goes_on);
  std::vector<double> ratios;
  ratios.reserve(first.size() * second.size());
  for (const std::span<const Token> segment : first) {
    const Distribution state = state_after(language, emission_likelihood(language, segment));
    const double paired = product(state, goes_on) / usually_paired;
    for (const Distribution& each : likelihood) ratios.push_back(product(state, each) / paired);
  }
  return ratios;
}

std::vector<double> neighbour_posteriors(const Chain& language,
                                         std::span<const std::span<const Token>> first,
                                         std::span<const std::span<const Token>> second) {
  std::vector<double> posteriors = neighbour_ratios(language, first, second);
  for (auto row = posteriors.begin(); row != posteriors.end();) {
    const auto end = row + std::ssize(second);
    const double all = std::accumulate(row, end, 0.0);
    for (; row != end; ++row) *row /= all;
  }
  return posteriors;
}

}  // namespace ablate::objectives
