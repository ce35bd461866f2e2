#include "harness/probes/generation/equal_entropy.h"

#include <cmath>
#include <map>

namespace ablate::probes {

double token_entropy(std::span<const std::vector<Token>> texts) {
  std::map<Token, double> counts;
  double total = 0;
  for (const std::vector<Token>& text : texts)
    for (const Token token : text)
      if (token >= special_count) {
        ++counts[token];
        ++total;
      }
  double entropy = 0;
  for (const auto& [token, count] : counts) entropy -= count / total * std::log(count / total);
  return entropy;
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
