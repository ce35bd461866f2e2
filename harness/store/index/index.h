// The SQLite index of a results folder: made from its journals, and always able to be made again.

#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <functional>
#include <string>

namespace ablate::store {

/// Brings the index up to date with plan and journals, then reads from it. A journal whose size and
/// time have not changed is not read again. An index that is damaged is made anew, with a note on
/// standard error, and `read` is called again; one in a folder that cannot be written is made in
/// memory. Throws DamagedFile for a damaged plan or journal, std::runtime_error for a folder
/// without results and for an index that a newer version of the program wrote.
void read_index(const std::filesystem::path& results,
                const std::function<void(SQLite::Database&)>& read);

/// Whether the index, brought up to date, holds exactly what one made anew would hold.
bool index_agrees(const std::filesystem::path& results);

/// Every row of every table as text, in an order that does not depend on how they came to be there.
std::string dump_index(SQLite::Database& index);

/// Removes the index, of whatever version, and makes it anew.
void rebuild_index(const std::filesystem::path& results);

}  // namespace ablate::store
