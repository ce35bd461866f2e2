#include "harness/probes/generation/equal_entropy.h"

#include <cmath>
#include <map>

namespace ablate::probes {

namespace {

/// Counts ordinary tokens.
class TokenCounts {
 public:
  void add(const std::vector<Token>& text) {
    for (const Token token : text)
      if (token >= special_count) {
        ++counts_[token];
        ++total_;
      }
  }

  bool empty() const { return counts_.empty(); }

  double entropy() const {
    double sum = 0;
    for (const auto& [token, count] : counts_) sum -= count / total_ * std::log(count / total_);
    return sum;
  }

 private:
  std::map<Token, double> counts_;
  double total_ = 0;
};

}  // namespace

double token_entropy(std::span<const std::vector<Token>> texts) {
  TokenCounts counts;
  for (const std::vector<Token>& text : texts) counts.add(text);
  return counts.entropy();
}

double entropy_within(std::span<const std::vector<Token>> texts) {
  double sum = 0, counted = 0;
  for (const std::vector<Token>& text : texts) {
    TokenCounts counts;
    counts.add(text);
    if (counts.empty()) continue;
    sum += counts.entropy();
    ++counted;
  }
  return counted > 0 ? sum / counted : 0;
}

std::optional<double> value_at(std::span<const EntropyPoint> curve, double entropy) {
  for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
    const EntropyPoint &low = curve[i], &high = curve[i + 1];
    if (!std::isfinite(low.value + high.value) ||
        (low.entropy - entropy) * (high.entropy - entropy) > 0 || low.entropy == high.entropy)
      continue;
    const double part = (entropy - low.entropy) / (high.entropy - low.entropy);
    return low.value + part * (high.value - low.value);
  }
  return std::nullopt;
}

}  // namespace ablate::probes
