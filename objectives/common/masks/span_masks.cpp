#include "objectives/common/masks/span_masks.h"

#include <algorithm>
#include <cmath>

#include "harness/base/shuffle.h"

namespace ablate::objectives {
namespace {

using Count = std::int64_t;
using MaskLengths = std::vector<Count>;

/// The number of tokens to hide. Exact placement rounds randomly, so that the mean is the rate for
/// every length; fairseq rounds up.
Count budget(const SpanMasks& settings, Count tokens, Rng& rng) {
  const double wanted = settings.rate * static_cast<double>(tokens), draw = rng.uniform();
  const double count = settings.placement == SpanPlacement::exact ? std::floor(wanted + draw)
                                                                  : std::ceil(wanted - 1e-9);
  return std::min(tokens, static_cast<Count>(count));
}

/// Draws lengths until they sum to the budget and shuffles them. At most budget - spans lengths of
/// 0 are kept.
MaskLengths draw_lengths(const std::vector<double>& cumulative, Count budget, Rng& rng) {
  MaskLengths lengths;
  Count zeros = 0;
  for (Count left = budget; left > 0;) {
    const auto drawn =
        std::upper_bound(cumulative.begin(), cumulative.end(), rng.uniform()) - cumulative.begin();
    if (drawn == 0) ++zeros;
    if (drawn > 0) lengths.push_back(std::min(left, drawn));
    left -= drawn;
  }
  zeros = std::min(zeros, budget - std::ssize(lengths));
  lengths.insert(lengths.end(), static_cast<std::size_t>(zeros), 0);
  shuffle(lengths, rng);
  return lengths;
}

/// Selection sampling: whether the next of `items` remaining items is one of the `chosen` ones;
/// every set of positions is equally likely.
bool next_is(Count chosen, Count items, Rng& rng) {
  return rng.uniform() * static_cast<double>(items) < static_cast<double>(chosen);
}

/// Arranges spans and kept tokens in a row; every order is equally likely.
void place_apart(const MaskLengths& lengths, Rng& rng, Masked& masked) {
  const Count tokens = std::ssize(masked.actions);
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
      masked.actions[static_cast<std::size_t>(at)] = i == 0 ? MaskAction::mask : MaskAction::remove;
  }
}

/// Places spans at distinct starts; every set of starts is equally likely. A span ends at the end
/// of the text at the latest. A mask that another span covers is removed.
void place_anywhere(const MaskLengths& lengths, Rng& rng, Masked& masked) {
  const Count tokens = std::ssize(masked.actions);
  Count strays = std::count(lengths.begin(), lengths.end(), 0);
  Count left = std::ssize(lengths) - strays;
  auto length = lengths.begin();
  Count covered = 0;  // tokens before this one are in a span
  for (Count at = 0; at < tokens; ++at) {
    MaskAction& action = masked.actions[static_cast<std::size_t>(at)];
    if (at < covered) action = MaskAction::remove;
    if (left == 0 || !next_is(left, tokens - at, rng)) continue;
    while (*length == 0) ++length;
    --left;
    if (action == MaskAction::keep) action = MaskAction::mask;
    covered = std::max(covered, at + *length++);
  }
  const Count removed =
      std::count(masked.actions.begin(), masked.actions.end(), MaskAction::remove);
  strays = std::min(strays, removed);
  Count items = tokens - removed + strays;
  for (Count at = 0; strays > 0 && at <= tokens; ++at) {
    if (at < tokens && masked.actions[static_cast<std::size_t>(at)] == MaskAction::remove) continue;
    for (; strays > 0 && next_is(strays, items, rng); --strays, --items) masked.stray.push_back(at);
    --items;
  }
}

}  // namespace

std::vector<double> poisson_cumulative(double mean) {
  std::vector<double> cumulative;
  double total = 0, probability = std::exp(-mean);
  for (int length = 0; length < 128; probability *= mean / ++length) {
    cumulative.push_back(total += probability);
    if (length > mean && probability < 1e-7) break;
  }
  for (double& sum : cumulative) sum /= total;
  return cumulative;
}

Masked draw_masks(const SpanMasks& settings, std::int64_t tokens, Rng rng) {
  Masked masked{.actions =
                    std::vector<MaskAction>(static_cast<std::size_t>(tokens), MaskAction::keep)};
  const Count hidden = budget(settings, tokens, rng);
  const MaskLengths lengths = draw_lengths(settings.lengths, hidden, rng);
  (settings.placement == SpanPlacement::exact ? place_apart : place_anywhere)(lengths, rng, masked);
  return masked;
}

}  // namespace ablate::objectives
