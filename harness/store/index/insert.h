// Inserts rows whose values are bound as parameters: what is stored never becomes part of the SQL.

#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/json/json.h"

namespace ablate::store {

/// The text must live until the row is there.
inline void bind(SQLite::Statement& row, int at, const std::string& value) {
  row.bindNoCopy(at, value);
}
inline void bind(SQLite::Statement& row, int at, std::int64_t value) { row.bind(at, value); }
inline void bind(SQLite::Statement& row, int at, bool value) { row.bind(at, value ? 1 : 0); }
/// Binds a number; NaN becomes NULL, because SQLite stores infinities but not NaN.
inline void bind(SQLite::Statement& row, int at, double value) { row.bind(at, value); }
inline void bind(SQLite::Statement& row, int at, const Json& value) {
  if (value.is_null()) return row.bind(at);
  row.bind(at, canonical(value));  // copied
}

/// Binds a value that may be absent, which becomes NULL.
template <class Value>
void bind(SQLite::Statement& row, int at, const std::optional<Value>& value) {
  if (value)
    bind(row, at, *value);
  else
    row.bind(at);
}

/// Executes `sql` with its parameters bound in order.
template <class... Values>
void execute(SQLite::Database& index, const char* sql, const Values&... values) {
  SQLite::Statement row(index, sql);
  int at = 0;
  (bind(row, ++at, values), ...);
  row.exec();
}

/// Inserts many rows with one prepared statement.
class Insert {
 public:
  Insert(SQLite::Database& index, const char* sql) : row_(index, sql) {}

  template <class... Values>
  void operator()(const Values&... values) {
    int at = 0;
    (bind(row_, ++at, values), ...);
    row_.exec();
    row_.reset();
  }

 private:
  SQLite::Statement row_;
};

}  // namespace ablate::store
