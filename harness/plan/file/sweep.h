// Expands an entry of "arms" into one arm for each point of its sweep.

#pragma once

#include <string>
#include <vector>

#include "harness/plan/file/sources.h"

namespace ablate::plan {

/// One arm: a point of a sweep, or an entry without a sweep.
struct SweepPoint {
  std::string name;  // such as "mlm" or "mlm[rate=0.15]"
  std::vector<Assignment> assignments;
  std::string label;  // what reports call it; empty: its name
};

/// The number of points that an entry expands to, computed without making them; 0 if the entry is
/// malformed.
double count_points(const Json& entry);

/// The arms of the entry at `pointer` ("/arms/1"). Each has the settings of `set` and one
/// combination of the grid's candidates, the rows of `zip` and the rows of `list`, the last varying
/// fastest. In its label, "{rate}" stands for the value of the swept path with that short name;
/// adds a fault for any other name. Requires: count_points() is within the limits.
std::vector<SweepPoint> expand(const Sources& sources, const std::string& pointer, Faults& faults);

/// The paths that an entry sweeps over; only `path` is set.
std::vector<Assignment> swept_paths(const Json& entry);

/// A value as arm names show it, such as 0.15, rotary or true. Equal values give equal text.
std::string shortest(const Json& value);

/// An arm's name with its values in canonical form: "mlm[rate=0.150]" becomes "mlm[rate=0.15]".
std::string canonical_name(std::string_view name);

}  // namespace ablate::plan
