#include "objectives/common/rearrange/damage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/shuffle.h"

namespace ablate::objectives {
namespace {

std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }

bool hideable(const Text& text, std::int32_t position) {
  return position != kMask && !text.is_special(at(position));
}

}  // namespace

std::vector<std::size_t> sentences(const Text& text, std::size_t first, std::size_t end) {
  std::vector<std::size_t> starts = {first};
  for (std::size_t i = first + 1; i < end && !text.marks.empty(); ++i)
    if (text.marks[i] & sentence_mark) starts.push_back(i);
  starts.push_back(end);
  return starts;
}

Shown permuted(std::span<const std::size_t> starts, double fraction, Rng rng) {
  const std::size_t count = starts.size() - 1;
  std::vector<std::size_t> order(count), chosen(count);
  std::iota(order.begin(), order.end(), 0);
  chosen = order;
  shuffle(chosen, rng);
  chosen.resize(static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(count) - 1e-9)));
  std::vector<std::size_t> places = chosen;
  shuffle(places, rng);
  for (std::size_t i = 0; i < chosen.size(); ++i) order[chosen[i]] = places[i];
  Shown shown;
  shown.reserve(starts.back() - starts.front());
  for (const std::size_t sentence : order)
    for (std::size_t i = starts[sentence]; i < starts[sentence + 1]; ++i)
      shown.push_back(static_cast<std::int32_t>(i));
  return shown;
}

Shown infilled(const SpanMasks& settings, const Text& text, const Shown& shown, Rng rng,
               std::vector<Hidden>& hidden) {
  const auto tokens =
      std::count_if(shown.begin(), shown.end(), [&](std::int32_t i) { return hideable(text, i); });
  const Masked masked = draw_masks(settings, tokens, rng);
  Shown result;
  result.reserve(shown.size());
  auto stray = masked.stray.begin();
  std::int64_t token = 0;
  for (const std::int32_t i : shown) {
    if (!hideable(text, i)) {
      result.push_back(i);
      continue;
    }
    for (; stray != masked.stray.end() && *stray == token; ++stray) result.push_back(kMask);
    const MaskAction action = masked.actions[static_cast<std::size_t>(token++)];
    if (action != MaskAction::remove) result.push_back(action == MaskAction::mask ? kMask : i);
    if (action != MaskAction::keep) hidden.push_back({i, HiddenAs::mask});
  }
  result.insert(result.end(), static_cast<std::size_t>(masked.stray.end() - stray), kMask);
  return result;
}

void hide_each(double rate, HiddenAs how, const Text& text, Rng rng, Shown& shown,
               std::vector<Hidden>& hidden) {
  std::size_t kept = 0;
  for (const std::int32_t i : shown) {
    const bool hides = rng.probability(rate) && hideable(text, i);
    if (hides) hidden.push_back({i, how});
    if (!hides || how == HiddenAs::mask) shown[kept++] = hides ? kMask : i;
  }
  shown.resize(kept);
}

}  // namespace ablate::objectives
