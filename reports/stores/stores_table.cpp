#include "reports/stores/stores_table.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kShownDigits = 12;

}  // namespace

Table stores_table(const store::StoredPlan& plan) {
  Table table{.name = "stores", .caption = "The results that this report puts side by side"};
  if (plan.folders.empty()) return table;
  table.columns = {{.title = "store"},
                   {.title = "experiment"},
                   {.title = "question"},
                   {.title = "trials", .numbers = true},
                   {.title = "text"}};
  for (const store::StoredFolder& folder : plan.folders)
    table.rows.push_back({{text_cell(folder.name), text_cell(folder.experiment),
                           text_cell(folder.question), text_cell(std::to_string(folder.trials)),
                           text_cell(folder.text.substr(0, kShownDigits))}});
  table.source = "`stores` of the plan that is made of those of all folders";
  table.notes = {
      "Text: the first digits of the hash of the corpus that trials read. The baseline is "
      "that of the first store, and so is the analysis."};
  return table;
}

}  // namespace ablate::reports
