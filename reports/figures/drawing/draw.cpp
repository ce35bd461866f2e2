#include "reports/figures/drawing/draw.h"

#include "reports/figures/drawing/lines.h"
#include "reports/figures/drawing/rows.h"

namespace ablate::reports {

std::string draw(const Plot& plot, std::string_view id, const Sheet& sheet) {
  return plot.rows.empty() ? draw_lines(plot, id, sheet) : draw_rows(plot, id, sheet);
}

}  // namespace ablate::reports
