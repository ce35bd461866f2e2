// What an objective really did, counted from its examples. The rate that a setting intends is not
// evidence.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "harness/base/json/json.h"
#include "harness/contract/objective.h"

namespace ablate {

/// A ratio of two sums over examples, such as hidden tokens to all tokens, and its standard error.
class Ratio {
 public:
  /// Adds one example's counts.
  void add(double numerator, double denominator);

  /// Adds the examples of another ratio.
  Ratio& operator+=(const Ratio& other);

  double value() const { return empty() ? 0 : numerator_ / denominator_; }  // 0 if empty
  bool empty() const { return !(denominator_ > 0); }  // whether the denominator is 0

  /// The standard error, to first order, of a ratio whose expected value is `expected`. Examples
  /// are taken to be independent; the tokens within one need not be.
  double error(double expected) const;

  /// The sums of the ratio, from which from_state() makes it again, to the bit.
  Json state() const;
  static Ratio from_state(const Json& state);

 private:
  double numerator_ = 0, denominator_ = 0;
  double numerator_squares_ = 0, products_ = 0, denominator_squares_ = 0;  // sums over examples
};

/// Counts what a transform did, over examples.
class Realised {
 public:
  /// Counts an example that was made from `text`.
  void add(const Text& text, const Example& example);

  /// Counts a fact of a step that its examples do not state: `sum` over `count` cases.
  void add(std::string_view fact, double sum, double count);

  /// Adds the counts of other examples.
  Realised& operator+=(const Realised& other);

  double corruption() const;  // fraction of the text's own tokens that were hidden
  double prediction() const;  // fraction of the text's own tokens that were scored
  std::int64_t examples() const { return examples_; }  // that were counted

  /// The ratio with that name: "corruption", "prediction", "mask", "random", "keep", "mean_span" or
  /// a fact; null if nothing was counted for it.
  const Ratio* find(std::string_view name) const;

  /// {"corruption", "prediction", "mask", "random", "keep": fractions; of a mixture "corruption_MAKER" and
  ///  "prediction_MAKER": those of the examples that one of its objectives made; "spans": {length: count};
  ///  "mean_span": tokens, if anything was hidden; "positions": fraction hidden in each tenth of the
  ///  text; every fact: its mean over the examples that state it}
  Json json() const;

  /// All counts, from which from_state() makes them again, to the bit. Throws Json::exception where
  /// the state has another form.
  Json state() const;
  static Realised from_state(const Json& state);

 private:
  std::int64_t examples_ = 0;
  std::map<std::string, Ratio, std::less<>> ratios_;
  std::map<std::int64_t, std::int64_t> spans_;
  std::array<std::int64_t, 10> hidden_in_tenth_{};
  std::array<std::int64_t, 10> tokens_in_tenth_{};
};

/// One sentence about what an objective did otherwise than intended; empty if every value is as
/// intended, within its tolerance and 5 standard errors.
std::string deviation(const std::vector<Intended>& intended, const Realised& realised);

/// The intended values as {name: value}, the form that records keep.
Json to_json(const std::vector<Intended>& intended);

}  // namespace ablate
