#include "harness/base/names.h"

#include <algorithm>
#include <vector>

namespace ablate {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return cost[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return cost.back();
}

std::string_view closest_match(std::string_view given, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t minimum = std::max<std::size_t>(2, given.size() / 3) + 1;
  if (given.size() > 100) return best;  // hostile input: not worth a quadratic comparison
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(given, name);
    if (distance < minimum && distance < name.size()) {
      minimum = distance;
      best = name;
    }
  }
  return best;
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace ablate
