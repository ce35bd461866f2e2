#include "objectives/common/views/views.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/shuffle.h"

namespace ablate::objectives {
namespace {

Token any_ordinary(const Vocabulary& vocabulary, Rng& rng) {
  return vocabulary.first_ordinary() + static_cast<Token>(rng.below(vocabulary.ordinary));
}

/// Tokens that are replaced one by one, each with this rate.
template <class Replacement>
std::vector<Token> with_some(std::span<const Token> tokens, double rate, Rng rng,
                             const Replacement& replacement) {
  std::vector<Token> view(tokens.begin(), tokens.end());
  for (Token& token : view)
    if (rng.uniform() < rate) token = replacement(rng);
  return view;
}

std::vector<Token> cropped(std::span<const Token> tokens, double rate, Rng rng) {
  const auto all = static_cast<std::int64_t>(tokens.size());
  const auto left_out = static_cast<std::int64_t>(std::floor(rate * static_cast<double>(all)));
  const std::int64_t kept = std::max<std::int64_t>(1, all - left_out);
  const auto stretch = tokens.subspan(static_cast<std::size_t>(rng.below(all - kept + 1)),
                                      static_cast<std::size_t>(kept));
  return {stretch.begin(), stretch.end()};
}

/// The tokens at these places in a random order.
void shuffle_places(std::vector<Token>& tokens, const std::vector<std::size_t>& places, Rng rng) {
  std::vector<Token> moved;
  moved.reserve(places.size());
  for (const std::size_t place : places) moved.push_back(tokens[place]);
  shuffle(moved, rng);
  for (std::size_t i = 0; i < places.size(); ++i) tokens[places[i]] = moved[i];
}

std::vector<Token> shuffled(std::span<const Token> tokens, double rate, Rng rng) {
  std::vector<Token> view(tokens.begin(), tokens.end());
  std::vector<std::size_t> places;
  Rng which = rng.fork(0);
  for (std::size_t i = 0; i < view.size(); ++i)
    if (which.uniform() < rate) places.push_back(i);
  shuffle_places(view, places, rng.fork(1));
  return view;
}

}  // namespace

std::vector<Token> view_of(std::span<const Token> tokens, Augmentation augmentation, double rate,
                           const Vocabulary& vocabulary, Rng rng) {
  switch (augmentation) {
    case Augmentation::cut_off:
      return with_some(tokens, rate, rng, [](Rng&) { return Token{mask_token}; });
    case Augmentation::crop:
      return cropped(tokens, rate, rng);
    case Augmentation::shuffle:
      return shuffled(tokens, rate, rng);
    case Augmentation::replace:
      return with_some(tokens, rate, rng, [&](Rng& own) { return any_ordinary(vocabulary, own); });
    case Augmentation::none:
      break;
  }
  return {tokens.begin(), tokens.end()};
}

std::vector<Token> unlike(std::span<const Token> tokens, const Vocabulary& vocabulary, Rng rng) {
  constexpr std::uint64_t kTries = 8;
  std::vector<std::size_t> places(tokens.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::vector<Token> other;
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    other.assign(tokens.begin(), tokens.end());
    shuffle_places(other, places, rng.fork(attempt));
    if (!std::ranges::equal(other, tokens)) return other;
  }
  Rng own = rng.fork(kTries);
  Token& changed = other[static_cast<std::size_t>(own.below(std::ssize(other)))];
  const Token before = changed;
  while (changed == before) changed = any_ordinary(vocabulary, own);
  return other;
}

}  // namespace ablate::objectives
