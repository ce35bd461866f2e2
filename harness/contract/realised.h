// What an objective really did, counted from its examples: the intended rate is not evidence.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "harness/base/json.h"
#include "harness/contract/objective.h"

namespace ablate {

/// Counts over examples; rates come out at the end.
class Realised {
 public:
  void add(const Text& text, const Example& example);
  Realised& operator+=(const Realised& other);

  double corruption() const;  // fraction of the text's own tokens that were hidden
  double prediction() const;  // fraction of the text's own tokens that were scored

  std::int64_t examples() const { return examples_; }

  /// {"corruption", "prediction", "mask", "random", "keep": fractions; "spans": {length: count};
  ///  "mean_span": tokens, where anything was hidden; "positions": fraction hidden in each tenth of
  ///  the text; every fact: its mean over the examples that say it}
  Json json() const;

 private:
  struct Mean {
    double sum = 0;
    std::int64_t count = 0;
  };

  std::int64_t examples_ = 0;
  std::map<std::string, Mean, std::less<>> facts_;
  std::int64_t tokens_ = 0;  // specials left out
  std::int64_t scored_ = 0;
  std::array<std::int64_t, 6> hidden_{};  // by HiddenAs
  std::map<std::int64_t, std::int64_t> spans_;
  std::array<std::int64_t, 10> hidden_in_tenth_{};
  std::array<std::int64_t, 10> tokens_in_tenth_{};
};

/// What an objective did that it was not to do, in a sentence; empty where all is as intended: a
/// mean over n examples within the tolerance and 5 standard errors of as many independent draws.
std::string deviation(const std::vector<Intended>& intended, const Realised& realised);

/// {name: value} of what is intended, as records keep it.
Json to_json(const std::vector<Intended>& intended);

}  // namespace ablate
