#include "reports/paper/figures/pgfplots.h"

#include "reports/paper/figures/line_tex.h"
#include "reports/paper/figures/row_tex.h"

namespace ablate::reports {

std::string pgfplots(const Plot& plot, const Venue& venue) {
  return plot.rows.empty() ? line_tex(plot, venue) : row_tex(plot, venue);
}

}  // namespace ablate::reports
