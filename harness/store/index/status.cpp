#include "harness/store/index/status.h"

#include <SQLiteCpp/Statement.h>
#include <fmt/core.h>

#include <limits>

#include "harness/store/index/index.h"

namespace ablate::store {
namespace {

// `last_outcome` is NULL while the last attempt has none.
constexpr const char* kTrials = R"sql(
SELECT trial.id, trial.arm, trial.seed, trial.outcome, trial.message, trial.attempts, trial.steps,
       trial.seconds, trial.missing, json_extract(curve_text.points, '$[#-1][0]'),
       json_extract(curve_text.points, '$[#-1][2]'),
       (SELECT outcome FROM attempt WHERE attempt.trial = trial.id ORDER BY number DESC LIMIT 1)
FROM trial
LEFT JOIN curve_text ON curve_text.trial = trial.id
ORDER BY trial.position)sql";

void read_status(SQLite::Database& index, Status& status) {
  status.experiment = index.execAndGet("SELECT name FROM experiment").getString();
  for (const char* outcome : {"completed", "failed", "diverged", "unfinished"})
    status.counts[outcome] = 0;
  SQLite::Statement row(index, kTrials);
  while (row.executeStep()) {
    TrialStatus trial{.id = row.getColumn(0),
                      .arm = row.getColumn(1),
                      .seed = row.getColumn(2),
                      .outcome = row.getColumn(3),
                      .message = row.getColumn(4),
                      .attempts = row.getColumn(5),
                      .step = row.getColumn(9).getInt64(),
                      .steps = row.getColumn(6),
                      .loss = row.getColumn(10).isNull() ? std::numeric_limits<double>::quiet_NaN()
                                                         : row.getColumn(10).getDouble(),
                      .seconds = row.getColumn(7)};
    trial.missing = row.getColumn(8).getInt64();
    if (trial.missing > 0 && trial.outcome == "completed") {
      trial.trained = true;
      trial.outcome = "unfinished";
      trial.message = fmt::format(
          "is trained, but lacks {} of the measurements that are planned; the command that ran it "
          "makes them",
          trial.missing);
    }
    trial.running = status.holder && trial.attempts > 0 && row.getColumn(11).isNull();
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
