#include "reports/compose.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "harness/base/error.h"
#include "reports/analysis/answer/answer.h"
#include "reports/analysis/answer/limits.h"
#include "reports/analysis/answer/method.h"
#include "reports/analysis/answer/metric_range.h"
#include "reports/analysis/matching.h"
#include "reports/figures/budget_slopes.h"
#include "reports/figures/curves.h"
#include "reports/figures/dots.h"
#include "reports/figures/dynamics/dynamics_plot.h"
#include "reports/figures/forest.h"
#include "reports/figures/probes/curve_plots.h"
#include "reports/figures/seed_lines.h"
#include "reports/figures/sweeps/sweep_plot.h"
#include "reports/figures/tasks/task_figures.h"
#include "reports/figures/temperatures/entropy_plot.h"
#include "reports/stores/stores_table.h"
#include "reports/tables/budgets/budget_tables.h"
#include "reports/tables/comparisons/items_table.h"
#include "reports/tables/comparisons/sensitivity_table.h"
#include "reports/tables/comparisons/similarity_table.h"
#include "reports/tables/comparisons/unpaired_table.h"
#include "reports/tables/ledger_table.h"
#include "reports/tables/main_table.h"
#include "reports/tables/metric_tables.h"
#include "reports/tables/probes/curve_tables.h"
#include "reports/tables/probes/part_tables.h"
#include "reports/tables/realised_table.h"
#include "reports/tables/record_tables.h"
#include "reports/tables/sweeps/crossing_table.h"
#include "reports/tables/sweeps/trend_table.h"
#include "reports/tables/tasks/task_table.h"
#include "reports/tables/texts/entropy_table.h"
#include "reports/tables/time_table.h"
#include "reports/text/number.h"
#include "reports/text_sections.h"
#include "reports/tuning_sections.h"

namespace ablate::reports {
namespace {

Section result_section(const Analysis& analysis, const Findings& findings, const Analysis* common) {
  Section section{"result", "Result", {}};
  section.add(stores_table(analysis.plan));
  section.blocks.push_back(main_table(analysis));
  if (common != nullptr)
    for (Paragraph& note : rates_notes(analysis, *common))
      section.blocks.push_back(std::move(note));
  Figure forest = forest_plot(analysis);
  forest.beside_answer = !analysis.none_above_floor;  // then it is no answer
  section.add(std::move(forest));
  section.add(seed_lines(analysis));
  section.add(sweep_plots(analysis));
  section.add(declared_trend_table(analysis));
  section.add(trend_table(analysis, findings.trends));
  section.add(crossing_table(analysis, findings.crossings));
  return section;
}

Section tasks_section(const Analysis& analysis, const Findings& findings) {
  Section section{"tasks", "Several tasks together", {}};
  section.add(task_table(findings.tasks, analysis.alpha));
  section.add(rank_diagram(findings.tasks));
  section.add(performance_profiles(findings.tasks));
  return section;
}

/// The primary differences once more, by other tests and over other units.
Section checks_section(const Analysis& analysis, const Findings& findings) {
  Section section{"checks", "Does the result depend on the test?", {}};
  section.add(unpaired_table(analysis, findings.unpaired));
  section.add(sensitivity_table(analysis, findings.sensitivity));
  section.add(items_table(analysis, findings.items));
  return section;
}

Section dynamics_section(const Analysis& analysis, const Findings& findings) {
  Section section{"dynamics", "Measured in training", {}};
  section.add(overtaking_table(analysis, findings.overtaking));
  section.add(dynamics_plots(findings.courses));
  section.introduce(
      "A point on the way is not a shorter run: there the learning rate has not yet decayed, "
      "so a run that ends there is better than it as a rule. Points of different arms at the "
      "same tokens of text were made alike.");
  return section;
}

Section ledger_section(const Analysis& analysis) {
  Section section{"ledger", "What each arm spent", {}, matching(analysis.plan)};
  section.blocks.push_back(Paragraph{section.finding});
  for (Table& table : budget_tables(analysis)) section.add(std::move(table));
  section.add(budget_slopes(analysis));
  section.add(ledger_table(analysis));
  section.add(time_table(analysis));
  section.add(realised_table(analysis));
  return section;
}

/// A note on which metrics of a group may be compared between arms; empty where all may.
std::string comparability(const Group& group) {
  const auto limited = [](const MetricRow* metric) {
    return metric->comparable_across != Comparable::all_arms;
  };
  if (std::none_of(group.metrics.begin(), group.metrics.end(), limited)) return "";
  return "Losses of different objectives are answers to different questions: read each with its "
         "own optimum and floor, and compare arms only in what the notes below allow.";
}

Section group_section(const Analysis& analysis, const Findings& findings, const Group& group) {
  Section section{"metrics-" + group.name, group.title, {}, metric_range(analysis, group.metrics)};
  const std::string warning = comparability(group);
  if (!warning.empty()) section.blocks.push_back(Paragraph{warning, true});
  section.add(dot_plots(analysis, group.name, group.metrics));
  section.add(entropy_plots(findings.entropy_curves, group.name));
  section.add(entropy_table(findings.entropy_areas, group.name));
  for (Table& table : metric_tables(analysis, group)) section.add(std::move(table));
  for (Table& table : difference_tables(analysis, group)) section.add(std::move(table));
  section.add(curve_plots(findings.curves, group.name, group.metrics));
  for (Table& table : curve_tables(findings.curves, group.name, group.metrics))
    section.add(std::move(table));
  for (Table& table : part_tables(findings.parts, group.metrics)) section.add(std::move(table));
  if (group.name == metric_names::kRepresentation)
    section.add(similarity_table(analysis, findings.similarity));
  return section;
}

/// The counts of failures stand below the main table; here are their messages.
Section failures_section(const Analysis& analysis) {
  Section section{"failures", "Failures and warnings", {}};
  for (const std::string& line : messages(analysis)) section.blocks.push_back(Paragraph{line});
  for (std::string& line : unrecorded(analysis))
    section.blocks.push_back(Paragraph{std::move(line), true});
  // Its sentence on the seeds is part of the method.
  for (std::string& warning : analysis.plan.other_warnings())
    section.blocks.push_back(Paragraph{std::move(warning), true});
  section.finding = counted(static_cast<std::int64_t>(section.blocks.size()), "note");
  if (!section.blocks.empty()) return section;
  const bool complete = failures(analysis).empty();
  section.finding = complete ? "none" : "trials that did not complete";
  section.blocks.push_back(
      Paragraph{complete ? "No trial failed, and the plan had no other warnings."
                         : "The trials that did not complete are named below the main table."});
  return section;
}

Section method_section(const Analysis& analysis) {
  Section section{"method", "How this was made", {}};
  section.blocks.push_back(Paragraph{method(analysis)});
  section.add(provenance_table(analysis));
  section.add(trials_table(analysis));
  return section;
}

void append(std::vector<Statement>& statements, std::vector<Statement> more) {
  std::ranges::move(more, std::back_inserter(statements));
}

/// "2 arms, 6 seeds each, 12 trials, 11 completed".
std::string facts(const Analysis& analysis) {
  std::int64_t completed = 0;
  std::set<std::size_t> seeds;  // how many the arms have
  for (const ArmResult& arm : analysis.arms) {
    completed += arm.completed;
    seeds.insert(arm.trials.size());
  }
  const auto most = seeds.empty() ? 0 : static_cast<std::int64_t>(*seeds.rbegin());
  const std::string each = seeds.size() > 1
                               ? fmt::format("{} to {} seeds per arm", *seeds.begin(), most)
                               : counted(most, "seed") + " each";
  const std::int64_t trials = analysis.trials();
  std::string text =
      fmt::format("{} · {} · {}", counted(static_cast<std::int64_t>(analysis.arms.size()), "arm"),
                  each, counted(trials, "trial"));
  return completed == trials ? text : fmt::format("{}, {} completed", text, completed);
}

Document sections(const Analysis& analysis, const Findings& findings, const Analysis* common) {
  Document document{analysis.experiment,
                    analysis.question,
                    whole_answer(analysis, findings),
                    facts(analysis),
                    {},
                    analysis.none_above_floor ? "" : limits(analysis)};
  const auto add = [&](Section section, bool folded = true) {
    if (section.blocks.empty()) return;
    section.folded = folded;
    document.sections.push_back(std::move(section));
  };
  add(result_section(analysis, findings, common), false);
  Section curves{"curves", "Training curves", {}};
  curves.add(training_curves(analysis));
  add(std::move(curves), false);
  for (const Group& group : groups_of(analysis)) add(group_section(analysis, findings, group));
  add(tasks_section(analysis, findings));
  add(dynamics_section(analysis, findings));
  for (Section& section : text_sections(analysis)) add(std::move(section));
  if (common != nullptr)
    for (Section& section : tuning_sections(analysis, *common)) add(std::move(section));
  add(checks_section(analysis, findings));
  add(ledger_section(analysis));
  add(failures_section(analysis));
  add(method_section(analysis));
  return document;
}

}  // namespace

std::vector<Statement> whole_answer(const Analysis& analysis, const Findings& findings) {
  std::vector<Statement> statements = answer_statements(analysis);
  append(statements, overtaking(analysis, findings.crossings));
  append(statements, overtaking_in_training(analysis, findings.overtaking));
  append(statements, flip_statements(analysis));
  return statements;
}

Document compose(const Analysis& analysis, const Findings& findings, const Analysis* common) {
  try {
    return sections(analysis, findings, common);
  } catch (const Json::exception& error) {
    damaged(
        "the stored records cannot be read: {}; rebuild the index with `ablate doctor DIR "
        "--rebuild`",
        error.what());
  }
}

}  // namespace ablate::reports
