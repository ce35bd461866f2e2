// Draws the lengths of spans: compositions from sets of cuts, others from the distribution of their
// sums.

#include "objectives/common/spans/span_lengths.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ablate::objectives {
namespace {

using Size = std::size_t;

constexpr double kMinimumProbability = 1e-15;

/// Calls `visit` with a set of `count` numbers of [0, bound), ascending; every set is equally
/// likely. Source: Floyd's algorithm, in Bentley & Floyd 1987, "A sample of brilliance".
template <class Visit>
void each_of_a_set(std::int64_t count, std::int64_t bound, Rng& rng, const Visit& visit) {
  std::vector<std::uint64_t> chosen(static_cast<Size>(bound / 64 + 1), 0);
  const auto choose = [&](std::int64_t number) {
    std::uint64_t& word = chosen[static_cast<Size>(number / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  };
  for (std::int64_t next = bound - count; next < bound; ++next)
    if (!choose(rng.below(next + 1))) choose(next);
  for (Size i = 0; i < chosen.size(); ++i)
    for (std::uint64_t word = chosen[i]; word != 0; word &= word - 1)
      visit(static_cast<std::int64_t>(i) * 64 + std::countr_zero(word));
}

/// Lengths above the mean that are less likely than kMinimumProbability count as impossible. Those
/// below it do not: a short text may have room for no other.
std::vector<double> poisson_probabilities(double mean, std::int64_t longest) {
  std::vector<double> probability(static_cast<Size>(longest) + 1, 0.0);
  for (std::int64_t length = 1; length <= longest; ++length) {
    const auto k = static_cast<double>(length);
    const double p = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1)) / -std::expm1(-mean);
    probability[static_cast<Size>(length)] = k > mean && p < kMinimumProbability ? 0 : p;
  }
  return probability;
}

std::vector<double> geometric_probabilities(double mean, std::int64_t longest) {
  std::vector<double> probability(static_cast<Size>(longest) + 1, 0.0);
  double left = 1;
  for (Size length = 1; length < probability.size(); ++length, left *= 1 - 1 / mean)
    probability[length] = left / mean;
  probability.back() += left;
  for (double& p : probability)
    if (p < kMinimumProbability) p = 0;
  return probability;
}

}  // namespace

std::vector<std::int64_t> cut(std::int64_t total, std::int64_t parts, Rng& rng) {
  std::vector<std::int64_t> runs;
  runs.reserve(static_cast<Size>(parts));
  std::int64_t last = 0;
  each_of_a_set(parts - 1, total - 1, rng, [&](std::int64_t gap) {
    runs.push_back(gap + 1 - last);
    last = gap + 1;
  });
  runs.push_back(total - last);
  return runs;
}

/// Convolves the length distribution with itself, once for each span.
SpanLengths::SpanLengths(LengthDistribution distribution, double mean, std::int64_t longest,
                         Noise maximum)
    : stride_(maximum.tokens + 1) {
  if (distribution == LengthDistribution::composition) return;
  probability_ = distribution == LengthDistribution::geometric
                     ? geometric_probabilities(mean, longest)
                     : poisson_probabilities(mean, maximum.tokens);
  sums_.assign(static_cast<Size>((maximum.spans + 1) * stride_), 0.0);
  sums_[0] = 1;
  for (std::int64_t spans = 1; spans <= maximum.spans; ++spans) {
    const double* before = sums_.data() + (spans - 1) * stride_;
    double* here = sums_.data() + spans * stride_;
    for (std::int64_t length = 1; length < std::ssize(probability_); ++length)
      if (weight(length) > 0)
        for (std::int64_t tokens = length; tokens <= maximum.tokens; ++tokens)
          here[tokens] += weight(length) * before[tokens - length];
  }
}

double SpanLengths::probability_of_sum(Noise noise) const {
  return sums_[static_cast<Size>(noise.spans * stride_ + noise.tokens)];
}

bool SpanLengths::possible(Noise noise) const {
  if (probability_.empty()) return noise.spans <= noise.tokens;
  return noise.tokens < stride_ && noise.spans * stride_ < std::ssize(sums_) &&
         probability_of_sum(noise) > 0;
}

std::vector<std::int64_t> SpanLengths::draw(Noise noise, Rng& rng) const {
  if (probability_.empty()) return cut(noise.tokens, noise.spans, rng);
  std::vector<std::int64_t> lengths;
  for (Noise left = noise; left.spans > 0;) {
    double draw = rng.uniform() * probability_of_sum(left);
    std::int64_t chosen = 0;
    for (std::int64_t length = 1; length < std::ssize(probability_) && length <= left.tokens;
         ++length) {
      const double mass =
          weight(length) * probability_of_sum({left.tokens - length, left.spans - 1});
      if (!(mass > 0)) continue;
      chosen = length;  // the last possible one absorbs rounding
      if ((draw -= mass) < 0) break;
    }
    lengths.push_back(chosen);
    left = {left.tokens - chosen, left.spans - 1};
  }
  return lengths;
}

double SpanLengths::weight(std::int64_t length) const {
  if (probability_.empty()) return 1;
  return length < std::ssize(probability_) ? probability_[static_cast<Size>(length)] : 0;
}

}  // namespace ablate::objectives
