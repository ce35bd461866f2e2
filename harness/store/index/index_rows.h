// Writes plan and journals to the rows of the index.

#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <stdexcept>

#include "harness/base/json/json.h"
#include "harness/store/index/journal_read.h"

namespace ablate::store {

/// The index is not what this program made of plan and journals.
struct IndexDiffers : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Updates the rows of the plan, whose document read_plan() gave, and of journals that have changed, and
/// verifies all others by the digests that were kept with them, in one transaction. Throws
/// IndexDiffers where rows are not what was written, or SQLite finds the file inconsistent. `read`
/// gives the journals, from several threads.
void update_rows(SQLite::Database& index, const Json& document,
                 const std::filesystem::path& results, const ReadBytes& read = read_bytes);

}  // namespace ablate::store
