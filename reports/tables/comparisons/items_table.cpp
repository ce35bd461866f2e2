#include "reports/tables/comparisons/items_table.h"

#include <fmt/format.h>

#include "reports/analysis/answer/statement.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

Row row_of(const Analysis& analysis, const ItemDifference& seen) {
  const statistics::SeedsAndItems& both = seen.both;
  const std::optional<statistics::Interval> interval = both.interval;
  return {
      .cells = {text_cell(seen.difference->metric), text_cell(analysis.label(seen.difference->arm)),
                text_cell(std::to_string(seen.seeds)), text_cell(std::to_string(seen.items)),
                text_cell(rounded(both.mean, interval).mean),
                text_cell(fmt::format("{} to {}", rounded(interval->low, interval).mean,
                                      rounded(interval->high, interval).mean)),
                text_cell(significant(both.seed_error, 2)),
                text_cell(significant(both.item_error, 2)),
                text_cell(seen.models_differ
                              ? fmt::format("{} of {}", *seen.models_differ, seen.seeds)
                              : "")},
      .origin = test_anchor(*seen.difference)};
}

}  // namespace

Table items_table(const Analysis& analysis, const std::vector<ItemDifference>& all) {
  Table table{.name = "items"};
  if (all.empty()) return table;
  table.caption = "Differences by test item: what other seeds and other items would change";
  table.columns = {{.title = "metric"},
                   {.title = "arm"},
                   {.title = "seeds", .numbers = true},
                   {.title = "items", .numbers = true},
                   {.title = "difference", .numbers = true},
                   {.title = "95 % interval over seeds and items", .numbers = true},
                   {.title = "error of seeds", .numbers = true},
                   {.title = "error of items", .numbers = true},
                   {.title = "models differ", .numbers = true}};
  for (const ItemDifference& seen : all) table.rows.push_back(row_of(analysis, seen));
  table.notes = {fmt::format(
      "The difference is that of the items' mean. Interval: percentiles of the bootstrap that "
      "draws seeds and, within each, test items anew. Errors: standard errors where only seeds, "
      "or only items within the seeds at hand, are drawn; the larger one says whether more "
      "seeds or more test items would make the difference more certain. Models differ: pairs of "
      "trained models that McNemar's test on the same items tells apart at alpha {:g}, "
      "uncorrected. None of this decides a verdict.",
      analysis.alpha)};
  return table;
}

}  // namespace ablate::reports
