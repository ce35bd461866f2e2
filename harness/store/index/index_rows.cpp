#include "harness/store/index/index_rows.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/base/sha256.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"

namespace ablate::store {
namespace {

void bind(SQLite::Statement& row, int at, const std::string& value) { row.bind(at, value); }
void bind(SQLite::Statement& row, int at, std::int64_t value) { row.bind(at, value); }
void bind(SQLite::Statement& row, int at, bool value) { row.bind(at, value ? 1 : 0); }
/// Binds a number; NaN becomes NULL, because SQLite stores infinities but not NaN.
void bind(SQLite::Statement& row, int at, double value) { row.bind(at, value); }
void bind(SQLite::Statement& row, int at, const Json& value) {
  if (value.is_null()) return row.bind(at);
  row.bind(at, canonical(value));
}

/// Executes `sql` with its parameters bound in order; what is stored never becomes part of the SQL.
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

/// Size and time of a journal, which show without reading it whether it has changed.
struct Stamp {
  std::int64_t bytes = 0;
  std::int64_t modified = 0;  // nanoseconds
  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::filesystem::path& journal) {
  struct stat about {};
  if (::stat(journal.c_str(), &about) != 0) return {};
  return {about.st_size, about.st_mtim.tv_sec * std::int64_t{1000000000} + about.st_mtim.tv_nsec};
}

void put_metric(Insert& insert, const std::string& trial, const std::string& measurement,
                const std::string& name, double value) {
  const std::string kind =
      std::isfinite(value) ? "finite" : number_to_json(value).get<std::string>();
  insert(trial, measurement, name, std::isfinite(value) ? Json(value) : Json(), kind);
}

void put_measurements(SQLite::Database& index, const std::string& id, const TrialState& state,
                      const std::vector<std::string>& planned) {
  Insert measurement(index, "INSERT INTO measurement VALUES(?, ?, ?, ?, ?, ?, ?)");
  Insert metric(index, "INSERT INTO metric VALUES(?, ?, ?, ?, ?)");
  Insert sample(index, "INSERT INTO sample VALUES(?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const StoredMeasurement& made : state.measurements) {
    const bool wanted = std::find(planned.begin(), planned.end(), made.id) != planned.end();
    measurement(id, made.id, ++number, made.attempt, made.probe, wanted, made.details);
    for (const auto& [name, value] : made.metrics) put_metric(metric, id, made.id, name, value);
    std::int64_t at = 0;
    for (const Sample& text : made.samples) sample(id, made.id, ++at, text.text, text.about);
  }
}

void put_history(SQLite::Database& index, const std::string& id, const TrialState& state) {
  Insert attempt(index, "INSERT INTO attempt VALUES(?, ?, ?, ?, ?, ?, ?)");
  for (const Attempt& one : state.attempts)
    attempt(id, one.number, one.started, one.ended,
            one.outcome.empty() ? Json() : Json(one.outcome), one.message, one.provenance);
  Insert stage(index, "INSERT INTO stage VALUES(?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const StoredStage& one : state.stages)
    stage(id, ++number, one.attempt, one.stage, one.seconds);
  Insert curve(index, "INSERT INTO curve VALUES(?, ?, ?, ?, ?, ?, ?)");
  for (const CurvePoint& point : state.curve)
    curve(id, point.step, point.text_tokens, point.loss, point.learning_rate, point.gradient_norm,
          point.spike);
  Insert checkpoint(index, "INSERT INTO checkpoint VALUES(?, ?, ?, ?, ?)");
  for (const StoredCheckpoint& one : state.checkpoints)
    checkpoint(id, one.step, one.attempt, one.file, one.sha256);
}

void put_trial(SQLite::Database& index, const Json& trial, std::int64_t position,
               const TrialState& state, const Stamp& stamp) {
  const std::string id = trial.at("id");
  execute(index, "DELETE FROM trial WHERE id = ?", id);
  execute(index, "INSERT INTO trial VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", id, position,
          trial.at("arm").get<std::string>(), trial.at("seed").get<std::int64_t>(), state.outcome,
          state.message, static_cast<std::int64_t>(state.attempts.size()),
          trial.value("steps", std::int64_t{0}), state.seconds(), trial.value("config", Json()),
          state.ledger, stamp.bytes, stamp.modified);
  put_history(index, id, state);
  put_measurements(index, id, state, measurement_ids(trial));
}

void put_plan(SQLite::Database& index, const Json& plan, const std::string& sum) {
  for (const char* table : {"trial", "arm", "experiment"})
    index.exec(std::string("DELETE FROM ") + table);
  execute(index, "INSERT INTO experiment VALUES(?, ?, ?, ?)",
          plan.at("experiment").get<std::string>(), plan.value("question", std::string()),
          canonical(plan), sum);
  std::int64_t position = 0;
  for (const Json& arm : plan.at("arms"))
    execute(index, "INSERT INTO arm VALUES(?, ?, ?)", arm.at("name").get<std::string>(), ++position,
            arm.value("baseline", false));
}

/// The stamps of all trials that have rows, in one query.
std::map<std::string, Stamp> stored_stamps(SQLite::Database& index) {
  std::map<std::string, Stamp> stamps;
  SQLite::Statement row(index, "SELECT id, journal_bytes, journal_modified FROM trial");
  while (row.executeStep())
    stamps[row.getColumn(0)] = {row.getColumn(1).getInt64(), row.getColumn(2).getInt64()};
  return stamps;
}

bool same_plan(SQLite::Database& index, const std::string& sum) {
  SQLite::Statement row(index, "SELECT 1 FROM experiment WHERE plan_sha256 = ?");
  row.bind(1, sum);
  return row.executeStep();
}

}  // namespace

void update_rows(SQLite::Database& index, const std::filesystem::path& results) {
  const Json plan = read_plan(results);
  const std::string sum = sha256(canonical(plan));
  SQLite::Transaction whole(index, SQLite::TransactionBehavior::IMMEDIATE);
  if (!same_plan(index, sum)) put_plan(index, plan, sum);
  const auto stamps = stored_stamps(index);
  std::int64_t position = 0;
  for (const Json& trial : plan.at("trials")) {
    ++position;
    const auto journal = journal_file(results, trial.at("id"));
    const Stamp stamp = stamp_of(journal);  // before reading: later changes are seen next time
    const auto stored = stamps.find(trial.at("id"));
    if (stored != stamps.end() && stored->second == stamp) continue;
    put_trial(index, trial, position, read_trial_state(journal), stamp);
  }
  whole.commit();
}

}  // namespace ablate::store
