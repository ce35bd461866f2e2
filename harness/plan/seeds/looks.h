// The looks of an experiment that is run until it is decided: planned before the first trial, and
// kept in the plan so that nothing is tested as if it had been looked at once.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/trial/plan.h"
#include "harness/statistics/sequential/looks.h"

namespace ablate::plan {

/// How far an experiment may go, from the command line.
struct LookLimits {
  std::optional<std::int64_t> cap;    // seeds at the last look; none: three times the first look
  std::optional<std::int64_t> group;  // seeds that a look adds; none: half of the first look
};

/// The looks of an experiment: the first has the seeds of its plan, or as many as it takes to find
/// any difference. Throws std::invalid_argument where nothing is compared, the cap is below the
/// first look, or no look up to it could find a difference.
statistics::Looks planned_looks(const Plan& plan, const LookLimits& limits);

/// The seeds of the experiment with as many seeds as a look has: its own, then the numbers after the
/// largest. Throws std::invalid_argument if it has more than that.
std::vector<std::int64_t> seeds_of_look(const Plan& plan, std::int64_t count);

/// Records in a plan its looks and that `begun` of them have begun. What the plan says about its
/// seeds is replaced by what the looks can show.
void set_looks(Plan& plan, const statistics::Looks& looks, std::size_t begun);

/// "Looks after 8, 12 and 16 seeds: ...": what the looks can show, and how many seeds that takes.
std::string looks_sentence(const Plan& plan, const statistics::Looks& looks);

}  // namespace ablate::plan
