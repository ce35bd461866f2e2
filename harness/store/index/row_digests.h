// Digests of the rows of the index, which show whether they are still what was written.

#pragma once

#include <SQLiteCpp/Database.h>

#include <map>
#include <string>

namespace ablate::store {

/// The name under which row_digests() has the rows that belong to no trial: no trial has this id.
constexpr const char* kPlanRows = "";

/// A digest (FastHash) of the rows of each trial, by its id, and of the tables' definitions with the rows
/// of the plan, under kPlanRows.
std::map<std::string, std::string> row_digests(SQLite::Database& index);

/// All rows of all tables as text, in an order that does not depend on that of insertion.
std::string dump_index(SQLite::Database& index);

}  // namespace ablate::store
