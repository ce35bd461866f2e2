// Exact filtering and smoothing in a chain of blocks, in double precision. Distributions are scaled
// to a sum of 1 at every token, so that long texts do not underflow.

#include "harness/contract/chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ablate {
namespace {

using Size = std::size_t;

Size states_of(const Chain& chain) { return static_cast<Size>(chain.states); }
Size composite_of(const Chain& chain) { return static_cast<Size>(chain.composite_states()); }

/// Sums `Width` neighbouring columns at once. Up to four, the compiler keeps the sums in vector
/// registers.
template <Size Width>
void columns(const double* from, const double* matrix, Size n, double* to) {
  double sums[Width] = {};
  for (Size row = 0; row < n; ++row)
    for (Size column = 0; column < Width; ++column)
      sums[column] += from[row] * matrix[row * n + column];
  for (Size column = 0; column < Width; ++column) to[column] = sums[column];
}

/// to[j] = sum_i from[i] matrix[i, j] for a square matrix of `n` rows.
void multiply(const double* from, const double* matrix, Size n, double* to) {
  Size column = 0;
  for (; column + 4 <= n; column += 4) columns<4>(from, matrix + column, n, to + column);
  for (; column < n; ++column) columns<1>(from, matrix + column, n, to + column);
}

/// The same for every block: no state moves to another block.
void move(const Chain& chain, const std::vector<double>& matrices, const double* from, double* to) {
  const Size n = states_of(chain);
  for (Size block = 0; block < chain.blocks.size(); ++block)
    multiply(from + block * n, matrices.data() + block * n * n, n, to + block * n);
}

/// The transition matrix of every block, transposed, so that the backward pass also reads
/// contiguous memory.
std::vector<double> transposed(const Chain& chain) {
  const Size n = states_of(chain);
  std::vector<double> result(chain.transition.size());
  for (Size block = 0; block < chain.blocks.size(); ++block) {
    const double* from = chain.transition.data() + block * n * n;
    double* to = result.data() + block * n * n;
    for (Size row = 0; row < n; ++row)
      for (Size column = 0; column < n; ++column) to[column * n + row] = from[row * n + column];
  }
  return result;
}

/// Multiplies `distribution` by `factors` and scales it to a sum of 1. Returns the sum before
/// scaling, which is 0 if the product is zero everywhere.
double weigh(double* distribution, const double* factors, Size size) {
  double total = 0;
  for (Size z = 0; z < size; ++z) total += distribution[z] *= factors[z];
  if (total > 0)
    for (Size z = 0; z < size; ++z) distribution[z] /= total;
  return total;
}

/// The distribution of a segment's first state before any of its tokens is seen.
std::vector<double> first_distribution(const Chain& chain, bool starts_document) {
  if (!starts_document) return chain.stationary;
  std::vector<double> distribution = chain.start;
  const Size n = states_of(chain);
  for (Size z = 0; z < distribution.size(); ++z) distribution[z] *= chain.blocks[z / n].probability;
  return distribution;
}

}  // namespace

std::vector<Segment> segments(std::span<const Token> tokens) {
  std::vector<Segment> result;
  Segment open;
  const auto close = [&](Size next, bool starts_document) {
    if (open.count > 0) result.push_back(open);
    open = {.first = next, .count = 0, .starts_document = starts_document};
  };
  for (Size i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == begin_token || tokens[i] == pad_token) {
      close(i + 1, tokens[i] == begin_token);
      continue;
    }
    ++open.count;
    if (tokens[i] == end_token) close(i + 1, false);
  }
  close(tokens.size(), false);
  return result;
}

Evidence emission_likelihood(const Chain& chain, std::span<const Token> tokens) {
  const Size n = states_of(chain);
  const Size size = composite_of(chain);
  const auto ordinary = static_cast<Size>(chain.ordinary);
  Evidence evidence(tokens.size() * size, 0.0);
  for (Size t = 0; t < tokens.size(); ++t) {
    double* here = evidence.data() + t * size;
    if (tokens[t] == end_token) {
      for (Size z = n - 1; z < size; z += n) here[z] = 1;
    } else if (tokens[t] >= special_count && tokens[t] - special_count < chain.ordinary) {
      const auto word = static_cast<Size>(tokens[t] - special_count);
      for (Size z = 0; z < size; ++z) here[z] = chain.emission[z * ordinary + word];
    }
  }
  return evidence;
}

double log_probability(const Chain& chain, std::int64_t time, const Evidence& evidence,
                       bool starts_document) {
  const Size size = composite_of(chain);
  std::vector<double> distribution = first_distribution(chain, starts_document);
  std::vector<double> next(size);
  double total = 0;
  for (std::int64_t t = 0; t < time; ++t) {
    if (t > 0) {
      move(chain, chain.transition, distribution.data(), next.data());
      distribution.swap(next);
    }
    const double likelihood =
        weigh(distribution.data(), evidence.data() + static_cast<Size>(t) * size, size);
    if (!(likelihood > 0)) return -std::numeric_limits<double>::infinity();
    total += std::log(likelihood);
  }
  return total;
}

namespace {

std::vector<double> predicted_from(const Chain& chain, std::int64_t time, const Evidence& evidence,
                                   std::vector<double> distribution) {
  const Size size = composite_of(chain);
  const auto steps = static_cast<Size>(time);
  std::vector<double> result(steps * size);
  for (Size t = 0; t < steps; ++t) {
    double* here = result.data() + t * size;
    if (t == 0)
      std::copy(distribution.begin(), distribution.end(), here);
    else
      move(chain, chain.transition, distribution.data(), here);
    std::copy(here, here + size, distribution.begin());
    weigh(distribution.data(), evidence.data() + t * size, size);
  }
  return result;
}

}  // namespace

std::vector<double> predicted(const Chain& chain, std::int64_t time, const Evidence& evidence,
                              bool starts_document) {
  return predicted_from(chain, time, evidence, first_distribution(chain, starts_document));
}

std::vector<double> transition_step(const Chain& chain, std::span<const double> distribution) {
  std::vector<double> next(distribution.size());
  move(chain, chain.transition, distribution.data(), next.data());
  return next;
}

std::vector<double> likelihood_by_state(const Chain& chain, std::int64_t time,
                                        const Evidence& evidence) {
  const Size size = composite_of(chain);
  const std::vector<double> back = transposed(chain);
  std::vector<double> message(size, 1.0), next(size);
  for (auto t = static_cast<Size>(time); t-- > 0;) {
    weigh(message.data(), evidence.data() + t * size, size);
    if (t == 0) break;
    move(chain, back, message.data(), next.data());
    message.swap(next);
  }
  return message;
}

FromTheRight from_the_right(const Chain& chain, std::int64_t time, const Evidence& evidence) {
  const Size size = composite_of(chain), steps = static_cast<Size>(time), n = states_of(chain);
  const std::vector<double> back = transposed(chain);
  FromTheRight read;
  read.after.assign(steps * size, 1.0);
  read.log_evidence.resize(steps);
  std::vector<double> message(size, 1.0), from_here(size);
  double scale = 0;  // logarithm of what `message` was divided by
  const auto log_expected = [&](const std::vector<double>& first) {
    double sum = 0;
    for (Size z = 0; z < size; ++z) sum += first[z] * from_here[z];
    return std::log(sum) + scale;
  };
  for (Size t = steps; t-- > 0;) {
    std::copy(message.begin(), message.end(),
              read.after.begin() + static_cast<std::ptrdiff_t>(t * size));
    from_here = message;
    scale += std::log(weigh(from_here.data(), evidence.data() + t * size, size));
    read.log_evidence[t] = log_expected(chain.stationary);
    if (t > 0) move(chain, back, from_here.data(), message.data());
  }
  // Of the tokens of the corpus, as many are first ones of a document as are end tokens.
  double ends = 0;
  for (Size z = n - 1; z < size; z += n) ends += chain.stationary[z];
  read.log_start = log_expected(first_distribution(chain, true)) + std::log(ends);
  return read;
}

std::vector<double> leave_one_out_smoothing(const Chain& chain, std::int64_t time,
                                            const Evidence& evidence, bool starts_document) {
  return leave_one_out_smoothing(chain, time, evidence, first_distribution(chain, starts_document));
}

std::vector<double> leave_one_out_smoothing(const Chain& chain, std::int64_t time,
                                            const Evidence& evidence,
                                            std::span<const double> first) {
  const Size size = composite_of(chain);
  const auto steps = static_cast<Size>(time);
  std::vector<double> result = predicted_from(chain, time, evidence, {first.begin(), first.end()});
  const std::vector<double> back = transposed(chain);
  std::vector<double> message(size, 1.0);  // P(evidence after t | state at t), up to a factor
  std::vector<double> next(size);
  for (Size t = steps; t-- > 0;) {
    weigh(result.data() + t * size, message.data(), size);
    if (t == 0) break;
    weigh(message.data(), evidence.data() + t * size, size);
    move(chain, back, message.data(), next.data());
    message.swap(next);
  }
  return result;
}

std::vector<double> unigram(const Chain& chain) {
  const Size n = states_of(chain);
  const auto ordinary = static_cast<Size>(chain.ordinary);
  std::vector<double> distribution(ordinary + 1, 0.0);
  for (Size z = 0; z < composite_of(chain); ++z) {
    if (z % n == n - 1) distribution[ordinary] += chain.stationary[z];
    const double* emission = chain.emission.data() + z * ordinary;
    for (Size word = 0; word < ordinary; ++word)
      distribution[word] += chain.stationary[z] * emission[word];
  }
  return distribution;
}

std::vector<double> picture_likelihood(const Chain& chain, std::span<const Token> picture) {
  const auto states = static_cast<std::size_t>(chain.states);
  const auto ordinary = static_cast<std::size_t>(chain.ordinary);
  const auto first = static_cast<std::size_t>(chain.first_patch());
  std::vector<double> likelihood(chain.blocks.size(), 1.0);
  for (std::size_t block = 0; block < likelihood.size(); ++block)
    for (std::size_t place = 0; place < picture.size(); ++place)
      likelihood[block] *= chain.emission[(block * states + first + place) * ordinary +
                                          static_cast<std::size_t>(picture[place] - special_count)];
  return likelihood;
}

std::vector<double> topic_posterior(const Chain& chain, std::span<const Token> tokens,
                                    bool starts_document) {
  const Size n = states_of(chain);
  const Size size = composite_of(chain);
  std::vector<double> distribution = first_distribution(chain, starts_document);
  if (!tokens.empty()) {
    const Evidence evidence = emission_likelihood(chain, tokens);
    const Size last = (tokens.size() - 1) * size;
    const std::vector<double> distributions =
        predicted(chain, static_cast<std::int64_t>(tokens.size()), evidence, starts_document);
    std::copy_n(distributions.begin() + static_cast<std::ptrdiff_t>(last), size,
                distribution.begin());
    weigh(distribution.data(), evidence.data() + last, size);
  }
  std::int32_t topics = 0;
  for (const Chain::Block& block : chain.blocks) topics = std::max(topics, block.topic + 1);
  std::vector<double> posterior(static_cast<Size>(topics), 0.0);
  for (Size z = 0; z < size; ++z)
    posterior[static_cast<Size>(chain.blocks[z / n].topic)] += distribution[z];
  return posterior;
}

}  // namespace ablate
