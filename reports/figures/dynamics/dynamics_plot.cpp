#include "reports/figures/dynamics/dynamics_plot.h"

#include <fmt/core.h>

#include "reports/figures/dynamics/dynamics_chart.h"
#include "reports/figures/dynamics/dynamics_data.h"
#include "reports/figures/sweeps/sweep_plot.h"

namespace ablate::reports {

Figure dynamics_plots(const std::vector<Course>& courses) {
  Figure figure{"dynamics",
                "Metrics by the tokens of text that training has read: the line is the mean over "
                "seeds, the band its 95 % t-interval, dots are seeds. The last point is what is "
                "trained.",
                {}};
  for (const SweepPanel& panel : dynamics_panels(courses)) {
    figure.panels.push_back(draw_sweep(panel, fmt::format("dynamics-{}", figure.panels.size())));
    figure.charts.push_back(dynamics_chart(panel, courses));
  }
  figure.axes = dynamics_axes();
  figure.band = "95 % t-interval";
  return figure;
}

}  // namespace ablate::reports
