// The gate: judges a night from its records alone.

#pragma once

#include <filesystem>
#include <vector>

#include "harness/nightly/judge/finding.h"
#include "harness/nightly/measure/night.h"

namespace ablate::nightly {

/// A night and what the gate finds in it, the most urgent findings first.
struct Judged {
  Night night;
  std::vector<Finding> findings;
  Verdict verdict = Verdict::no_data;
};

/// Judges a night's folder; the same records have the same verdict. A regression of a series in
/// quarantine counts as changed until the last day of it, and as a regression afterwards. A series that
/// the night before had and this one has not is no data, unless it was retired. Throws as the readers
/// of its records do.
Judged judge(const std::filesystem::path& night);

/// The series that the latest finished night of a baseline had, or missed; none where there is no
/// night of it. Throws as judge().
LastNight last_night(const Home& home, const std::string& baseline);

/// The verdict as one JSON document: {"night", "date", "commit", "baseline", "pin", "machine",
/// "verdict", "counts", "findings"}.
Json json_of(const Judged& judged);

}  // namespace ablate::nightly
