// What an objective really did, counted from its examples: the intended rate is not evidence.

#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "harness/base/json.h"
#include "harness/contract/example.h"

namespace ablate {

/// Counts over examples; rates come out at the end.
class Realised {
 public:
  void add(const Text& text, const Example& example);
  Realised& operator+=(const Realised& other);

  double corruption() const;  // fraction of the text's own tokens that were hidden
  double prediction() const;  // fraction of the text's own tokens that were scored

  /// {"corruption", "prediction", "mask", "random", "keep": fractions; "spans": {length: count};
  ///  "positions": fraction hidden in each tenth of the text}
  Json json() const;

 private:
  std::int64_t tokens_ = 0;  // specials left out
  std::int64_t scored_ = 0;
  std::array<std::int64_t, 6> hidden_{};  // by HiddenAs
  std::map<std::int64_t, std::int64_t> spans_;
  std::array<std::int64_t, 10> hidden_in_tenth_{};
  std::array<std::int64_t, 10> tokens_in_tenth_{};
};

}  // namespace ablate
