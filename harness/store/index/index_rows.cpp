#include "harness/store/index/index_rows.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/parallel/ahead.h"
#include "harness/base/sha256.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/curve_text.h"
#include "harness/store/index/fast_hash.h"
#include "harness/store/index/insert.h"
#include "harness/store/index/journal_read.h"
#include "harness/store/index/row_digests.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::store {
namespace {

/// The details of a measurement that failed: why, and which metrics have no number for it.
Json details_of(const StoredFailure& failure) {
  Json absent = Json::object();
  for (const std::string& group : failure.groups)
    absent[group] = "the probe failed: " + failure.message;
  return {{"failed", failure.message}, {"absent", std::move(absent)}};
}

/// Writes the rows of trials, with statements that are prepared once.
class TrialRows {
 public:
  explicit TrialRows(SQLite::Database& index) : index_(index) {}

  /// `known`: whether the index may have rows of the trial, which are replaced.
  void put(const StoredTrial& trial, std::int64_t position, const JournalRead& journal,
           bool known) {
    const TrialState& state = *journal.state;
    if (known) remove_(trial.id);
    trial_(trial.id, position, trial.arm, trial.seed, state.outcome, state.message,
           state.missing(trial.measurements), static_cast<std::int64_t>(state.attempts.size()),
           trial.steps, state.seconds(),
           journal.config.empty() ? std::nullopt : std::optional(journal.config), state.ledger);
    put_history(trial.id, state);
    if (!state.curve.empty()) curve_(trial.id, state.curve.text());
    put_measurements(trial.id, state, trial.measurements);
  }

 private:
  void put_metric(const std::string& trial, const std::string& measurement, const std::string& name,
                  double value) {
    const std::string kind =
        std::isfinite(value) ? "finite" : number_to_json(value).get<std::string>();
    metric_(trial, measurement, name, std::isfinite(value) ? Json(value) : Json(), kind);
  }

  void put_measurements(const std::string& id, const TrialState& state,
                        const std::vector<std::string>& planned) {
    const auto is_planned = [&](const std::string& made) {
      return std::find(planned.begin(), planned.end(), made) != planned.end();
    };
    std::int64_t number = 0;
    for (const StoredMeasurement& made : state.measurements) {
      const bool wanted = is_planned(made.id);
      const auto used = [&](double TrainingPoint::*quantity) {
        return made.at ? std::optional((*made.at).*quantity) : std::nullopt;
      };
      const auto took = [&](double MeasuringTime::*part) {
        return made.spent ? std::optional((*made.spent).*part) : std::nullopt;
      };
      measurement_(id, made.id, ++number, made.attempt, made.probe, wanted,
                   made.at ? std::optional(made.at->step) : std::nullopt,
                   used(&TrainingPoint::text_tokens), used(&TrainingPoint::targets),
                   used(&TrainingPoint::flops), used(&TrainingPoint::seconds),
                   took(&MeasuringTime::seconds), took(&MeasuringTime::passes),
                   took(&MeasuringTime::fits), took(&MeasuringTime::text), made.details);
      for (const auto& [name, value] : made.metrics) put_metric(id, made.id, name, value);
      std::int64_t at = 0;
      for (const Sample& text : made.samples) sample_(id, made.id, ++at, text.text, text.about);
    }
    const std::optional<double> unknown;
    for (const StoredFailure& failure : state.failures)
      measurement_(id, failure.id, ++number, failure.attempt, failure.probe, is_planned(failure.id),
                   failure.step, unknown, unknown, unknown, unknown, unknown, unknown, unknown,
                   unknown, details_of(failure));
  }

  void put_history(const std::string& id, const TrialState& state) {
    for (const Attempt& one : state.attempts)
      attempt_(id, one.number, one.started, one.ended,
               one.outcome.empty() ? Json() : Json(one.outcome), one.message, one.provenance);
    std::int64_t number = 0;
    for (const StoredStage& one : state.stages)
      stage_(id, ++number, one.attempt, one.stage, one.seconds, one.lanes);
    for (const LossSpike& one : state.spikes) {
      Json documents = Json::array();
      for (const SpikeDocument& read : one.documents)
        documents.push_back({read.corpus, read.document});
      spike_(id, one.step, one.loss, documents);
    }
    for (const StoredCheckpoint& one : state.checkpoints)
      checkpoint_(id, one.step, one.attempt, one.file, one.sha256);
  }

  SQLite::Database& index_;
  Insert remove_{index_, "DELETE FROM trial WHERE id = ?"};
  Insert trial_{index_, "INSERT INTO trial VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Insert attempt_{index_, "INSERT INTO attempt VALUES(?, ?, ?, ?, ?, ?, ?)"};
  Insert stage_{index_, "INSERT INTO stage VALUES(?, ?, ?, ?, ?, ?)"};
  Insert spike_{index_, "INSERT INTO spike VALUES(?, ?, ?, ?)"};
  Insert checkpoint_{index_, "INSERT INTO checkpoint VALUES(?, ?, ?, ?, ?)"};
  Insert curve_{index_, "INSERT INTO curve_text VALUES(?, ?)"};
  Insert measurement_{
      index_, "INSERT INTO measurement VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Insert metric_{index_, "INSERT INTO metric VALUES(?, ?, ?, ?, ?)"};
  Insert sample_{index_, "INSERT INTO sample VALUES(?, ?, ?, ?, ?)"};
};

/// `document`: what `plan` was read from.
void put_plan(SQLite::Database& index, const StoredPlan& plan, const Json& document) {
  for (const char* table : {"digest", "trial", "arm", "experiment"})
    index.exec(std::string("DELETE FROM ") + table);
  execute(index, "INSERT INTO experiment VALUES(?, ?, ?)", plan.experiment, plan.question,
          canonical(document));
  std::int64_t position = 0;
  for (const StoredArm& arm : plan.arms)
    execute(index, "INSERT INTO arm VALUES(?, ?, ?)", arm.name, ++position, arm.baseline);
}

/// What was kept about a trial, or about the plan, when its rows were written.
struct Digest {
  std::string source;                 // fast_hash() of the journal's bytes, or of the plan
  std::optional<std::string> sha256;  // of a journal; the plan has none
  std::string rows;                   // of the rows and the hashes above
};

std::map<std::string, Digest> stored_digests(SQLite::Database& index) {
  std::map<std::string, Digest> digests;
  SQLite::Statement row(index, "SELECT trial, source_xxh3, journal_sha256, rows_xxh3 FROM digest");
  while (row.executeStep()) {
    Digest& digest = digests[row.getColumn(0)];
    digest.source = row.getColumn(1).getString();
    if (!row.getColumn(2).isNull()) digest.sha256 = row.getColumn(2).getString();
    digest.rows = row.getColumn(3).getString();
  }
  return digests;
}

/// Checks the structure of all tables but the texts of curves, which are most of an index: what they
/// hold is compared with its digest in any case.
void check_integrity(SQLite::Database& index) {
  std::vector<std::string> tables;
  SQLite::Statement table(
      index, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'curve_text'");
  while (table.executeStep()) tables.push_back(table.getColumn(0));
  for (const std::string& name : tables) {
    const std::string answer =
        index.execAndGet("PRAGMA integrity_check('" + name + "')").getString();
    if (answer != "ok") throw IndexDiffers("is damaged (" + answer + ")");
  }
}

/// The places of trials in the order of their ids: the tables have it, so that new rows come after those that are there.
std::vector<std::size_t> by_id(const std::vector<StoredTrial>& trials) {
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t at) -> const std::string& { return trials[at].id; });
  return order;
}

/// Writes the rows of every trial whose journal is not the one of its stored digest, and returns
/// what these rows were made of by trial. Journals are read by all processors, a few ahead; a trial
/// without one needs no thread.
std::map<std::string, Digest> update_trials(SQLite::Database& index, const StoredPlan& plan,
                                            const std::filesystem::path& results,
                                            const ReadBytes& read,
                                            const std::map<std::string, Digest>& stored) {
  std::map<std::string, Digest> updated;
  std::vector<std::string> spare;  // memory of journals that are done with
  const std::vector<std::size_t> order = by_id(plan.trials);
  TrialRows rows(index);
  std::size_t done = 0;
  Ahead<JournalRead> journals([&](JournalRead journal) {
    const std::size_t at = order[done++];
    const StoredTrial& trial = plan.trials[at];
    if (journal.state) {
      rows.put(trial, static_cast<std::int64_t>(at) + 1, journal, stored.contains(trial.id));
      updated[trial.id] = {journal.source, journal.sha256, ""};
    }
    spare.push_back(std::move(journal.bytes));
  });
  const auto memory = [&] {
    if (spare.empty()) return std::string();
    std::string last = std::move(spare.back());
    spare.pop_back();
    return last;
  };
  const auto folders = listed_trials(results);
  for (const std::size_t at : order) {
    const StoredTrial& trial = plan.trials[at];
    const auto folder = folders.find(trial.id);
    const bool begun = folder != folders.end();
    const auto known = stored.find(trial.id);
    journals.run(
        [&trial, &read, file = begun ? folder->second / kJournalName : std::filesystem::path(),
         known = known == stored.end() ? "" : known->second.source, bytes = memory()]() mutable {
          return read_journal_of(trial, file, read, known, std::move(bytes));
        },
        !begun);
  }
  journals.finish();
  return updated;
}

/// Of the rows of a trial and of what they were made of, so that no part of a digest can change alone.
std::string sealed(const std::string& rows, const Digest& digest) {
  return fast_hash(rows + digest.source + digest.sha256.value_or(""));
}

/// Keeps the digests of rows that were just written, and compares all others with those kept.
void settle_digests(SQLite::Database& index, const std::map<std::string, Digest>& stored,
                    const std::map<std::string, Digest>& updated) {
  const std::map<std::string, std::string> present = row_digests(index);
  Insert keep(index, "INSERT OR REPLACE INTO digest VALUES(?, ?, ?, ?)");
  for (const auto& [trial, rows] : present) {
    const auto fresh = updated.find(trial);
    if (fresh != updated.end()) {
      keep(trial, fresh->second.source, fresh->second.sha256, sealed(rows, fresh->second));
      continue;
    }
    const auto kept = stored.find(trial);
    if (kept == stored.end() || kept->second.rows != sealed(rows, kept->second))
      throw IndexDiffers(trial == kPlanRows ? "differs from the plan"
                                            : "differs from the journal of trial " + trial);
  }
  for (const auto& [trial, digest] : stored)
    if (!present.contains(trial)) throw IndexDiffers("lacks trial " + trial);
}

}  // namespace

void update_rows(SQLite::Database& index, const Json& document,
                 const std::filesystem::path& results, const ReadBytes& read) {
  const StoredPlan plan = stored_plan(document);
  const std::string source = fast_hash(canonical(document));
  SQLite::Transaction whole(index, SQLite::TransactionBehavior::IMMEDIATE);
  check_integrity(index);
  auto stored = stored_digests(index);
  const bool same_plan = stored.contains(kPlanRows) && stored.at(kPlanRows).source == source;
  if (!same_plan) {
    put_plan(index, plan, document);
    stored.clear();
  }
  auto updated = update_trials(index, plan, results, read, stored);
  if (!same_plan) updated[kPlanRows] = {source, std::nullopt, ""};
  settle_digests(index, stored, updated);
  whole.commit();
}

}  // namespace ablate::store
