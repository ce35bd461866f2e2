// The differences of the declared comparison, drawn.

#include "reports/figures/forest.h"
#include "reports/figures/seed_lines.h"
#include "reports/findings/finding.h"

namespace ablate::reports {

Finding find_differences(const Study& study) {
  Finding finding;
  Figure forest = forest_plot(study.analysis);
  forest.beside_answer = !study.analysis.none_above_floor;  // then it is no answer
  finding.add("result", std::move(forest));
  finding.add("result", seed_lines(study.analysis));
  return finding;
}

}  // namespace ablate::reports
