// The table of factors of an update that a device makes for all lanes.

#pragma once

#include <cstdint>

namespace ablate::train {

/// Rows of the table; it has one column for each lane. The value moves by
/// mean / (to_root * root + to_epsilon), where root is that of the mean square: dividing both by
/// the negative step size saves a pass over memory. A clip of 0 clips nothing; a lane whose
/// `updated` is 0 is not updated.
enum Row : std::int64_t { fresh1, fresh2, kept, to_epsilon, to_root, clip, updated };

constexpr std::int64_t kFactorRows = updated + 1;

}  // namespace ablate::train
