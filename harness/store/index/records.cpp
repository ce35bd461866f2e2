#include "harness/store/index/records.h"

#include <SQLiteCpp/Statement.h>

#include <filesystem>
#include <limits>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/base/parallel/ahead.h"
#include "harness/base/parallel/unused_memory.h"
#include "harness/store/index/curve_text.h"
#include "harness/store/index/index.h"
#include "harness/store/journal/journal.h"

namespace ablate::store {
namespace {

using Database = SQLite::Database;

Json json_in(const SQLite::Column& column) {
  return column.isNull() ? Json() : parse_stored(column.getString(), "index.sqlite");
}

double number_in(const SQLite::Column& column) {
  return column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
}

double metric_in(const SQLite::Column& value, const std::string& kind) {
  return kind == "finite" ? value.getDouble() : number_from_json(kind);
}

/// `what`: of which the values are numbers.
std::vector<double> numbers_in(const Json& values, const std::string& what) {
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const Json& value : values) {
    if (!value.is_number()) damaged("index.sqlite: {} is not a number", what);
    numbers.push_back(value.get<double>());
  }
  return numbers;
}

void read_items(const Json& stored, std::map<std::string, std::vector<double>>& items) {
  if (!stored.is_object()) damaged("index.sqlite: the items of a measurement are not an object");
  for (const auto& [metric, values] : stored.items())
    items[metric] = numbers_in(values, "an item of " + metric);
}

std::vector<std::vector<double>> numbers_by_layer(const Json& stored) {
  if (!stored.is_array()) damaged("index.sqlite: the kernels of a measurement are not a list");
  std::vector<std::vector<double>> layers;
  for (const Json& layer : stored) layers.push_back(numbers_in(layer, "an entry of a kernel"));
  return layers;
}

/// Calls `take` with the trial of each row (its first column) and the row. It is looked up once for
/// the rows of a trial that follow one another.
template <class Take>
void each_row(Database& index, const char* sql, std::map<std::string, TrialRecord*>& trials,
              const Take& take) {
  SQLite::Statement row(index, sql);
  TrialRecord* trial = nullptr;
  while (row.executeStep()) {
    const char* const id = row.getColumn(0).getText();
    if (trial == nullptr || trial->id != id) trial = trials.at(id);
    take(*trial, row);
  }
}

void read_trials(Database& index, Records& records) {
  const std::int64_t trials = index.execAndGet("SELECT count(*) FROM trial");
  records.trials.reserve(static_cast<std::size_t>(trials));
  SQLite::Statement row(index,
                        "SELECT id, arm, seed, outcome, message, attempts, ledger FROM trial "
                        "ORDER BY position");
  while (row.executeStep())
    records.trials.push_back({.id = row.getColumn(0),
                              .arm = row.getColumn(1),
                              .seed = row.getColumn(2),
                              .outcome = row.getColumn(3),
                              .message = row.getColumn(4),
                              .attempts = row.getColumn(5),
                              .ledger = json_in(row.getColumn(6))});
}

/// Curves are most of an index, and are read by all processors.
void read_curves(Database& index, std::map<std::string, TrialRecord*>& trials) {
  using Read = std::pair<TrialRecord*, Curve>;
  ColumnPool pool;
  Ahead<Read> curves([&](Read read) {
    pool.share(read.second);
    read.first->curve = std::move(read.second);
  });
  each_row(index, "SELECT trial, points FROM curve_text", trials,
           [&](TrialRecord& trial, SQLite::Statement& row) {
             curves.run([&trial, text = row.getColumn(1).getString()] {
               return Read(&trial, curve_in(text));
             });
           });
  curves.finish();
}

void read_attempts(Database& index, std::map<std::string, TrialRecord*>& trials) {
  each_row(index, "SELECT trial, journal_sha256 FROM digest WHERE trial <> ''", trials,
           [](TrialRecord& trial, SQLite::Statement& row) {
             trial.journal_sha256 = row.getColumn(1).getString();
           });
  each_row(index, "SELECT trial, provenance, started, ended FROM attempt ORDER BY trial, number",
           trials, [](TrialRecord& trial, SQLite::Statement& row) {
             if (trial.started.empty()) trial.started = row.getColumn(2).getString();
             trial.ended = row.getColumn(3).getString();
             Json provenance = json_in(row.getColumn(1));
             // Who measured what another worker had trained says nothing about the training.
             const bool trained =
                 !provenance.is_object() || provenance.value("task", Json()) != Json("measure");
             if (trained || trial.provenance.is_null()) trial.provenance = std::move(provenance);
           });
}

void read_spikes(Database& index, std::map<std::string, TrialRecord*>& trials) {
  each_row(index, "SELECT trial, step, loss, documents FROM spike ORDER BY trial, step", trials,
           [](TrialRecord& trial, SQLite::Statement& row) {
             LossSpike spike{.step = row.getColumn(1), .loss = number_in(row.getColumn(2))};
             for (const Json& read : json_in(row.getColumn(3)))
               spike.documents.push_back({integer_in(read.at(0)), integer_in(read.at(1))});
             trial.spikes.push_back(std::move(spike));
           });
}

void read_metrics(Database& index, std::map<std::string, TrialRecord*>& trials) {
  each_row(index,
           "SELECT metric.trial, name, value, kind FROM metric JOIN measurement ON "
           "measurement.trial = metric.trial AND measurement.id = metric.measurement "
           "WHERE planned AND step IS NULL ORDER BY measurement.trial, number, name",
           trials, [](TrialRecord& trial, SQLite::Statement& row) {
             trial.metrics[row.getColumn(1).getText()] =
                 metric_in(row.getColumn(2), row.getColumn(3));
           });
  each_row(index,
           "SELECT metric.trial, name, value, kind, step, text_tokens, targets, flops, seconds "
           "FROM metric JOIN measurement ON measurement.trial = metric.trial AND "
           "measurement.id = metric.measurement "
           "WHERE planned AND step IS NOT NULL ORDER BY measurement.trial, step, number, name",
           trials, [](TrialRecord& trial, SQLite::Statement& row) {
             const std::int64_t step = row.getColumn(4);
             if (trial.on_the_way.empty() || trial.on_the_way.back().at.step != step)
               trial.on_the_way.push_back(
                   {{step, number_in(row.getColumn(5)), number_in(row.getColumn(6)),
                     number_in(row.getColumn(7)), number_in(row.getColumn(8))},
                    {}});
             trial.on_the_way.back().metrics[row.getColumn(1).getText()] =
                 metric_in(row.getColumn(2), row.getColumn(3));
           });
}

/// Reads one key of the details of what is trained: `take` gets the trial and the value.
template <class Take>
void each_detail(Database& index, std::map<std::string, TrialRecord*>& trials,
                 const std::string& key, const Take& take) {
  const std::string sql =
      "SELECT trial, json_extract(details, '$." + key +
      "') AS value FROM measurement "
      "WHERE planned AND step IS NULL AND value IS NOT NULL ORDER BY trial, number";
  each_row(index, sql.c_str(), trials, [&](TrialRecord& trial, SQLite::Statement& row) {
    take(trial, json_in(row.getColumn(1)));
  });
}

void read_split_sizes(Database& index, std::map<std::string, TrialRecord*>& trials) {
  each_row(index,
           "SELECT trial, (SELECT min(name) FROM metric WHERE metric.trial = measurement.trial AND "
           "metric.measurement = measurement.id) AS named, json_object('documents', "
           "json_extract(details, '$.documents'), 'pairs', json_extract(details, '$.pairs'), "
           "'sentences', json_extract(details, '$.sentences'), 'schemes', json_extract(details, "
           "'$.schemes'), 'choices', json_extract(details, '$.choices'), 'words', "
           "json_extract(details, '$.words'), 'problems', json_extract(details, '$.problems'), "
           "'too_long', json_extract(details, '$.too_long')) FROM measurement WHERE planned AND "
           "step IS NULL AND named IS NOT NULL "
           "ORDER BY trial, number",
           trials, [](TrialRecord& trial, SQLite::Statement& row) {
             std::optional<SplitSizes> sizes = split_sizes_in(json_in(row.getColumn(2)));
             if (!sizes) return;
             sizes->metric = row.getColumn(1).getString();
             trial.splits.push_back(std::move(*sizes));
           });
}

void read_details(Database& index, std::map<std::string, TrialRecord*>& trials) {
  each_detail(index, trials, "items", [](TrialRecord& trial, const Json& items) {
    if (!items.is_number()) read_items(items, trial.items);  // earlier versions of 'ratings' count
  });
  each_detail(index, trials, "item_sets", [](TrialRecord& trial, const Json& sets) {
    if (!sets.is_object())
      damaged("index.sqlite: the item sets of a measurement are not an object");
    for (const auto& [metric, set] : sets.items()) trial.item_sets[metric] = set.dump();
  });
  each_detail(index, trials, "kernels", [](TrialRecord& trial, const Json& kernels) {
    trial.kernels = numbers_by_layer(kernels);
  });
  each_detail(index, trials, "curves", [](TrialRecord& trial, const Json& curves) {
    for (ProbeCurve& curve : probe_curves_in(curves))
      trial.probe_curves.push_back(std::move(curve));
  });
  each_detail(index, trials, "parts", [](TrialRecord& trial, const Json& parts) {
    for (ScoreParts& one : score_parts_in(parts)) trial.parts.push_back(std::move(one));
  });
  each_detail(index, trials, "absent", [](TrialRecord& trial, const Json& absent) {
    trial.absent.merge(reasons_in(absent));
  });
  each_row(index,
           "SELECT trial, json_extract(details, '$.temperatures') AS temperatures, "
           "json_extract(details, '$.samplers') AS samplers FROM measurement WHERE planned AND "
           "step IS NULL AND coalesce(temperatures, samplers) IS NOT NULL ORDER BY trial, number",
           trials, [](TrialRecord& trial, SQLite::Statement& row) {
             for (TemperatureCurve& curve :
                  temperature_curves_in(json_in(row.getColumn(1)), json_in(row.getColumn(2))))
               trial.temperatures.push_back(std::move(curve));
           });
  read_split_sizes(index, trials);
  each_row(
      index,
      "SELECT sample.trial, text, about, probe FROM sample JOIN measurement ON "
      "measurement.trial = sample.trial AND measurement.id = sample.measurement "
      "WHERE planned AND step IS NULL "
      "ORDER BY measurement.trial, measurement.number, sample.number",
      trials, [](TrialRecord& trial, SQLite::Statement& row) {
        trial.samples.push_back({row.getColumn(1), json_in(row.getColumn(2)), row.getColumn(3)});
      });
}

Records read_records(Database& index) {
  Records records;
  records.plan = json_in(index.execAndGet("SELECT plan FROM experiment"));
  read_trials(index, records);
  std::map<std::string, TrialRecord*> trials;
  for (TrialRecord& trial : records.trials) trials[trial.id] = &trial;
  read_attempts(index, trials);
  read_curves(index, trials);
  read_spikes(index, trials);
  read_metrics(index, trials);
  read_details(index, trials);
  for (auto& [trial, time] : read_times(index)) trials.at(trial)->time = std::move(time);
  return records;
}

}  // namespace

Records load_records(const std::filesystem::path& results) {
  Records records;
  read_index(results, [&](Database& index) { records = read_records(index); });
  const auto folders = listed_trials(results);
  for (TrialRecord& trial : records.trials)
    if (const auto folder = folders.find(trial.id);
        folder != folders.end() && !trial.journal_sha256.empty())
      trial.journal = (folder->second / kJournalName).lexically_relative(results);
  records.experiment = read_experiment_files(results);
  give_back_unused_memory();
  return records;
}

}  // namespace ablate::store
