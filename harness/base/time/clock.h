// The time of day, for records.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ablate {

/// The time in UTC to the millisecond: "2024-03-01T12:00:00.000Z".
std::string utc_now();

/// Milliseconds from the beginning of 1970 to a time that utc_now() gave; empty for any other text.
std::optional<std::int64_t> milliseconds_since_1970(const std::string& utc);

}  // namespace ablate
