// Reads an experiment file as far as a plan does before it makes corpora.

#pragma once

#include "experiments/catalog.h"
#include "harness/plan/prepare/part.h"
#include "harness/plan/price/metrics.h"
#include "harness/plan/price/primary.h"
#include "harness/plan/read/experiment.h"
#include "tests/paths.h"
#include "tests/temporary_folder.h"

namespace ablate::fuzz {

/// A folder for experiment files, with the shipped bases beside them.
class ExperimentFolder {
 public:
  ExperimentFolder() {
    std::filesystem::copy(project_root() / "experiments/base", folder_ / "base");
    folder_.write(".ablate", "");  // the project ends here
  }

  /// Writes the experiment file and returns its path.
  std::filesystem::path write(std::string_view text) const {
    return folder_.write("experiment.json", text);
  }

 private:
  const TemporaryFolder folder_;
};

/// Everything that can be refused without a corpus. Files of text are not looked for: a mutated
/// path may name the whole disk.
inline void read_and_check(const std::filesystem::path& file, const plan::Overrides& overrides) {
  plan::Faults faults;
  const plan::Experiment experiment = plan::read_experiment(catalog(), file, overrides, faults);
  const plan::MetricsByArm metrics = plan::metrics_of(catalog(), experiment, faults);
  plan::check_primary(catalog(), experiment, metrics, faults);
  faults.throw_if_any();
  plan::part_of(experiment, overrides, faults);
  faults.throw_if_any();
}

}  // namespace ablate::fuzz
