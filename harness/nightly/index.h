// All nights as one SQLite database, for those who query: HOME/nightly.sqlite. The records of the
// nights are the truth; the index is made of them anew each time.

#pragma once

#include <filesystem>

#include "harness/nightly/history.h"

namespace ablate::nightly {

/// Writes HOME/nightly.sqlite, all of it or nothing, and returns its path. `history` gives the
/// steps. docs/nightly.md has the tables. Throws as the readers of the records do, and
/// std::runtime_error where the disk does not take it.
std::filesystem::path write_index(const Home& home, const History& history);

}  // namespace ablate::nightly
