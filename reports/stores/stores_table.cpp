#include "reports/stores/stores_table.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kShownDigits = 12;

}  // namespace

Table stores_table(const Json& plan) {
  Table table{.name = "stores", .caption = "The results that this report puts side by side"};
  const Json stores = plan.value("stores", Json::array());
  if (stores.empty()) return table;
  table.columns = {{.title = "store"},
                   {.title = "experiment"},
                   {.title = "question"},
                   {.title = "trials", .numbers = true},
                   {.title = "text"}};
  for (const Json& store : stores)
    table.rows.push_back(
        {{text_cell(store.at("name").get<std::string>()),
          text_cell(store.at("experiment").get<std::string>()),
          text_cell(store.at("question").get<std::string>()), text_cell(store.at("trials").dump()),
          text_cell(store.at("text").get<std::string>().substr(0, kShownDigits))}});
  table.source = "`stores` of the plan that is made of those of all folders";
  table.notes = {
      "Text: the first digits of the hash of the corpus that trials read. The baseline is "
      "that of the first store, and so is the analysis."};
  return table;
}

}  // namespace ablate::reports
