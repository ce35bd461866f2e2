// The SQLite index of a results folder, which can be rebuilt from its journals at any time.

#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <functional>
#include <string>

namespace ablate::store {

/// Updates the index from plan and journals, then calls `read` with it. A journal whose size and
/// time have not changed is not read again. A damaged index is rebuilt, with a note on standard
/// error, and `read` is called again. In a folder that cannot be written, the index is built in
/// memory. Throws DamagedFile for a damaged plan or journal, std::runtime_error for a folder
/// without results and for an index that was written by a newer version of the program.
void read_index(const std::filesystem::path& results,
                const std::function<void(SQLite::Database&)>& read);

/// Whether the index, after an update, equals one that is built from scratch.
bool index_agrees(const std::filesystem::path& results);

/// All rows of all tables as text, in an order that does not depend on that of insertion.
std::string dump_index(SQLite::Database& index);

/// Removes the index, of whatever version, and builds it again.
void rebuild_index(const std::filesystem::path& results);

}  // namespace ablate::store
