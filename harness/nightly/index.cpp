#include "harness/nightly/index.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cmath>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/night_file.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTables = R"sql(
CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK(kind IN ('exact', 'quality', 'speed')),
  unit TEXT,
  better TEXT,
  floor REAL,
  q REAL,
  quarantined_until TEXT,
  owner TEXT
) STRICT;

CREATE TABLE night(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  date TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  build TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  baseline TEXT NOT NULL,
  pin TEXT NOT NULL,
  verdict TEXT NOT NULL
) STRICT;

CREATE TABLE sample(
  night INTEGER NOT NULL REFERENCES night(id),
  series INTEGER NOT NULL REFERENCES series(id),
  program TEXT NOT NULL,
  measurement INTEGER NOT NULL CHECK(measurement IN (1, 2)),
  repetition INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(night, series, program, measurement, repetition)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict(
  night INTEGER NOT NULL REFERENCES night(id),
  series INTEGER NOT NULL REFERENCES series(id),
  verdict TEXT NOT NULL,
  ratio REAL,
  p REAL,
  low REAL,
  high REAL,
  confirmed INTEGER CHECK(confirmed IN (0, 1)),
  reason TEXT NOT NULL,
  PRIMARY KEY(night, series)
) STRICT, WITHOUT ROWID;

CREATE TABLE pin(
  baseline TEXT NOT NULL,
  name TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  who TEXT NOT NULL,
  "when" TEXT NOT NULL,
  PRIMARY KEY(baseline, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE step(
  series INTEGER NOT NULL REFERENCES series(id),
  fingerprint TEXT NOT NULL,
  last_before INTEGER NOT NULL REFERENCES night(id),
  night INTEGER NOT NULL REFERENCES night(id),
  before REAL NOT NULL,
  after REAL NOT NULL,
  PRIMARY KEY(series, fingerprint, night)
) STRICT, WITHOUT ROWID;
)sql";

constexpr int kVersion = 1;  // of the tables; raised with every change

class Writer {
 public:
  explicit Writer(SQLite::Database& index) : index_(index) {}

  void add_night(const fs::path& folder) {
    const Night night = read_night(folder);
    const std::string build = add_samples(night, "bench.jsonl", 1);
    add_samples(night, "confirm.jsonl", 2);
    std::string verdict = "not judged";
    if (fs::exists(folder / "gate.json")) {
      const StoredVerdict judged = read_verdict(folder / "gate.json");
      verdict = judged.verdict;
      for (const StoredFinding& finding : judged.findings) add_verdict(night, finding);
    }
    run("INSERT INTO night VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", night_id(folder.filename()),
        folder.filename().string(), night.identity.date, night.commit, build,
        night.identity.fingerprint, night.identity.baseline, night.identity.pin, verdict);
    for (const Quarantine& each : night.quarantine)
      run("UPDATE series SET quarantined_until = ?, owner = ? WHERE name = ?", each.until,
          each.owner, each.series);
  }

  void add_pin(const std::string& baseline, const Pin& pin) {
    run("INSERT INTO pin VALUES(?, ?, ?, ?, ?, ?)", baseline, pin.name, pin.commit, pin.reason,
        pin.who, pin.when);
  }

  void add_steps(const History& history) {
    for (const SeriesHistory& series : history.series)
      for (const Step& step : series.steps)
        run("INSERT INTO step VALUES(?, ?, ?, ?, ?, ?)",
            series_id(series.series, std::string(name_of(series.kind))), series.fingerprint,
            night_id(history.nights[step.last_before].name),
            night_id(history.nights[step.first_after].name), step.before, step.after);
  }

 private:
  // Adds a benchmark's repetitions; returns what the programs of tonight were built as.
  std::string add_samples(const Night& night, const std::string& file, int measurement) {
    std::string build;
    for (const auto& [series, by_program] : times_of(night, file))
      for (const auto& [program, repetitions] : by_program) {
        if (program == "now") build = repetitions.build;
        const std::int64_t id = speed_id(series, night);
        for (std::size_t i = 0; i < repetitions.values.size(); ++i)
          run("INSERT INTO sample VALUES(?, ?, ?, ?, ?, ?)", night_id(night.folder.filename()), id,
              program, measurement, static_cast<std::int64_t>(i + 1), repetitions.values[i]);
      }
    return build;
  }

  std::int64_t speed_id(const std::string& series, const Night& night) {
    const std::int64_t id = series_id(series, "speed");
    const SpeedRule rule;
    const auto usual = night.calibration.usual.find(series);
    run("UPDATE series SET unit = 's', better = 'lower', floor = ?, q = ? WHERE id = ?",
        rule.floor_seconds, usual == night.calibration.usual.end() ? 0 : usual->second, id);
    return id;
  }

  void add_verdict(const Night& night, const StoredFinding& finding) {
    const StoredNumbers& numbers = finding.numbers;
    const auto number = [](const std::optional<double>& stored) {
      return stored.value_or(std::nan(""));
    };
    const std::int64_t id = series_id(finding.series, finding.kind);
    if (finding.kind == "quality")
      run("UPDATE series SET floor = ?, unit = ?, better = ? WHERE id = ?", number(numbers.margin),
          numbers.unit, numbers.better, id);
    SQLite::Statement insert(index_,
                             "INSERT OR IGNORE INTO verdict VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, night_id(night.folder.filename()));
    insert.bind(2, id);
    insert.bind(3, finding.verdict);
    insert.bind(4, number(numbers.ratio));
    insert.bind(5, number(numbers.p));
    insert.bind(6, number(numbers.low));
    insert.bind(7, number(numbers.high));
    // The most urgent finding of a series comes first. Only an alarm is measured a second time.
    if (numbers.confirmation)
      insert.bind(8, finding.verdict == "regression" || finding.verdict == "improvement" ? 1 : 0);
    insert.bind(9, finding.reason);
    insert.exec();
  }

  std::int64_t series_id(const std::string& name, const std::string& kind) {
    const auto [found, is_new] = series_.try_emplace(name, std::ssize(series_) + 1);
    if (is_new)
      run("INSERT INTO series(id, name, kind) VALUES(?, ?, ?)", found->second, name, kind);
    return found->second;
  }

  std::int64_t night_id(const std::string& name) {
    return nights_.try_emplace(name, std::ssize(nights_) + 1).first->second;
  }

  // Values that are no numbers are NULL: SQLite stores them so.
  template <class... Values>
  void run(const char* sql, const Values&... values) {
    SQLite::Statement statement(index_, sql);
    int place = 0;
    (statement.bind(++place, values), ...);
    statement.exec();
  }

  SQLite::Database& index_;
  std::map<std::string, std::int64_t> series_, nights_;
};

void fill(SQLite::Database& index, const Home& home, const History& history) {
  index.exec("PRAGMA synchronous = OFF");  // it is renamed when it is whole
  SQLite::Transaction whole(index);
  index.exec(kTables);
  index.exec(fmt::format("PRAGMA user_version = {}", kVersion));
  Writer writer(index);
  for (const fs::path& night : home.all_nights()) writer.add_night(night);
  for (const std::string& baseline : home.baselines())
    for (const Pin& pin : home.pins(baseline)) writer.add_pin(baseline, pin);
  writer.add_steps(history);
  whole.commit();
}

}  // namespace

fs::path write_index(const Home& home, const History& history) {
  fs::path file = home.folder() / "nightly.sqlite";
  const fs::path made = fmt::format("{}.{}", file.string(), ::getpid());
  fs::remove(made);  // of a process that was killed
  try {
    SQLite::Database index(made.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    fill(index, home, history);
  } catch (const SQLite::Exception& error) {
    fs::remove(made);
    fail("{}: {}", file.string(), error.what());
  } catch (...) {
    fs::remove(made);
    throw;
  }
  fs::rename(made, file);
  return file;
}

}  // namespace ablate::nightly
