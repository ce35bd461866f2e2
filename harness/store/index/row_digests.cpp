#include "harness/store/index/row_digests.h"

#include <SQLiteCpp/Statement.h>
#include <fmt/core.h>

#include <bit>
#include <iterator>

#include "harness/base/sha256.h"

namespace ablate::store {
namespace {

/// A table of the index, and the column that names the trial of a row.
struct Table {
  const char* query;
  int trial = -1;  // -1: rows belong to no trial
};

constexpr Table kTables[] = {
    {"SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2, 3"},
    {"SELECT * FROM experiment ORDER BY 1"},
    {"SELECT * FROM arm ORDER BY 1"},
    {"SELECT * FROM trial ORDER BY 1", 0},
    {"SELECT * FROM attempt ORDER BY 1, 2", 0},
    {"SELECT * FROM stage ORDER BY 1, 2", 0},
    {"SELECT * FROM curve ORDER BY 1, 2", 0},
    {"SELECT * FROM checkpoint ORDER BY 1, 2", 0},
    {"SELECT * FROM measurement ORDER BY 1, 2", 0},
    {"SELECT * FROM metric ORDER BY 1, 2, 3", 0},
    {"SELECT * FROM sample ORDER BY 1, 2, 3", 0},
};

/// Appends a value with its type and length, so that no two rows have the same text. Doubles are
/// written by their bits: printed ones would hide a difference in the last digits.
void append(std::string& text, const SQLite::Column& value) {
  if (value.isNull())
    text += "|null";
  else if (value.isInteger())
    fmt::format_to(std::back_inserter(text), "|i{}", value.getInt64());
  else if (value.isFloat())
    fmt::format_to(std::back_inserter(text), "|f{}",
                   std::bit_cast<std::uint64_t>(value.getDouble()));
  else
    fmt::format_to(std::back_inserter(text), "|t{}:{}", value.getBytes(), value.getString());
}

/// Calls `take` with the trial and the text of every row of every table.
template <class Take>
void each_row(SQLite::Database& index, const Take& take) {
  for (const Table& table : kTables) {
    SQLite::Statement row(index, table.query);
    std::string text;
    while (row.executeStep()) {
      text = table.query;
      for (int at = 0; at < row.getColumnCount(); ++at) append(text, row.getColumn(at));
      text += '\n';
      take(table.trial < 0 ? std::string(kPlanRows) : row.getColumn(table.trial).getString(), text);
    }
  }
}

}  // namespace

std::map<std::string, std::string> row_digests(SQLite::Database& index) {
  std::map<std::string, Sha256> hashes;
  each_row(index,
           [&](const std::string& trial, const std::string& text) { hashes[trial].add(text); });
  std::map<std::string, std::string> digests;
  for (auto& [trial, hash] : hashes) digests[trial] = hash.hex();
  return digests;
}

std::string dump_index(SQLite::Database& index) {
  std::string all;
  each_row(index, [&](const std::string&, const std::string& text) { all += text; });
  return all;
}

}  // namespace ablate::store
