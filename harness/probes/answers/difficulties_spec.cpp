#include "harness/probes/answers/difficulties_spec.h"

#include <fmt/core.h>

#include <algorithm>

namespace ablate::probes {

std::vector<std::int64_t> listed_difficulties(const data::TaskText& text) {
  const auto& asked = text.test_difficulties();
  if (asked.size() == 1 && asked == text.difficulties()) return {};
  return asked;
}

bool is_trained(const data::TaskText& text, std::int64_t difficulty) {
  return std::ranges::binary_search(text.difficulties(), difficulty);
}

std::vector<std::int64_t> common_difficulties(const data::TaskText& text) {
  std::vector<std::int64_t> common;
  for (const std::int64_t difficulty : text.test_difficulties())
    if (is_trained(text, difficulty)) common.push_back(difficulty);
  return common.empty() ? text.test_difficulties() : common;
}

std::string name_of_difficulty(const data::TaskText& text, std::int64_t difficulty) {
  return fmt::format("{}_{}", text.spec().difficulty.name, difficulty);
}

}  // namespace ablate::probes
