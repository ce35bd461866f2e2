#include "harness/probes/classification/pair_features.h"

#include <algorithm>
#include <cmath>

namespace ablate::probes {

std::vector<std::vector<Token>> texts_of_pairs(std::span<const std::vector<Token>> pairs) {
  std::vector<std::vector<Token>> texts;
  texts.reserve(2 * pairs.size());
  for (const std::vector<Token>& pair : pairs) {
    const auto middle = std::find(pair.begin(), pair.end(), separator_token);
    texts.emplace_back(pair.begin(), middle);
    std::vector<Token> second = {begin_token};
    if (middle != pair.end()) {
      texts.back().push_back(end_token);
      second.insert(second.end(), middle + 1, pair.end());
    }
    texts.push_back(std::move(second));
  }
  return texts;
}

LayerFeatures pair_features(const LayerFeatures& texts) {
  LayerFeatures pairs{.layer = texts.layer, .pooling = texts.pooling, .width = 4 * texts.width};
  pairs.values.reserve(2 * texts.values.size());
  const std::span<const double> all = texts.values;
  const auto width = static_cast<std::size_t>(texts.width);
  for (std::size_t at = 0; at < all.size(); at += 2 * width) {
    const auto u = all.subspan(at, width), v = all.subspan(at + width, width);
    pairs.values.insert(pairs.values.end(), u.begin(), u.end());
    pairs.values.insert(pairs.values.end(), v.begin(), v.end());
    for (std::size_t i = 0; i < width; ++i) pairs.values.push_back(std::abs(u[i] - v[i]));
    for (std::size_t i = 0; i < width; ++i) pairs.values.push_back(u[i] * v[i]);
  }
  return pairs;
}

}  // namespace ablate::probes
