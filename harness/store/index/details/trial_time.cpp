#include "harness/store/index/details/trial_time.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace ablate::store {
namespace {

// A stage that did not tell a number has NULL.
constexpr const char* kStages =
    "SELECT trial, stage, sum(seconds / max(lanes, 1)) FROM stage GROUP BY trial, stage "
    "HAVING count(seconds) > 0";

constexpr const char* kProbes =
    "SELECT trial, probe, sum(measuring), sum(passes), sum(fits), sum(writing) FROM measurement "
    "WHERE measuring IS NOT NULL GROUP BY trial, probe";

}  // namespace

double TrialTime::seconds() const {
  double sum = 0;
  for (const auto& [stage, seconds] : stages) sum += seconds;
  return sum;
}

std::map<std::string, TrialTime> read_times(SQLite::Database& index) {
  std::map<std::string, TrialTime> times;
  SQLite::Statement stage(index, kStages);
  while (stage.executeStep())
    times[stage.getColumn(0)].stages[stage.getColumn(1)] = stage.getColumn(2).getDouble();
  SQLite::Statement probe(index, kProbes);
  while (probe.executeStep()) {
    const auto trial = times.find(probe.getColumn(0).getString());
    if (trial == times.end()) continue;
    trial->second.probes[probe.getColumn(1)] = {
        probe.getColumn(2).getDouble(), probe.getColumn(3).getDouble(),
        probe.getColumn(4).getDouble(), probe.getColumn(5).getDouble()};
  }
  return times;
}

}  // namespace ablate::store
