// A whole report in one file, to be handed in beside a paper.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/store/index/records.h"

namespace ablate::reports {

/// Writes the archive `to`: in its folder report/ the files of these names in `folder`, and beside it plan.json, the frozen plan;
/// experiment.json, the experiment file, with what it extends in experiment/; settings.json, every setting of every arm,
/// resolved; and JOURNALS.sha256, the hash of each trial's journal, for `sha256sum -c` in the results
/// folder. Sorted by name and dated 1980, so
/// that the same records make the same bytes. Throws MachineFault where it cannot be written.
void write_archive(const store::Records& records, const std::filesystem::path& folder,
                   const std::vector<std::string>& files, const std::filesystem::path& to);

}  // namespace ablate::reports
