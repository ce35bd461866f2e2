#include "harness/store/index/index_rows.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/parallel/ahead.h"
#include "harness/base/sha256.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/curve_text.h"
#include "harness/store/index/insert.h"
#include "harness/store/index/row_digests.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"
#include "harness/store/journal/measurement_ids.h"

namespace ablate::store {
namespace {

void put_metric(Insert& insert, const std::string& trial, const std::string& measurement,
                const std::string& name, double value) {
  const std::string kind =
      std::isfinite(value) ? "finite" : number_to_json(value).get<std::string>();
  insert(trial, measurement, name, std::isfinite(value) ? Json(value) : Json(), kind);
}

void put_measurements(SQLite::Database& index, const std::string& id, const TrialState& state,
                      const std::vector<std::string>& planned) {
  Insert measurement(index, "INSERT INTO measurement VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Insert metric(index, "INSERT INTO metric VALUES(?, ?, ?, ?, ?)");
  Insert sample(index, "INSERT INTO sample VALUES(?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const StoredMeasurement& made : state.measurements) {
    const bool wanted = std::find(planned.begin(), planned.end(), made.id) != planned.end();
    const auto used = [&](double TrainingPoint::*quantity) {
      return made.at ? std::optional((*made.at).*quantity) : std::nullopt;
    };
    measurement(id, made.id, ++number, made.attempt, made.probe, wanted,
                made.at ? std::optional(made.at->step) : std::nullopt,
                used(&TrainingPoint::text_tokens), used(&TrainingPoint::targets),
                used(&TrainingPoint::flops), used(&TrainingPoint::seconds), made.details);
    for (const auto& [name, value] : made.metrics) put_metric(metric, id, made.id, name, value);
    std::int64_t at = 0;
    for (const Sample& text : made.samples) sample(id, made.id, ++at, text.text, text.about);
  }
}

/// What the journal of a planned trial says.
struct JournalRead {
  std::string sum;                  // SHA-256 of its bytes
  std::optional<TrialState> state;  // empty where the sum is known
};

void put_history(SQLite::Database& index, const std::string& id, const TrialState& state) {
  Insert attempt(index, "INSERT INTO attempt VALUES(?, ?, ?, ?, ?, ?, ?)");
  for (const Attempt& one : state.attempts)
    attempt(id, one.number, one.started, one.ended,
            one.outcome.empty() ? Json() : Json(one.outcome), one.message, one.provenance);
  Insert stage(index, "INSERT INTO stage VALUES(?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const StoredStage& one : state.stages)
    stage(id, ++number, one.attempt, one.stage, one.seconds);
  Insert checkpoint(index, "INSERT INTO checkpoint VALUES(?, ?, ?, ?, ?)");
  for (const StoredCheckpoint& one : state.checkpoints)
    checkpoint(id, one.step, one.attempt, one.file, one.sha256);
}

void put_trial(SQLite::Database& index, const Json& trial, std::int64_t position,
               const JournalRead& journal) {
  const TrialState& state = *journal.state;
  const std::string id = trial.at("id");
  const std::vector<std::string> planned = measurement_ids(trial.value("probes", Json::array()));
  execute(index, "DELETE FROM trial WHERE id = ?", id);
  execute(index, "INSERT INTO trial VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", id, position,
          trial.at("arm").get<std::string>(), integer_in(trial.at("seed")), state.outcome,
          state.message, state.missing(planned), static_cast<std::int64_t>(state.attempts.size()),
          integer_in(trial, "steps", 0), state.seconds(), trial.value("config", Json()),
          state.ledger);
  put_history(index, id, state);
  if (!state.curve.empty())
    execute(index, "INSERT INTO curve_text VALUES(?, ?)", id, state.curve.text());
  put_measurements(index, id, state, planned);
}

void put_plan(SQLite::Database& index, const Json& plan) {
  for (const char* table : {"digest", "trial", "arm", "experiment"})
    index.exec(std::string("DELETE FROM ") + table);
  execute(index, "INSERT INTO experiment VALUES(?, ?, ?)", plan.at("experiment").get<std::string>(),
          plan.value("question", std::string()), canonical(plan));
  std::int64_t position = 0;
  for (const Json& arm : plan.at("arms"))
    execute(index, "INSERT INTO arm VALUES(?, ?, ?)", arm.at("name").get<std::string>(), ++position,
            arm.value("baseline", false));
}

/// What was kept about a trial, or about the plan, when its rows were written.
struct Digest {
  std::string source;  // SHA-256 of the journal's bytes, or of the plan
  std::string rows;    // SHA-256 of the rows, see row_digests()
};

std::map<std::string, Digest> stored_digests(SQLite::Database& index) {
  std::map<std::string, Digest> digests;
  SQLite::Statement row(index, "SELECT trial, journal_sha256, rows_sha256 FROM digest");
  while (row.executeStep())
    digests[row.getColumn(0)] = {row.getColumn(1).getString(), row.getColumn(2).getString()};
  return digests;
}

void check_integrity(SQLite::Database& index) {
  const std::string answer = index.execAndGet("PRAGMA integrity_check").getString();
  if (answer != "ok") throw IndexDiffers("is damaged (" + answer + ")");
}

/// Throws where the trial that a journal has recorded is set up otherwise than the planned one: its
/// id, a hash of the configuration, says that they are the same.
void check_config(const Json& planned, const TrialState& state, const std::filesystem::path& file) {
  const Json none;
  const Json& wanted = planned.value("config", none);
  const Json recorded = state.trial.is_object() ? state.trial.value("config", none) : none;
  if (recorded.is_null() || wanted.is_null() || recorded == wanted) return;
  damaged(
      "{}: has another configuration of trial {} than the plan; one of the two files is damaged",
      file.string(), planned.at("id").get<std::string>());
}

JournalRead read_journal_of(const Json& trial, const std::filesystem::path& journal,
                            const std::string& known) {
  const std::string bytes = std::filesystem::exists(journal) ? read_file(journal) : "";
  JournalRead read{.sum = sha256(bytes)};
  if (read.sum == known) return read;
  read.state = trial_state(bytes, journal);
  check_config(trial, *read.state, journal);
  return read;
}

/// Writes the rows of every trial whose journal is not the one of its stored digest, and returns
/// the hashes of these journals by trial. Journals are read by all processors, a few ahead; a trial
/// without one needs no thread.
std::map<std::string, std::string> update_trials(SQLite::Database& index, const Json& plan,
                                                 const std::filesystem::path& results,
                                                 const std::map<std::string, Digest>& stored) {
  const Json& trials = plan.at("trials");
  const auto read = [&](const Json& trial) {
    const std::string id = trial.at("id");
    const auto known = stored.find(id);
    return read_journal_of(trial, journal_file(results, id),
                           known == stored.end() ? "" : known->second.source);
  };
  std::map<std::string, std::string> updated;
  std::size_t at = 0;
  Ahead<JournalRead> journals([&](JournalRead journal) {
    const Json& trial = trials[at++];
    if (!journal.state) return;
    put_trial(index, trial, static_cast<std::int64_t>(at), journal);
    updated[trial.at("id")] = std::move(journal.sum);
  });
  for (const Json& trial : trials) {
    const bool begun = std::filesystem::exists(journal_file(results, trial.at("id")));
    journals.run([&read, &trial] { return read(trial); }, !begun);
  }
  journals.finish();
  return updated;
}

/// Keeps the digests of rows that were just written, and compares all others with those kept.
void settle_digests(SQLite::Database& index, const std::map<std::string, Digest>& stored,
                    const std::map<std::string, std::string>& updated) {
  const std::map<std::string, std::string> present = row_digests(index);
  Insert keep(index, "INSERT OR REPLACE INTO digest VALUES(?, ?, ?)");
  for (const auto& [trial, rows] : present) {
    const auto fresh = updated.find(trial);
    if (fresh != updated.end()) {
      keep(trial, fresh->second, rows);
      continue;
    }
    const auto kept = stored.find(trial);
    if (kept == stored.end() || kept->second.rows != rows)
      throw IndexDiffers(trial == kPlanRows ? "differs from the plan"
                                            : "differs from the journal of trial " + trial);
  }
  for (const auto& [trial, digest] : stored)
    if (!present.contains(trial)) throw IndexDiffers("lacks trial " + trial);
}

}  // namespace

void update_rows(SQLite::Database& index, const Json& plan, const std::filesystem::path& results) {
  const std::string sum = sha256(canonical(plan));
  SQLite::Transaction whole(index, SQLite::TransactionBehavior::IMMEDIATE);
  check_integrity(index);
  auto stored = stored_digests(index);
  const bool same_plan = stored.contains(kPlanRows) && stored.at(kPlanRows).source == sum;
  if (!same_plan) {
    put_plan(index, plan);
    stored.clear();
  }
  auto updated = update_trials(index, plan, results, stored);
  if (!same_plan) updated[kPlanRows] = sum;
  settle_digests(index, stored, updated);
  whole.commit();
}

}  // namespace ablate::store
