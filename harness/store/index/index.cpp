#include "harness/store/index/index.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/core.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iostream>
#include <map>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/links.h"
#include "harness/base/parallel/unused_memory.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/posix/network_folder.h"
#include "harness/base/text/shell.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/index_rows.h"
#include "harness/store/index/row_digests.h"
#include "harness/store/index/schema.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

constexpr int kPatienceMs = 30000;  // for another process that is updating the index

/// Of a new index, before its first table. Most of a large one are long texts, which are read and written page by page.
constexpr const char* kPageSize = "PRAGMA page_size = 16384";

fs::path index_file(const fs::path& results) { return results / "index.sqlite"; }

int version_of(SQLite::Database& index) { return index.execAndGet("PRAGMA user_version").getInt(); }

void create_tables(SQLite::Database& index) {
  index.exec(kPageSize);
  SQLite::Transaction whole(index, SQLite::TransactionBehavior::IMMEDIATE);
  if (version_of(index) == 0) {  // no other process was faster
    index.exec(kSchema);
    index.exec("PRAGMA user_version = " + std::to_string(kSchemaVersion));
  }
  whole.commit();
}

/// Turns on the write-ahead log. SQLite does not wait for another process that is turning it on at the
/// same moment, whatever patience the connection has, so this does.
void use_write_ahead_log(SQLite::Database& index) {
  constexpr std::chrono::milliseconds kPause{5};
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
  while (true) try {
      index.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (const SQLite::Exception& error) {
      if (error.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > end) throw;
      std::this_thread::sleep_for(kPause);
    }
}

bool writable(const fs::path& folder) { return ::access(folder.c_str(), W_OK) == 0; }

bool about_damage(const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR ||
         code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH;
}

/// The disk refuses the index, which can then only be made in memory.
struct DiskRefuses : MachineFault {
  using MachineFault::MachineFault;
};

/// Throws std::bad_alloc where SQLite says that it had no memory.
void throw_if_memory(const SQLite::Exception& error) {
  if (error.getErrorCode() == SQLITE_NOMEM || error.getExtendedErrorCode() == SQLITE_IOERR_NOMEM)
    throw std::bad_alloc();
}

/// Does `work` with an index. What SQLite says of the disk is thrown as DiskRefuses, with the system's
/// reason where there is one; what it says of memory, as std::bad_alloc.
template <class Work>
void on_disk(SQLite::Database& index, const fs::path& file, const Work& work) {
  try {
    work();
  } catch (const SQLite::Exception& error) {
    throw_if_memory(error);
    const int code = error.getErrorCode();
    const bool refuses = code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_READONLY ||
                         code == SQLITE_CANTOPEN;
    if (!refuses) throw;
    int reason = code == SQLITE_FULL ? ENOSPC : 0;
    if (reason == 0)
      ::sqlite3_file_control(index.getHandle(), nullptr, SQLITE_FCNTL_LAST_ERRNO, &reason);
    if (reason == 0) reason = ::sqlite3_system_errno(index.getHandle());
    if (reason == 0) reason = EIO;
    throw DiskRefuses(fmt::format("{}: {}: {}", file.string(), error.what(), std::strerror(reason)),
                      reason);
  }
}

/// The files that SQLite may write of an index.
std::vector<fs::path> parts_of(const fs::path& file) {
  std::vector<fs::path> parts;
  for (const char* part : {"", "-wal", "-shm", "-journal"})
    parts.emplace_back(file.string() + part);
  return parts;
}

void remove_index(const fs::path& file) {
  for (const fs::path& part : parts_of(file)) fs::remove(part);  // a link itself
}

/// Checks the version of an index, and makes its tables where it has none.
void prepare(SQLite::Database& index, const fs::path& results) {
  if (version_of(index) > kSchemaVersion)
    fail(
        "{}: was written by a newer version of this program (tables {}; this one knows up to {}); "
        "use that one, or give it up with `ablate doctor {} --rebuild`",
        index_file(results).string(), version_of(index), kSchemaVersion,
        shell_word(results.string()));
  // A crash of the machine may tear the file: every reader checks it against the journals.
  index.exec("PRAGMA synchronous = OFF");
  index.exec("PRAGMA cache_size = -65536");  // 64 MiB
  index.exec("PRAGMA foreign_keys = ON");
  if (version_of(index) == 0) create_tables(index);
  if (version_of(index) < kSchemaVersion) throw IndexDiffers("is of an older version");
}

SQLite::Database open_index(const fs::path& results, bool in_memory) {
  if (!in_memory) std::ranges::for_each(parts_of(index_file(results)), refuse_link);
  SQLite::Database index(in_memory ? ":memory:" : index_file(results).string(),
                         SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX,
                         kPatienceMs);  // no other thread uses the connection
  on_disk(index, index_file(results), [&] { prepare(index, results); });
  return index;
}

/// A copy in memory of the index as it is.
SQLite::Database copied_index(const fs::path& results) {
  std::ranges::for_each(parts_of(index_file(results)), refuse_link);
  SQLite::Database stored(index_file(results).string(),
                          SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, kPatienceMs);
  SQLite::Database copy(":memory:",
                        SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX);
  on_disk(stored, index_file(results), [&] {
    SQLite::Backup copying(copy, stored);
    if (const int code = copying.executeStep(); code != SQLITE_DONE)
      throw SQLite::Exception("could not be copied", code);
  });
  return copy;
}

void read_once(const fs::path& results, const Json& plan, bool in_memory,
               const std::function<void(SQLite::Database&)>& read) {
  SQLite::Database index = open_index(results, in_memory);
  on_disk(index, index_file(results), [&] {
    update_rows(index, plan, results);
    give_back_unused_memory();  // of journals that were read
    // From now on readers do not wait for a writer (on a network the log does not work). It would have every row of a new index written twice.
    if (!in_memory && !is_on_network(results)) use_write_ahead_log(index);
    // One state of the index: another process may bring it further up to date between two statements.
    SQLite::Transaction view(index);
    read(index);
    view.commit();
  });
}

/// What the index holds that is made of these journals; nothing where the stored one is not what this
/// program made.
std::optional<std::string> rows_of(SQLite::Database index, const Json& plan,
                                   const fs::path& results, const ReadBytes& read) {
  try {
    prepare(index, results);
    update_rows(index, plan, results, read);
    return dump_index(index);
  } catch (const IndexDiffers&) {
    return std::nullopt;
  } catch (const SQLite::Exception& error) {
    throw_if_memory(error);
    if (about_damage(error)) return std::nullopt;
    throw;
  }
}

}  // namespace

void read_index(const fs::path& results, const std::function<void(SQLite::Database&)>& read) {
  const Json plan = read_plan(results);  // refuses a folder before an index is made in it
  const fs::path file = index_file(results);
  std::string fault;
  try {
    return read_once(results, plan, !writable(results), read);
  } catch (const DiskRefuses& error) {
    std::cerr << fmt::format("ablate: {}; the results are read from the journals\n", error.what());
    return read_once(results, plan, true, read);
  } catch (const SQLite::Exception& error) {
    if (!about_damage(error)) fail("{}: {}", file.string(), error.what());
    fault = fmt::format("is damaged ({})", error.what());
  } catch (const IndexDiffers& error) {
    fault = error.what();
  }
  std::cerr << fmt::format("ablate: {} {}; it is rebuilt from the journals, nothing is lost\n",
                           file.string(), fault);
  remove_index(file);
  read_once(results, plan, false, read);
}

bool index_agrees(const fs::path& results) {
  if (!writable(results)) return true;  // nobody reads the stored one there
  const Json plan = read_plan(results);
  // Workers may be writing: both indexes are made of what the journals hold now.
  std::map<fs::path, std::string> journals;
  for (const auto& [name, folder] : listed_trials(results)) {
    const fs::path file = folder / kJournalName;
    if (std::string bytes; read_bytes(file, bytes)) journals.emplace(file, std::move(bytes));
  }
  const ReadBytes read = [&](const fs::path& file, std::string& bytes) {
    const auto found = journals.find(file);
    if (found == journals.end()) return false;
    bytes = found->second;
    return true;
  };
  const std::optional<std::string> kept = rows_of(copied_index(results), plan, results, read);
  return kept && *kept == rows_of(open_index(results, true), plan, results, read);
}

void rebuild_index(const fs::path& results) {
  const Json plan = read_plan(results);
  remove_index(index_file(results));
  try {
    read_once(results, plan, false, [](SQLite::Database&) {});
  } catch (const SQLite::Exception& error) {
    fail("{}: {}", index_file(results).string(), error.what());
  }
}

}  // namespace ablate::store
