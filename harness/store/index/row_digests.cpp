#include "harness/store/index/row_digests.h"

#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <array>
#include <bit>
#include <charconv>
#include <functional>
#include <string_view>

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
    {"SELECT * FROM curve_text ORDER BY 1", 0},
    {"SELECT * FROM checkpoint ORDER BY 1, 2", 0},
    {"SELECT * FROM measurement ORDER BY 1, 2", 0},
    {"SELECT * FROM metric ORDER BY 1, 2, 3", 0},
    {"SELECT * FROM sample ORDER BY 1, 2, 3", 0},
};

/// The bytes of a text or blob, until the next row is read.
std::string_view bytes_of(const SQLite::Column& value) {
  const auto* const first = static_cast<const char*>(value.getBlob());
  return first == nullptr ? std::string_view()
                          : std::string_view(first, static_cast<std::size_t>(value.getBytes()));
}

/// Appends a mark and a whole number. There are tens of millions of them in a large index.
template <class Integer>
void append_number(std::string& text, std::string_view mark, Integer number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text += mark;
  text.append(digits.data(), end);
}

/// Appends a value with its type and length, so that no two rows have the same text. Doubles are
/// written by their bits: printed ones would hide a difference in the last digits.
void append(std::string& text, const SQLite::Column& value) {
  switch (value.getType()) {
    case SQLITE_NULL:
      text += "|null";
      return;
    case SQLITE_INTEGER:
      return append_number(text, "|i", value.getInt64());
    case SQLITE_FLOAT:
      return append_number(text, "|f", std::bit_cast<std::uint64_t>(value.getDouble()));
    default:
      break;
  }
  const std::string_view bytes = bytes_of(value);
  append_number(text, "|t", bytes.size());
  text += ':';
  text += bytes;
}

/// Calls `take` with the trial and the text of every row of every table. The rows of a trial follow
/// one another.
template <class Take>
void each_row(SQLite::Database& index, const Take& take) {
  for (const Table& table : kTables) {
    SQLite::Statement row(index, table.query);
    const int columns = row.getColumnCount();
    std::string text;
    while (row.executeStep()) {
      text = table.query;
      for (int at = 0; at < columns; ++at) append(text, row.getColumn(at));
      text += '\n';
      take(table.trial < 0 ? std::string_view(kPlanRows) : bytes_of(row.getColumn(table.trial)),
           text);
    }
  }
}

}  // namespace

std::map<std::string, std::string> row_digests(SQLite::Database& index) {
  std::map<std::string, Sha256, std::less<>> hashes;
  auto current = hashes.end();
  each_row(index, [&](std::string_view trial, const std::string& text) {
    if (current == hashes.end() || current->first != trial)
      current = hashes.try_emplace(std::string(trial)).first;
    current->second.add(text);
  });
  std::map<std::string, std::string> digests;
  for (auto& [trial, hash] : hashes) digests[trial] = hash.hex();
  return digests;
}

std::string dump_index(SQLite::Database& index) {
  std::string all;
  each_row(index, [&](std::string_view, const std::string& text) { all += text; });
  return all;
}

}  // namespace ablate::store
