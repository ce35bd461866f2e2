// What the tables of a report share.

#include "reports/tables/table.h"

#include <fmt/core.h>

#include "reports/text/number.h"

namespace ablate::reports {

Cell label_cell(const MetricRow& metric) {
  Cell cell = text_cell(arrowed(metric));
  cell.key = metric.name;
  return cell;
}

Cell p_cell(const std::optional<double>& p) { return text_cell(p ? p_text(*p) : ""); }

Cell number_cell(const std::optional<double>& value) {
  return text_cell(value ? significant(*value, 3) : "");
}

std::string_view arrow_of(Better better) {
  switch (better) {
    case Better::lower:
      return "↓";
    case Better::higher:
      return "↑";
    case Better::neither:
      break;
  }
  return "";
}

std::string arrowed(const MetricRow& metric) {
  const std::string_view arrow = arrow_of(metric.better);
  return arrow.empty() ? metric.label : fmt::format("{} {}", metric.label, arrow);
}

}  // namespace ablate::reports
