// What an objective really did, counted from its examples: the intended rate is not evidence.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "harness/base/json/json.h"
#include "harness/contract/objective.h"

namespace ablate {

/// A ratio of two sums over examples, such as hidden tokens over tokens, and how certain it is.
class Ratio {
 public:
  void add(double part, double whole);
  Ratio& operator+=(const Ratio& other);

  double value() const { return whole_ > 0 ? part_ / whole_ : 0; }
  bool empty() const { return !(whole_ > 0); }

  /// Standard error, to first order, of a ratio that is `expected` in the mean: examples are
  /// independent, what is within one need not be.
  double error(double expected) const;

 private:
  double part_ = 0, whole_ = 0;
  double part_part_ = 0, part_whole_ = 0, whole_whole_ = 0;  // sums of products
};

/// Counts over examples; rates come out at the end.
class Realised {
 public:
  void add(const Text& text, const Example& example);
  Realised& operator+=(const Realised& other);

  double corruption() const;  // fraction of the text's own tokens that were hidden
  double prediction() const;  // fraction of the text's own tokens that were scored
  std::int64_t examples() const { return examples_; }

  /// The ratio of that name: "corruption", "prediction", "mask", "random", "keep", "mean_span", or
  /// a fact; null where nothing was said of it.
  const Ratio* find(std::string_view name) const;

  /// {"corruption", "prediction", "mask", "random", "keep": fractions; "spans": {length: count};
  ///  "mean_span": tokens, where anything was hidden; "positions": fraction hidden in each tenth of
  ///  the text; every fact: its mean over the examples that say it}
  Json json() const;

 private:
  std::int64_t examples_ = 0;
  std::map<std::string, Ratio, std::less<>> ratios_;
  std::map<std::int64_t, std::int64_t> spans_;
  std::array<std::int64_t, 10> hidden_in_tenth_{};
  std::array<std::int64_t, 10> tokens_in_tenth_{};
};

/// What an objective did that it was not to do, in a sentence; empty where all is as intended,
/// within the tolerance and 5 standard errors.
std::string deviation(const std::vector<Intended>& intended, const Realised& realised);

/// {name: value} of what is intended, as records keep it.
Json to_json(const std::vector<Intended>& intended);

}  // namespace ablate
