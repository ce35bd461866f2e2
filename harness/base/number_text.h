// Numbers and durations as text for a person.

#pragma once

#include <string>

namespace ablate {

/// The number with `digits` significant digits, without trailing zeros: "0.0312", "14.2",
/// "2.5e+12"; "nan", "inf".
std::string significant(double value, int digits = 4);

/// A bound or a value of a setting: whole numbers below 1e9 in full, others with six significant
/// digits: "1048576", "1e+12", "0.9".
std::string plain_number(double value);

/// The number with three significant digits and a unit: "999", "17.3k", "1.25M".
std::string short_number(double value);

/// A duration in its two largest units: "42 s", "3 min 05 s", "2 h 07 min". Not finite, or over
/// 1e9 seconds: "unknown".
std::string duration_text(double seconds);

/// An estimate in one unit, rounded up: "80 s", "12 min", "1.6 h". Requires: seconds >= 0.
std::string estimate_text(double seconds);

}  // namespace ablate
