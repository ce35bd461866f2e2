#include "reports/tables/texts/entropy_table.h"

#include <fmt/core.h>

#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string with_sampler(const std::string& label, const std::string& sampler) {
  return sampler.empty() ? label : fmt::format("{}, {}", label, sampler);
}

}  // namespace

Table entropy_table(const std::vector<EntropyArea>& areas, std::string_view group) {
  Table table{.name = fmt::format("{}-entropy", group)};
  for (const EntropyArea& seen : areas) {
    if (!seen.metric->name.starts_with(fmt::format("{}.", group))) continue;
    if (table.rows.empty())
      table.columns = {
          {.title = "arm"},
          {.title = "against"},
          {.title = "metric"},
          {.title = "entropies", .unit = "nats", .numbers = true},
          {.title = "mean difference", .unit = seen.metric->unit, .numbers = true},
          {.title = "area", .unit = fmt::format("nats × {}", seen.metric->unit), .numbers = true}};
    table.rows.push_back(
        {.cells = {text_cell(with_sampler(seen.arm->label, seen.sampler)),
                   text_cell(with_sampler(seen.baseline->label, seen.baseline_sampler)),
                   text_cell(seen.metric->label),
                   text_cell(
                       fmt::format("{} to {}", significant(seen.from, 3), significant(seen.to, 3))),
                   estimate_cell(seen.mean_difference), estimate_cell(seen.area)},
         .origin = seen.arm->anchor});
  }
  if (table.rows.empty()) return table;
  table.caption =
      "The area between the curves by entropy: arm − baseline at equal entropy of the drawn tokens";
  table.notes = {
      "Over the entropies that both reach, paired by seed, with straight lines between the "
      "temperatures; mean ± half-width of the 95 % t-interval over seeds. The mean difference is "
      "the "
      "area over the width of that range, which differs between arms. Exploratory: intervals are "
      "not "
      "adjusted for their number."};
  if (group == "quality")
    table.notes.emplace_back("A loss under the judge: at equal entropy lower is better.");
  return table;
}

}  // namespace ablate::reports
