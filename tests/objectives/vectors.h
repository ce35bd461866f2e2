// Conformance vectors, and a test of drawn outcomes against an expected distribution.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/json/json.h"
#include "harness/contract/vocabulary.h"
#include "tests/paths.h"

namespace ablate::objectives {

/// The conformance vectors in tests/vectors/NAME.json.
inline Json vectors_of(const std::string& name) {
  return Json::parse(read_file(project_root() / "tests/vectors" / (name + ".json")));
}

/// Draws `count` outcomes and expects them to follow the distribution: none is impossible, and the
/// chi-squared statistic is at most 6 standard deviations above its mean. Outcomes expected fewer
/// than 5 times are pooled. Draws are keyed by index, so the result is deterministic.
inline void expect_distribution(const std::map<std::vector<Token>, double>& distribution, int count,
                                const std::function<std::vector<Token>(std::uint64_t)>& draw) {
  std::map<std::vector<Token>, int> drawn;
  for (int i = 0; i < count; ++i) ++drawn[draw(static_cast<std::uint64_t>(i))];
  for (const auto& [outcome, times] : drawn)
    ASSERT_TRUE(distribution.contains(outcome))
        << "drawn " << times << " times, but impossible: " << testing::PrintToString(outcome);
  double statistic = 0, total = 0, cells = 0, rare = 0, rare_drawn = 0;
  const auto add = [&](double expected, double times) {
    statistic += std::pow(times - expected, 2) / expected;
    ++cells;
  };
  for (const auto& [outcome, probability] : distribution) {
    const double expected = probability * count;
    total += probability;
    if (expected >= 5)
      add(expected, drawn[outcome]);
    else
      rare += expected, rare_drawn += drawn[outcome];
  }
  if (rare >= 5) add(rare, rare_drawn);
  EXPECT_NEAR(total, 1, 1e-9);
  EXPECT_LE(statistic, cells - 1 + 6 * std::sqrt(2 * (cells - 1)));
}

}  // namespace ablate::objectives
