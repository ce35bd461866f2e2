// What the exact predictor knows of the tokens ahead of a state, order aside.

#include "objectives/common/optimum/future_tables.h"

#include <numeric>

namespace ablate::objectives {
namespace {

/// P(token | composite state), [composite state, ordinary + 1].
std::vector<double> emitted(const Chain& language) {
  const auto ordinary = static_cast<std::size_t>(language.ordinary), tokens = ordinary + 1;
  const auto states = static_cast<std::size_t>(language.states);
  const auto size = static_cast<std::size_t>(language.composite_states());
  std::vector<double> table(size * tokens);
  for (std::size_t state = 0; state < size; ++state) {
    std::copy_n(language.emission.begin() + static_cast<std::ptrdiff_t>(state * ordinary), ordinary,
                table.begin() + static_cast<std::ptrdiff_t>(state * tokens));
    if (state % states + 1 == states) table[state * tokens + ordinary] = 1;
  }
  return table;
}

/// The expectation of each column of `table` [composite state, columns] in the next state, given the
/// present one.
std::vector<double> one_step_before(const Chain& language, const std::vector<double>& table) {
  const auto states = static_cast<std::size_t>(language.states);
  const auto size = static_cast<std::size_t>(language.composite_states());
  const std::size_t columns = table.size() / size;
  std::vector<double> before(table.size());
  for (std::size_t state = 0; state < size; ++state) {
    const std::size_t block = state / states * states;
    const double* const steps = language.transition.data() + state * states;
    for (std::size_t next = 0; next < states; ++next) {
      if (steps[next] == 0) continue;
      const double* const from = table.data() + (block + next) * columns;
      double* const to = before.data() + state * columns;
      for (std::size_t column = 0; column < columns; ++column)
        to[column] += steps[next] * from[column];
    }
  }
  return before;
}

}  // namespace

std::vector<double> FutureTable::given(std::span<const double> states) const {
  const double whole = std::inner_product(states.begin(), states.end(), all.begin(), 0.0);
  std::vector<double> fractions(tokens);
  for (std::size_t state = 0; state < states.size(); ++state)
    for (std::size_t token = 0; token < tokens; ++token)
      fractions[token] += states[state] * by_token[state * tokens + token];
  for (double& fraction : fractions) fraction /= whole;
  return fractions;
}

FutureTable weighted_tokens(const Chain& language, std::span<const double> weights) {
  const std::vector<double> own = emitted(language);
  const auto size = static_cast<std::size_t>(language.composite_states());
  FutureTable table{own.size() / size, std::vector<double>(own.size()), std::vector<double>(size)};
  for (std::size_t j = weights.size(); j-- > 0;) {
    table.by_token = one_step_before(language, table.by_token);
    for (std::size_t i = 0; i < own.size(); ++i) table.by_token[i] += weights[j] * own[i];
  }
  for (std::size_t state = 0; state < size; ++state) {
    const auto first = table.by_token.begin() + static_cast<std::ptrdiff_t>(state * table.tokens);
    table.all[state] =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(table.tokens), 0.0);
  }
  return table;
}

FutureTable present_tokens(const Chain& language, std::size_t horizon) {
  const std::vector<double> own = emitted(language);
  const auto size = static_cast<std::size_t>(language.composite_states());
  FutureTable table{own.size() / size, std::vector<double>(own.size()),
                    one_step_before(language, std::vector<double>(size, 1.0))};
  for (std::size_t j = 0; j < horizon; ++j) {
    for (std::size_t i = 0; i < own.size(); ++i)
      table.by_token[i] = own[i] + (1 - own[i]) * table.by_token[i];
    table.by_token = one_step_before(language, table.by_token);
  }
  return table;
}

std::size_t future_index(const Chain& language, Token token) {
  return static_cast<std::size_t>(token == end_token ? language.ordinary : token - special_count);
}

std::vector<double> states_before(const Chain& language, std::span<const Token> tokens,
                                  const Segment& segment) {
  return predicted(language, static_cast<std::int64_t>(segment.count),
                   emission_likelihood(language, tokens.subspan(segment.first, segment.count)),
                   segment.starts_document);
}

}  // namespace ablate::objectives
