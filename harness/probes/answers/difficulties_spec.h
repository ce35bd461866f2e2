// The difficulties at which the answers of a task are measured, and what they are called. Without LibTorch.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/data/tasks/task_text.h"

namespace ablate::probes {

/// The difficulties that have metrics of their own: all that models are asked about, where these are
/// several or not those of training.
std::vector<std::int64_t> listed_difficulties(const data::TaskText& text);

/// Whether training documents have this difficulty.
bool is_trained(const data::TaskText& text, std::int64_t difficulty);

/// The difficulties that the metrics without one are of: those that training has, too; where there is
/// none, all.
std::vector<std::int64_t> common_difficulties(const data::TaskText& text);

/// The last part of a metric's name, such as "pairs_8".
std::string name_of_difficulty(const data::TaskText& text, std::int64_t difficulty);

}  // namespace ablate::probes
