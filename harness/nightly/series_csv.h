// Benchmarks' times as CSV, from and for other systems: "time,commit,series,value".

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/nightly/measure/home.h"

namespace ablate::nightly {

/// One row for each night and benchmark of a machine: when it was measured (UTC), the commit, the
/// benchmark and the median of tonight's program in seconds. The earliest night first. A night whose
/// repetitions are not all positive numbers has no row.
std::string series_csv(const Home& home, const std::string& fingerprint);

/// Makes a night of each time and commit in a table with the columns time, commit, series and value
/// (in any order, others are passed over), with the machine "imported". A time is
/// 2026-11-23 or 2026-11-23T02:30:00Z, a value seconds. The same table again changes nothing. Returns
/// the number of nights. Throws std::invalid_argument, with the line, for a table that is none, and
/// where a night of that name was measured here; nothing is then written.
std::int64_t import_csv(const Home& home, std::string_view table, const std::string& name);

/// The machine of nights that were imported.
inline constexpr const char* kImported = "imported";

}  // namespace ablate::nightly
