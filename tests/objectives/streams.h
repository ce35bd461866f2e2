// What places of an example can come to know of each other through a stack of any depth.

#pragma once

#include <string>
#include <vector>

#include "harness/contract/example.h"

namespace ablate::objectives {

/// By place: whether it is reached from `place`, which it sees or which something that it sees does.
inline std::vector<bool> reached_from(const Example& example, std::size_t place) {
  std::vector<bool> reached(example.sees.size());
  std::vector<std::size_t> open = {place};
  const auto visit = [&](std::int32_t from, std::int32_t until) {
    for (std::int32_t j = from; j < until; ++j)
      if (const auto at = static_cast<std::size_t>(j); !reached[at]) {
        reached[at] = true;
        open.push_back(at);
      }
  };
  while (!open.empty()) {
    const Sight& own = example.sees[open.back()];
    open.pop_back();
    visit(own.from, own.until);
    visit(own.also_from, own.also_until);
  }
  return reached;
}

/// Why an example gives away a target: a scored place comes to know another place of its position that
/// shows a token, another document, or with `queries` a mask. Empty where it does not. `document`: of each
/// place, by number.
inline std::string given_away(const Example& example, const std::vector<std::size_t>& document,
                              bool queries = true) {
  for (std::size_t i = 0; i < example.inputs.size(); ++i) {
    if (!(example.weights[i] > 0)) continue;
    const std::vector<bool> reached = reached_from(example, i);
    for (std::size_t j = 0; j < reached.size(); ++j) {
      if (!reached[j] || j == i) continue;
      const std::string pair =
          "place " + std::to_string(i) + " comes to know place " + std::to_string(j);
      if (document[i] != document[j]) return pair + ", of another document";
      if (queries && example.inputs[j] == mask_token) return pair + ", a query";
      if (example.inputs[j] != mask_token && example.positions[i] == example.positions[j])
        return pair + ", its own token";
    }
  }
  return "";
}

}  // namespace ablate::objectives
