// Where the time of trials went, by what journals say.

#pragma once

#include <map>
#include <string>

namespace SQLite {
class Database;
}

namespace ablate::store {

/// What measuring took, in seconds on the wall clock.
struct MeasuringTime {
  double seconds = 0;  // in all, and of that:
  double passes = 0;   // of the model over texts, forward; on a device until they were launched
  double fits = 0;     // of models that measure it
  double text = 0;     // that it wrote, token by token
};

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
