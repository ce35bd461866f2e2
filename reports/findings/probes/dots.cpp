// The metrics of each probe by arm, drawn.

#include "reports/figures/dots.h"
#include "reports/findings/finding.h"

namespace ablate::reports {

Finding find_dots(const Study& study) {
  Finding finding;
  for (const Group& group : study.groups)
    finding.add(section_of(group), dot_plots(study.analysis, group.name, group.metrics));
  return finding;
}

}  // namespace ablate::reports
