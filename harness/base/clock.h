// The time of day, for records.

#pragma once

#include <string>

namespace ablate {

/// The time in UTC to the millisecond: "2024-03-01T12:00:00.000Z".
std::string utc_now();

}  // namespace ablate
