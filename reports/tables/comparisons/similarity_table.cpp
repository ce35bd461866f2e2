#include "reports/tables/comparisons/similarity_table.h"

#include <algorithm>

namespace ablate::reports {
namespace {

/// The arms that have a last layer to compare, in the analysis' order.
std::vector<const ArmResult*> compared_arms(const Analysis& analysis,
                                            const std::vector<LayerSimilarity>& all) {
  std::vector<const ArmResult*> arms;
  for (const ArmResult& arm : analysis.arms)
    if (std::ranges::any_of(all, [&](const LayerSimilarity& each) {
          return each.last_layers && (each.first == &arm || each.second == &arm);
        }))
      arms.push_back(&arm);
  return arms;
}

Cell cell_of(const std::vector<LayerSimilarity>& all, const ArmResult* a, const ArmResult* b) {
  for (const LayerSimilarity& each : all)
    if (each.last_layers && std::minmax(each.first, each.second) == std::minmax(a, b))
      return estimate_cell(each.over_seeds);
  return text_cell("");
}

}  // namespace

Table similarity_table(const Analysis& analysis, const std::vector<LayerSimilarity>& all) {
  Table table{.name = "similarity", .alike = false};
  const std::vector<const ArmResult*> arms = compared_arms(analysis, all);
  if (arms.empty()) return table;
  table.caption = "How alike the last layers of arms are: unbiased linear CKA";
  table.columns = {{.title = "arm"}};
  for (const ArmResult* arm : arms) table.columns.push_back({.title = arm->label, .numbers = true});
  for (const ArmResult* arm : arms) {
    Row row{{text_cell(arm->label)}, false};
    for (const ArmResult* other : arms) row.cells.push_back(cell_of(all, arm, other));
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Of the vectors of the same documents, mean pooling, paired by seed; mean ± half-width of "
      "the 95 % t-interval over seeds. 1: one is a rotation and scaling of the other; about 0: "
      "they have nothing in common. similarity.csv has all pairs of layers."};
  return table;
}

}  // namespace ablate::reports
