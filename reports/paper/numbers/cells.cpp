#include "reports/paper/numbers/cells.h"

#include <fmt/core.h>

#include "reports/text/number.h"

namespace ablate::reports {

std::string formula(const std::string& number) {
  if (number.ends_with("inf")) return number.starts_with('-') ? "-\\infty" : "\\infty";
  const std::size_t e = number.find('e');
  if (e == number.npos) return number;
  return fmt::format("{} \\times 10^{{{}}}", number.substr(0, e), std::stoi(number.substr(e + 1)));
}

std::string estimate_tex(const Estimate& estimate) {
  if (!estimate.mean) return "--";
  const Rounded number = paper_rounded(*estimate.mean, estimate.interval);
  return number.half_width.empty()
             ? fmt::format("${}$", formula(number.mean))
             : fmt::format("${} \\pm {}$", formula(number.mean), formula(number.half_width));
}

std::string aligned_tex(double value, const Estimate& estimate) {
  if (!estimate.interval) return fmt::format("${}$", formula(paper_rounded(value, {}).mean));
  const double half_width = (estimate.interval->high - estimate.interval->low) / 2;
  const statistics::Interval around{value - half_width, value + half_width};
  return fmt::format("${}$", formula(paper_rounded(value, around).mean));
}

std::string p_tex(double p) { return fmt::format("${}$", p_text(p)); }

}  // namespace ablate::reports
