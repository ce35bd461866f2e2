// One entry of "arms", expanded: its settings, then every point of its sweep.

#pragma once

#include <string>
#include <vector>

#include "harness/plan/file/sources.h"

namespace ablate::plan {

/// One arm: a point of a sweep, or an entry that sweeps nothing.
struct SweepPoint {
  std::string name;  // "mlm", "mlm[rate=0.15]"
  std::vector<Assignment> assignments;
};

/// Points that an entry expands to, computed without making any; 0 where it is malformed.
double count_points(const Json& entry);

/// The arms of entry `pointer` ("/arms/1"), whose sweep must have been counted before: `set`, then
/// the product of the grid's paths, the rows of `zip` and the rows of `list`, the last varying
/// fastest.
std::vector<SweepPoint> expand(const Sources& sources, const std::string& pointer, Faults& faults);

/// The paths that an entry varies over, with the pointers of their candidates.
std::vector<Assignment> swept_paths(const Json& entry);

/// A value as an arm's name shows it: 0.15, rotary, true; always the same for the same value.
std::string shortest(const Json& value);

/// Settings of an arm's name in canonical form: "mlm[rate=0.150]" is "mlm[rate=0.15]".
std::string canonical_name(std::string_view name);

}  // namespace ablate::plan
