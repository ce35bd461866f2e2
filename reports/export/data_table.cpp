#include "reports/export/data_table.h"

#include "reports/analysis/facts.h"
#include "reports/export/curve_loss.h"

namespace ablate::reports {
namespace {

using store::TrialRecord;

/// The tables while they are filled in.
struct Tables {
  DataTable trials, metrics, dynamics, curves, samples, ledger;
};

DataTable with_columns(const std::string& name, const std::vector<std::string>& columns) {
  DataTable table{name, {"experiment", "trial", "arm", "seed"}, {}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  return table;
}

Tables empty_tables() {
  return {with_columns("trials", {"label", "objective", "baseline", "outcome", "message",
                                  "attempts", "started", "ended"}),
          with_columns("metrics", {"metric", "value", "unit", "better", "comparable_across"}),
          with_columns("dynamics",
                       {"metric", "value", "step", "text_tokens", "targets", "flops", "seconds"}),
          with_columns("curves",
                       {"step", "text_tokens", "loss", "learning_rate", "gradient_norm", "spike"}),
          with_columns("samples", {"number", "text", "about"}),
          with_columns("ledger", {"quantity", "value"})};
}

/// Adds a row that begins with the trial's columns.
void add_row(DataTable& table, const std::vector<Json>& trial, std::initializer_list<Json> rest) {
  std::vector<Json>& row = table.rows.emplace_back(trial);
  row.insert(row.end(), rest.begin(), rest.end());
}

Json text_or_nothing(const std::string& text) { return text.empty() ? Json() : Json(text); }

void add_metrics(const Analysis& analysis, const TrialRecord& trial, const std::vector<Json>& place,
                 DataTable& table) {
  for (const auto& [name, value] : trial.metrics) {
    const MetricRow& row = *analysis.metric(name);
    add_row(table, place,
            {name, value, row.unit, name_of(row.better), name_of(row.comparable_across)});
  }
}

void add_trial(const Analysis& analysis, const ArmResult& arm, const TrialRecord& trial,
               Tables& tables) {
  const std::vector<Json> place = {analysis.experiment, trial.id, arm.name, trial.seed};
  add_row(tables.trials, place,
          {arm.label, arm.objective, arm.baseline, trial.outcome, trial.message, trial.attempts,
           text_or_nothing(trial.started), text_or_nothing(trial.ended)});
  add_metrics(analysis, trial, place, tables.metrics);
  for (const auto& [at, metrics] : trial.on_the_way)
    for (const auto& [name, value] : metrics)
      add_row(tables.dynamics, place,
              {name, value, at.step, at.text_tokens, at.targets, at.flops, at.seconds});
  for (const store::CurvePoint& point : trial.curve.points()) {
    const std::optional<double> loss = curve_loss(trial, point);
    add_row(tables.curves, place,
            {point.step, point.text_tokens, loss ? Json(*loss) : Json(), point.learning_rate,
             point.gradient_norm, point.spike});
  }
  std::int64_t number = 0;
  for (const store::Sample& sample : trial.samples)
    add_row(tables.samples, place, {++number, sample.text, canonical(sample.about)});
  for (const auto& [quantity, value] : facts_of(trial.ledger))
    add_row(tables.ledger, place, {quantity, value});
}

}  // namespace

std::vector<DataTable> tidy_tables(std::span<const Analysis> experiments) {
  Tables tables = empty_tables();
  for (const Analysis& analysis : experiments)
    for (const ArmResult& arm : analysis.arms)
      for (const TrialRecord* trial : arm.trials) add_trial(analysis, arm, *trial, tables);
  return {std::move(tables.trials), std::move(tables.metrics), std::move(tables.dynamics),
          std::move(tables.curves), std::move(tables.samples), std::move(tables.ledger)};
}

}  // namespace ablate::reports
