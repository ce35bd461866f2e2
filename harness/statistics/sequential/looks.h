// The looks of a group-sequential test: after how many seeds the differences are tested, and which
// part of alpha each test may take.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ablate::statistics {

/// The numbers of seeds at which the differences are tested, ascending. The last one is the cap.
using Looks = std::vector<std::int64_t>;

/// The looks after `first` seeds and then after each `group` more, up to `cap` seeds; the last group
/// may be smaller. Requires: 1 <= first <= cap and 1 <= group.
Looks looks_between(std::int64_t first, std::int64_t group, std::int64_t cap);

/// The part of alpha that each look may take: the fraction of the seeds at the cap that it adds. They
/// add up to 1. Source: Kim and DeMets 1987, Biometrika 74(1), whose spending function alpha t^rho
/// has rho = 1 here.
std::vector<double> look_weights(const Looks& looks);

/// The fewest seeds of a first look that can find a difference at `level`, if the last look has
/// `cap` seeds; none if not even one look with `cap` seeds can.
std::optional<std::int64_t> fewest_for_first_look(std::int64_t cap, double level);

}  // namespace ablate::statistics
