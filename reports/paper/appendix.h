// What a paper's appendix says so that others can do the same again.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A heading and what stands under it, raw.
struct AppendixEntry {
  std::string heading;
  std::string text;
  bool is_code = false;  // a command, hashes: set in a fixed width, and broken anywhere
};

/// The statements that checklists of venues ask for, from the records alone: seeds, error bars,
/// compute, hardware, code and versions, exact command, data with licences, hashes, failures. What
/// no record has is said to be missing. `plan`: the frozen plan.
std::vector<AppendixEntry> reproducibility(const Analysis& analysis);

/// The same as LaTeX, for an appendix.
std::string appendix(const std::vector<AppendixEntry>& statements);

}  // namespace ablate::reports
