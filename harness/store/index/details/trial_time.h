// Where the time of trials went, by what journals say.

#pragma once

#include <map>
#include <string>

#include "harness/store/journal/measuring_time.h"

namespace SQLite {
class Database;
}

namespace ablate::store {

/// Where the time of a trial went, over all of its attempts, in seconds on the wall clock. Of what a
/// bank did together it is the trial's part.
struct TrialTime {
  std::map<std::string, double> stages;         // data, model, train, probes; of those that ended
  std::map<std::string, MeasuringTime> probes;  // by probe, the last time of each measurement

  double seconds() const;  // of all stages
};

/// Where the time went, by id of the trial. Trials none of whose stages has ended are left out, and so
/// are measurements whose journals do not say it: those of older versions.
std::map<std::string, TrialTime> read_times(SQLite::Database& index);

}  // namespace ablate::store
