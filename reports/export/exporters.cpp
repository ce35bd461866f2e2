#include "reports/export/exporters.h"

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "reports/export/data_table.h"
#include "reports/export/mlflow.h"
#include "reports/export/table_files.h"
#include "reports/export/tensorboard.h"

namespace ablate::reports {
namespace {

constexpr Exporter kExporters[] = {
    {"csv", "tidy tables for spreadsheets and data frames",
     [](const ExportInput& input) { return csv_table_files(tidy_tables(input.experiments)); }},
    {"jsonl", "the same tables as JSON Lines, with every character as it is",
     [](const ExportInput& input) { return jsonl_table_files(tidy_tables(input.experiments)); }},
    {"tensorboard", "an event file a trial: curves and metrics",
     [](const ExportInput& input) { return tensorboard_files(input.experiments); }},
    {"mlflow", "a file store: a run a trial, with settings, metrics and curves",
     [](const ExportInput& input) { return mlflow_files(input.experiments, input.folder); }}};

}  // namespace

std::span<const Exporter> exporters() { return kExporters; }

const Exporter& exporter_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Exporter& each : kExporters) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  reject("--to {}: unknown export format; {}", name, suggestion(name, names));
}

}  // namespace ablate::reports
