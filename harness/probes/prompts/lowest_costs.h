// Which of several costs is the lowest, where some may be equal. Without LibTorch.

#pragma once

#include <span>
#include <vector>

namespace ablate::probes {

/// Costs that differ by no more than this fraction of the largest are equal: networks compute in single precision,
/// and the same passage costs a little more or less in another batch.
inline constexpr double kCostRounding = 1e-6;

/// The fraction of an item that each of its answers gets: the one with the lowest cost all of it; answers
/// that share the lowest cost share it. Requires: a cost, all finite.
std::vector<double> lowest_shared(std::span<const double> costs);

}  // namespace ablate::probes
