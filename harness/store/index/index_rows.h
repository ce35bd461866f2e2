// Writes plan and journals to the rows of the index.

#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace ablate::store {

/// Updates all rows from the plan and the journals, in one transaction.
void update_rows(SQLite::Database& index, const std::filesystem::path& results);

}  // namespace ablate::store
