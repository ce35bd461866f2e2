// The SQLite index of a results folder, which can be rebuilt from its journals at any time.

#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <functional>
#include <string>

namespace ablate::store {

/// Updates the index from plan and journals, verifies it, then calls `read` with one state of it. The journals
/// are the truth: an index that is damaged, or whose rows are not what was made of the journals, is
/// rebuilt, with a note on standard error, and `read` is called again. In a folder that cannot be written, or on a full
/// disk, the index is built in memory. Throws DamagedFile for a damaged plan or journal and for links in the place of the index, std::runtime_error for a folder
/// without results and for an index that was written by a newer version of the program.
void read_index(const std::filesystem::path& results,
                const std::function<void(SQLite::Database&)>& read);

/// Whether the index, after an update, equals one that is built from scratch of the same journals, which may be
/// written to meanwhile. Works on a copy in memory; writes nothing.
bool index_agrees(const std::filesystem::path& results);

/// Removes the index, of whatever version, and builds it again. Throws MachineFault where the disk does
/// not take it.
void rebuild_index(const std::filesystem::path& results);

}  // namespace ablate::store
