// Training loss by text tokens.

#include "reports/figures/curves.h"
#include "reports/findings/finding.h"

namespace ablate::reports {

Finding find_training_curves(const Study& study) {
  Finding finding;
  finding.add("curves", training_curves(study.analysis));
  return finding;
}

}  // namespace ablate::reports
