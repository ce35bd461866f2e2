// How alike the hidden states of arms are.

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/comparisons/layer_similarity.h"
#include "reports/findings/finding.h"

namespace ablate::reports {
namespace {

Fields<LayerSimilarity> similarity_fields() {
  const auto layer = [](std::size_t LayerSimilarity::*member) {
    return [member](const LayerSimilarity& row) { return static_cast<std::int64_t>(row.*member); };
  };
  return {{{}, "arm", "", [](const LayerSimilarity& row) { return row.first->name; }},
          {{}, "layer", "", layer(&LayerSimilarity::first_layer)},
          {{}, "other_arm", "", [](const LayerSimilarity& row) { return row.second->name; }},
          {{}, "other_layer", "", layer(&LayerSimilarity::second_layer)},
          {{}, "seeds", "", [](const LayerSimilarity& row) { return row.over_seeds.n; }},
          {{}, "cka,ci_low,ci_high", kInRow, &LayerSimilarity::over_seeds},
          {{}, "label", "", [](const LayerSimilarity& row) { return row.first->label; }},
          {{}, "other_label", "", [](const LayerSimilarity& row) { return row.second->label; }}};
}

Records records_of(const Analysis& analysis, const std::vector<LayerSimilarity>& all) {
  Records records =
      reports::records_of(analysis, "similarity", {"similarity"}, similarity_fields(), all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    records.json[i]["arms"] = {all[i].first->name, all[i].second->name};
    records.json[i]["layers"] = {all[i].first_layer, all[i].second_layer};
  }
  return records;
}

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

Table table_of(const Analysis& analysis, const std::vector<LayerSimilarity>& all) {
  Table table{.name = "similarity",
              .caption = "How similar the arms' last layers are: unbiased linear CKA",
              .columns = {{.title = "arm"}},
              .alike = false};
  const std::vector<const ArmResult*> arms = compared_arms(analysis, all);
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

}  // namespace

Finding find_similarity(const Study& study) {
  std::vector<LayerSimilarity> all = layer_similarities(study.analysis);
  Finding finding;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].over_seeds.anchor = fmt::format("similarity-{}", i + 1);
    if (all[i].last_layers)
      finding.values.push_back({fmt::format("CKA of the last layers of {} and {}",
                                            all[i].first->label, all[i].second->label),
                                all[i].over_seeds, path_to({"similarity", std::to_string(i)})});
  }
  finding.records = {records_of(study.analysis, all)};
  finding.add("metrics-representation", table_of(study.analysis, all));
  return finding;
}

}  // namespace ablate::reports
