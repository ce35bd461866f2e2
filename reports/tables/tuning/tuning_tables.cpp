#include "reports/tables/tuning/tuning_tables.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "reports/analysis/facts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr const char* kSource =
    "the trials of tuning/ in the results folder, seed by seed; in report.json: /tuning";

/// "2.303 ± 0.012", and how many trials diverged.
Cell tried_cell(const ArmTuning& arm, const RateTried& tried) {
  const auto lost = static_cast<std::int64_t>(tried.values.values.size()) - tried.values.n;
  if (lost > 0) return text_cell(fmt::format("{} diverged", lost), Tone::bad);
  Cell cell = text_cell(significant(*tried.values.mean));
  if (tried.rate == arm.rate) cell.text += " (chosen)";
  return cell;
}

std::string edges_note(const TuningRecord& record) {
  std::vector<std::string> low, high;
  for (const ArmTuning& arm : record.arms) {
    if (arm.edge == "low") low.push_back(arm.label);
    if (arm.edge == "high") high.push_back(arm.label);
  }
  std::string text;
  const auto add = [&](const std::vector<std::string>& arms, const char* end) {
    if (arms.empty()) return;
    text += fmt::format("{}At the {} edge of the rates tried, so a better one may lie beyond: {}.",
                        text.empty() ? "" : " ", end, fmt::join(arms, ", "));
  };
  add(low, "lower");
  add(high, "upper");
  return text.empty() ? "No arm does best at an edge of the rates tried." : text;
}

/// Two arms whose curves of the expected best cross.
std::vector<std::string> crossings_with(const std::vector<double>& baseline,
                                        const std::vector<double>& arm, const std::string& label) {
  std::vector<std::string> notes;
  const std::size_t count = std::min(baseline.size(), arm.size());
  for (std::size_t n = 1; n < count; ++n)
    if ((arm[n] - baseline[n]) * (arm[n - 1] - baseline[n - 1]) < 0)
      notes.push_back(fmt::format("{} (between {} and {} rates)", label, n, n + 1));
  return notes;
}

/// The arm of that name. Requires: there is one.
const ArmResult& planned_arm(const Analysis& analysis, const std::string& name) {
  return *std::find_if(analysis.arms.begin(), analysis.arms.end(),
                       [&](const ArmResult& arm) { return arm.name == name; });
}

/// The FLOPs that an arm's completed trials spent.
double spent_by(const ArmResult& arm) {
  double flops = 0;
  for (const Json& ledger : completed_ledgers(arm)) flops += ledger.value("flops", 0.0);
  return flops;
}

}  // namespace

Table rates_table(const TuningRecord& record) {
  Table table{
      .name = "rates",
      .caption = fmt::format("{} on the development part, by learning rate, mean over {}",
                             arrowed(record.criterion), counted(record.seeds, "tuning seed"))};
  table.columns = {{.title = "arm"}};
  for (const double rate : record.rates)
    table.columns.push_back({.title = plain_number(rate), .numbers = true});
  const bool loss = record.criterion.better == Better::lower;
  if (loss) table.columns.push_back({.title = "sensitivity", .numbers = true});
  for (const ArmTuning& arm : record.arms) {
    Row& row = table.rows.emplace_back(Row{.cells = {text_cell(arm.label)}, .origin = arm.anchor});
    for (const RateTried& tried : arm.tried) row.cells.push_back(tried_cell(arm, tried));
    if (const auto sensitivity = rate_sensitivity(record, arm))
      row.cells.push_back(estimate_cell(*sensitivity));
  }
  table.source = kSource;
  table.notes = {
      "Every arm tried the same rates with the same seeds, none of which is a seed of the result. "
      "The best mean is chosen; of the rates that are worse by at most one standard error of the "
      "difference, paired by seed, the smallest. Values of different objectives are not "
      "comparable: "
      "read each row by itself.",
      edges_note(record)};
  if (record.extensions > 0)
    table.notes.push_back(fmt::format("The rates were extended {} for all arms.",
                                      record.extensions == 1 ? "once" : "twice"));
  if (loss)
    table.notes.push_back(
        "Sensitivity: what a rate drawn from those tried loses against the best of them, where no "
        "rate loses more than the loss at the beginning of training.");
  return table;
}

Table expected_best_table(const TuningRecord& record) {
  Table table{.name = "expected-best",
              .caption = fmt::format("{} that the best of n learning rates is expected to have",
                                     arrowed(record.criterion))};
  table.columns = {{.title = "arm"}};
  for (std::size_t n = 1; n <= record.rates.size(); ++n)
    table.columns.push_back({.title = fmt::format("n = {}", n), .numbers = true});
  std::vector<std::string> crossing;
  const std::vector<double> first = expected_best_of(record, record.arms.front());
  for (const ArmTuning& arm : record.arms) {
    Row& row = table.rows.emplace_back(Row{.cells = {text_cell(arm.label)}, .origin = arm.anchor});
    const std::vector<double> best = expected_best_of(record, arm);
    for (std::size_t n = 0; n < record.rates.size(); ++n)
      row.cells.push_back(text_cell(n < best.size() ? significant(best[n]) : ""));
    for (std::string& note : crossings_with(first, best, arm.label))
      crossing.push_back(std::move(note));
  }
  table.source = kSource;
  table.notes = {
      "n rates drawn with replacement from those tried; a rate at which a trial diverged counts as "
      "the loss at the beginning of training."};
  if (record.criterion.comparable_across == Comparable::all_arms)
    table.notes.push_back(
        crossing.empty()
            ? fmt::format("No arm crosses {}: which arm wins does not depend on the tuning budget.",
                          record.arms.front().label)
            : fmt::format("Which arm wins depends on the tuning budget: {} is crossed by {}.",
                          record.arms.front().label, fmt::join(crossing, ", ")));
  return table;
}

Table tuning_ledger_table(const TuningRecord& record, const Analysis& own, const Analysis& common) {
  Table table{.name = "tuning-ledger",
              .caption = "FLOPs of training: tuning, and the result",
              .columns = {{.title = "arm"},
                          {.title = "tuning trials", .numbers = true},
                          {.title = "diverged", .numbers = true},
                          {.title = "tuning", .unit = "FLOPs", .numbers = true},
                          {.title = "at its own rate", .unit = "FLOPs", .numbers = true},
                          {.title = "at the common rate", .unit = "FLOPs", .numbers = true}}};
  double tuning = 0, result = 0;
  for (const ArmTuning& arm : record.arms) {
    const ArmResult &ours = planned_arm(own, arm.name), &copy = planned_arm(common, arm.name);
    const bool shared = copy.planned == ours.planned;
    const double at_own = spent_by(ours), at_common = shared ? 0 : spent_by(copy);
    tuning += arm.flops;
    result += at_own + at_common;
    table.rows.push_back(
        {.cells = {text_cell(arm.label), text_cell(std::to_string(arm.trials)),
                   text_cell(std::to_string(arm.diverged)), text_cell(amount(arm.flops)),
                   from(ours.anchor, text_cell(amount(at_own))),
                   from(copy.anchor, text_cell(shared ? "the same trials" : amount(at_common)))},
         .origin = arm.anchor});
  }
  table.source = kSource;
  table.notes = {
      fmt::format("In all {} FLOPs for tuning and {} for the result. The budget that arms "
                  "are matched on is that of a trial: tuning comes on top, and is the "
                  "same number of trials for every arm.",
                  amount(tuning), amount(result))};
  return table;
}

}  // namespace ablate::reports
