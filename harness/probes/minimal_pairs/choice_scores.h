// How often the right completion scores highest. Without LibTorch.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ablate::probes {

/// One question of the minimal-pairs probe.
struct ChoiceItem {
  std::size_t group = 0, field = 0;
  std::size_t first = 0;  // index of its first completion among all completions
  std::size_t count = 2;  // of completions
  std::size_t right = 0;  // index of the right one among its own
};

/// The credit of each item, in [0, 1]: 1 where the right completion has the lowest cost, and 1 / k
/// where k completions share the lowest, the right one among them, as by lowest_shared(). `costs`: of all completions.
std::vector<double> credits_of(std::span<const ChoiceItem> items, std::span<const double> costs);

/// A mean over groups, each of which counts alike.
struct GroupMean {
  double mean = 0;
  double error = 0;  // standard error of drawing other items of the same groups
};

/// The mean over groups of the mean credit of each group's items. Groups without items do not count;
/// 0 where there are none. The error is what an item bootstrap within groups estimates, in closed
/// form. `included`: which items count; empty: all of them.
GroupMean group_mean(std::span<const ChoiceItem> items, std::span<const double> credits,
                     std::span<const std::uint8_t> included = {});

}  // namespace ablate::probes
