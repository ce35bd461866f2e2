// The metrics of each probe by arm, and their differences from the baseline.

#include "reports/findings/finding.h"

namespace ablate::reports {

Finding find_metrics(const Study& study) {
  Finding finding;
  for (const Group& group : study.groups) {
    for (Table& table : metric_tables(study.analysis, group))
      finding.add(section_of(group), std::move(table));
    for (Table& table : difference_tables(study.analysis, group))
      finding.add(section_of(group), std::move(table));
  }
  return finding;
}

}  // namespace ablate::reports
