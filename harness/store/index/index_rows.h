// From plan and journals to the rows of the index.

#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace ablate::store {

/// Makes every row that is not of the plan and the journals as they are now, in one transaction.
void update_rows(SQLite::Database& index, const std::filesystem::path& results);

}  // namespace ablate::store
