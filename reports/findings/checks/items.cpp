// What other seeds and other test items would change of a difference.

#include <fmt/core.h>

#include "harness/base/number_text.h"
#include "reports/analysis/comparisons/item_differences.h"
#include "reports/findings/finding.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Item = ItemDifference;

/// A standard error, which pages show with two digits.
Field<Item> error_field(const char* title, const char* key,
                        double statistics::SeedsAndItems::*error) {
  return {number_column(title), key, key,
          [error](const Item& row) { return std::optional(row.both.*error); },
          [error](const Item& row) { return significant(row.both.*error, 2); }};
}

Fields<Item> item_fields(const Analysis& analysis) {
  return {{text_column("metric"), "", "", metric_of_difference<Item>},
          {text_column("arm"), "arm", "arm", arm_of_difference<Item>(analysis)},
          {{}, "metric", "metric", metric_of_difference<Item>},
          {number_column("seeds"), "seeds", "seeds", &Item::seeds},
          {number_column("items"), "items", "items", &Item::items},
          {number_column("difference"), "difference", "mean",
           [](const Item& row) { return std::optional(row.both.mean); },
           [](const Item& row) { return rounded(row.both.mean, row.both.interval).mean; }},
          {number_column("95 % interval over seeds and items"), "ci_low,ci_high", "ci",
           [](const Item& row) { return std::optional(row.both.interval); }},
          error_field("error of seeds", "seed_error", &statistics::SeedsAndItems::seed_error),
          error_field("error of items", "item_error", &statistics::SeedsAndItems::item_error),
          {number_column("models differ"), "models_differ", "models_differ", &Item::models_differ,
           [](const Item& row) {
             return row.models_differ ? fmt::format("{} of {}", *row.models_differ, row.seeds) : "";
           }},
          {{}, "label", "", label_of_difference<Item>(analysis)}};
}

}  // namespace

Finding find_items(const Study& study) {
  const Analysis& analysis = study.analysis;
  const std::vector<Item> rows = item_differences(analysis);
  Finding finding;
  finding.records = {records_of(analysis, "items", {"items"}, item_fields(analysis), rows)};
  Table table{.name = "items",
              .caption = "Differences by test item: what other seeds and other items would change"};
  add_rows(table, item_fields(analysis), rows, test_of<Item>);
  table.notes = {fmt::format(
      "The difference is that of the items' mean. Interval: percentiles of the bootstrap that "
      "draws seeds and, within each, test items anew. Errors: standard errors where only seeds, "
      "or only items within the seeds at hand, are drawn; the larger one says whether more "
      "seeds or more test items would make the difference more certain. Models differ: pairs of "
      "trained models that McNemar's test on the same items tells apart at alpha {:g}, "
      "uncorrected. None of this decides a verdict.",
      analysis.alpha)};
  finding.add("checks", std::move(table));
  return finding;
}

}  // namespace ablate::reports
