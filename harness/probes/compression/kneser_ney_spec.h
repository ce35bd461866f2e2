// An n-gram model with interpolated modified Kneser-Ney smoothing: what counting alone makes of a
// text. Without LibTorch.
//
// With c(hw) the count of token w after history h, and h' the history without its first token:
//
//   P(w | h) = (c(hw) - D(c(hw))) / c(h) + sum over v of D(c(hv)) / c(h) * P(w | h')
//
// where D(1), D(2) and D(3 and more) belong to the order. Below the highest order, c(hw) is not how
// often hw occurs, but how many tokens occur before it; what starts with a begin token has none
// before it, and keeps its count. Below the first order all tokens are equally probable.
//
// Source: Chen & Goodman 1999, "An empirical study of smoothing techniques for language modeling",
// Computer Speech & Language 13, sections 3 (equations 26 and 27) and 4.1.4.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// What is taken from the counts of an order.
struct Discounts {
  double one = 0.5, two = 1, more = 1.5;  // from a count of 1, of 2, of 3 and more
  bool estimated = false;                 // or else too few counts tell them, and these are assumed
};

/// The discounts of an order by the numbers of its n-grams that are counted once, twice, three and
/// four times: with Y = n1 / (n1 + 2 n2), D1 = 1 - 2Y n2/n1, D2 = 2 - 3Y n3/n2, D3 = 3 - 4Y n4/n3.
/// Where these are not defined or not above 0, those that KenLM assumes: a half, 1 and 1.5 (Heafield
/// et al. 2013, its option --discount_fallback).
Discounts discounts_of(const std::array<double, 4>& counted);

/// The model.
class KneserNey {
 public:
  static constexpr std::size_t kMaxOrder = 5;

  /// Counts documents, each of which starts with a begin token, that are one after the other in
  /// `tokens`. `vocabulary`: number of tokens that may follow another: the ordinary ones and the end
  /// token. Requires: 1 <= order <= kMaxOrder.
  KneserNey(std::span<const Token> tokens, std::size_t order, std::int64_t vocabulary);

  /// P(token | history): the tokens of the document before it, from its begin token on, or the last
  /// of them. Sums to one over the vocabulary, whatever the history.
  double probability(std::span<const Token> history, Token token) const;

  /// The discounts of each order, the first order first.
  std::vector<Discounts> discounts() const;

 private:
  using Gram = std::array<Token, kMaxOrder>;  // padded at its end

  /// The n-grams of one order, sorted, and the histories that they start with.
  struct Level {
    std::vector<Gram> grams;
    std::vector<std::uint32_t> counts;  // of each n-gram
    std::vector<Gram> histories;
    std::vector<std::size_t> first;  // n-gram of each history, and one past the last
    std::vector<double> totals;      // sum of the counts after each history
    std::vector<double> left;        // fraction of it that is discounted
    Discounts discounts;
  };

  static Level level_of(std::vector<Gram> occurrences, std::size_t order);
  static double discount(const Discounts& discounts, std::uint32_t count);

  std::vector<Level> levels_;  // by order
  double uniform_ = 0;         // P(token) below the first order
};

/// -log2 P(documents): the bits of all tokens after each one's begin token.
double code_length(const KneserNey& model, std::span<const std::span<const Token>> documents);

}  // namespace ablate::probes
