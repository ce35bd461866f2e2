#include "harness/store/index/row_digests.h"

#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <array>
#include <bit>
#include <charconv>
#include <functional>
#include <iterator>
#include <string_view>

#include "harness/store/index/fast_hash.h"

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
    {"SELECT * FROM spike ORDER BY 1, 2", 0},
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

/// Hands `take` a value with its type and length, so that no two rows have the same text. Doubles are
/// written by their bits: printed ones would hide a difference in the last digits. `text` holds what is
/// not handed over yet; long texts are not copied into it.
template <class Take>
void write_value(const SQLite::Column& value, std::string& text, const Take& take) {
  constexpr std::size_t kLong = 4096;
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
  if (bytes.size() < kLong) {
    text += bytes;
    return;
  }
  take(std::string_view(text));
  take(bytes);
  text.clear();
}

/// Hands `take` the text of a row, piece by piece. `text`: memory that is used again.
template <class Take>
void write_row(const Table& table, SQLite::Statement& row, std::string& text, const Take& take) {
  text = table.query;
  for (int at = 0; at < row.getColumnCount(); ++at) write_value(row.getColumn(at), text, take);
  text += '\n';
  take(std::string_view(text));
}

/// Calls `take` with every row of every table. The rows of a trial follow one another.
template <class Take>
void each_row(SQLite::Database& index, const Take& take) {
  for (const Table& table : kTables) {
    SQLite::Statement row(index, table.query);
    while (row.executeStep()) take(table, row);
  }
}

}  // namespace

std::map<std::string, std::string> row_digests(SQLite::Database& index) {
  std::map<std::string, std::string, std::less<>> digests;
  auto current = digests.end();
  FastHash hash;
  std::string text;
  each_row(index, [&](const Table& table, SQLite::Statement& row) {
    const std::string_view trial =
        table.trial < 0 ? std::string_view(kPlanRows) : bytes_of(row.getColumn(table.trial));
    if (current == digests.end() || current->first != trial)
      current = digests.try_emplace(std::string(trial)).first;
    hash.add(current->second);  // of the rows before it
    write_row(table, row, text, [&](std::string_view part) { hash.add(part); });
    current->second = hash.hex();
  });
  return {std::make_move_iterator(digests.begin()), std::make_move_iterator(digests.end())};
}

std::string dump_index(SQLite::Database& index) {
  std::string all, text;
  each_row(index, [&](const Table& table, SQLite::Statement& row) {
    write_row(table, row, text, [&](std::string_view part) { all += part; });
  });
  return all;
}

}  // namespace ablate::store
