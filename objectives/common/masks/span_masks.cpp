#include "objectives/common/masks/span_masks.h"

#include <algorithm>
#include <cmath>

#include "harness/base/shuffle.h"

namespace ablate::objectives {
namespace {

using Count = std::int64_t;
using Lengths = std::vector<Count>;

/// How many tokens spans are to hide: the exact law rounds to either side so that the mean is the
/// rate whatever the length; fairseq rounds up.
Count budget(const SpanMasks& settings, Count tokens, Rng& rng) {
  const double wanted = settings.rate * static_cast<double>(tokens), draw = rng.uniform();
  const double count = settings.distribution == SpanPlacement::exact ? std::floor(wanted + draw)
                                                                     : std::ceil(wanted - 1e-9);
  return std::min(tokens, static_cast<Count>(count));
}

/// Lengths until they sum to the budget, in random order; of those that are 0 only the first
/// `budget - spans`.
Lengths draw_lengths(const std::vector<double>& sums, Count budget, Rng& rng) {
  Lengths lengths;
  Count zeros = 0;
  for (Count left = budget; left > 0;) {
    const auto drawn = std::upper_bound(sums.begin(), sums.end(), rng.uniform()) - sums.begin();
    if (drawn == 0) ++zeros;
    if (drawn > 0) lengths.push_back(std::min(left, drawn));
    left -= drawn;
  }
  zeros = std::min(zeros, budget - std::ssize(lengths));
  lengths.insert(lengths.end(), static_cast<std::size_t>(zeros), 0);
  shuffle(lengths, rng);
  return lengths;
}

/// Whether the next of `items` in a row is one of the `chosen`, each set of places equally likely.
bool next_is(Count chosen, Count items, Rng& rng) {
  return rng.uniform() * static_cast<double>(items) < static_cast<double>(chosen);
}

/// Spans and tokens that stay in a row, every order of them equally likely.
void place_apart(const Lengths& lengths, Rng& rng, Masked& masked) {
  const Count tokens = std::ssize(masked.fates);
  Count items = tokens + std::ssize(lengths);
  for (const Count length : lengths) items -= length;
  Count at = 0, placed = 0;
  for (const Count spans = std::ssize(lengths); placed < spans; --items) {
    if (!next_is(spans - placed, items, rng)) {
      ++at;
      continue;
    }
    const Count length = lengths[static_cast<std::size_t>(placed++)];
    if (length == 0) masked.stray.push_back(at);
    for (Count i = 0; i < length; ++i, ++at)
      masked.fates[static_cast<std::size_t>(at)] = i == 0 ? Fate::mask : Fate::gone;
  }
}

/// Spans at distinct starts, every set of them equally likely, ended by the end of the text. A mask
/// that another span covers is gone.
void place_anywhere(const Lengths& lengths, Rng& rng, Masked& masked) {
  const Count tokens = std::ssize(masked.fates);
  Count strays = std::count(lengths.begin(), lengths.end(), 0);
  Count left = std::ssize(lengths) - strays;
  auto length = lengths.begin();
  Count covered = 0;  // tokens before this one are in a span
  for (Count at = 0; at < tokens; ++at) {
    Fate& fate = masked.fates[static_cast<std::size_t>(at)];
    if (at < covered) fate = Fate::gone;
    if (left == 0 || !next_is(left, tokens - at, rng)) continue;
    while (*length == 0) ++length;
    --left;
    if (fate == Fate::shown) fate = Fate::mask;
    covered = std::max(covered, at + *length++);
  }
  const Count gone = std::count(masked.fates.begin(), masked.fates.end(), Fate::gone);
  strays = std::min(strays, gone);
  Count items = tokens - gone + strays;
  for (Count at = 0; strays > 0 && at <= tokens; ++at) {
    if (at < tokens && masked.fates[static_cast<std::size_t>(at)] == Fate::gone) continue;
    for (; strays > 0 && next_is(strays, items, rng); --strays, --items) masked.stray.push_back(at);
    --items;
  }
}

}  // namespace

std::vector<double> poisson_sums(double mean) {
  std::vector<double> sums;
  double total = 0, share = std::exp(-mean);
  for (int length = 0; length < 128; share *= mean / ++length) {
    sums.push_back(total += share);
    if (length > mean && share < 1e-7) break;
  }
  for (double& sum : sums) sum /= total;
  return sums;
}

Masked draw_masks(const SpanMasks& settings, std::int64_t tokens, Rng rng) {
  Masked masked{.fates = std::vector<Fate>(static_cast<std::size_t>(tokens), Fate::shown)};
  const Count hidden = budget(settings, tokens, rng);
  const Lengths lengths = draw_lengths(settings.lengths, hidden, rng);
  (settings.distribution == SpanPlacement::exact ? place_apart : place_anywhere)(lengths, rng,
                                                                                 masked);
  return masked;
}

}  // namespace ablate::objectives
