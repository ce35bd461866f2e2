#include "harness/store/index/status.h"

#include <SQLiteCpp/Statement.h>
#include <fmt/core.h>

#include <map>
#include <string>

#include "harness/store/index/curve_text.h"
#include "harness/store/index/index.h"

namespace ablate::store {
namespace {

// The outcome is NULL while the last attempt has none.
constexpr const char* kTrials = R"sql(
SELECT trial.id, trial.arm, trial.seed, trial.outcome, trial.message, trial.attempts, trial.steps,
       trial.seconds, trial.missing,
       (SELECT count(*) FROM measurement WHERE measurement.trial = trial.id AND planned AND
        json_extract(details, '$.failed') IS NOT NULL),
       (SELECT outcome FROM attempt WHERE attempt.trial = trial.id ORDER BY number DESC LIMIT 1)
FROM trial
ORDER BY trial.position)sql";

/// The last point of each curve by its trial. Not read with the trials: SQLite would sort long texts.
std::map<std::string, CurvePoint> last_points(SQLite::Database& index) {
  std::map<std::string, CurvePoint> points;
  SQLite::Statement row(index, "SELECT trial, points FROM curve_text");
  while (row.executeStep()) {
    const SQLite::Column text = row.getColumn(1);
    const auto size = static_cast<std::size_t>(text.getBytes());
    if (const auto last = last_point_in({text.getText(), size}))
      points.emplace(row.getColumn(0).getString(), *last);
  }
  return points;
}

void read_status(SQLite::Database& index, Status& status) {
  status.experiment = index.execAndGet("SELECT name FROM experiment").getString();
  for (const char* outcome : {"completed", "failed", "diverged", "unfinished"})
    status.counts[outcome] = 0;
  const std::map<std::string, CurvePoint> curves = last_points(index);
  std::map<std::string, TrialTime> times = read_times(index);
  SQLite::Statement row(index, kTrials);
  while (row.executeStep()) {
    TrialStatus trial{.id = row.getColumn(0),
                      .arm = row.getColumn(1),
                      .seed = row.getColumn(2),
                      .outcome = row.getColumn(3),
                      .message = row.getColumn(4),
                      .attempts = row.getColumn(5),
                      .steps = row.getColumn(6),
                      .seconds = row.getColumn(7)};
    if (const auto last = curves.find(trial.id); last != curves.end()) {
      trial.step = last->second.step;
      trial.loss = last->second.loss;
    }
    if (const auto time = times.find(trial.id); time != times.end())
      trial.time = std::move(time->second);
    trial.missing = row.getColumn(8).getInt64();
    const std::int64_t failed = row.getColumn(9).getInt64();
    if (trial.missing > 0 && trial.outcome == "completed" && trial.missing == failed) {
      trial.outcome = "failed";  // of its probes; the message says which
    } else if (trial.missing > 0 && trial.outcome == "completed") {
      trial.trained = true;
      trial.outcome = "unfinished";
      trial.message = fmt::format(
          "is trained, but lacks {} of the measurements that are planned; the command that ran it "
          "makes them",
          trial.missing);
    }
    trial.running = status.holder && trial.attempts > 0 && row.getColumn(10).isNull();
    ++status.counts[trial.outcome];
    status.trials.push_back(std::move(trial));
  }
}

}  // namespace

Status load_status(const std::filesystem::path& results) {
  Status status;
  read_index(results, [&](SQLite::Database& index) {
    status = {};
    status.holder = holder_of(results);
    read_status(index, status);
  });
  return status;
}

}  // namespace ablate::store
