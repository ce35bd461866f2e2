#include "reports/compose.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "harness/base/error.h"
#include "reports/analysis/answer/answer.h"
#include "reports/analysis/answer/limits.h"
#include "reports/analysis/answer/metric_range.h"
#include "reports/analysis/matching.h"
#include "reports/analysis/method.h"
#include "reports/figures/budget_slopes.h"
#include "reports/tables/budgets/budget_tables.h"
#include "reports/tables/ledger_table.h"
#include "reports/tables/realised_table.h"
#include "reports/tables/record_tables.h"
#include "reports/tables/time_table.h"
#include "reports/text/number.h"
#include "reports/text_sections.h"

namespace ablate::reports {
namespace {

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
  return "Losses of different objectives answer different questions: compare each with its own "
         "optimum and floor, and compare arms only in metrics that the notes below allow.";
}

/// The head of the section of a group of metrics.
Section group_section(const Analysis& analysis, const Group& group) {
  Section section{section_of(group), group.title, {}, metric_range(analysis, group.metrics)};
  const std::string warning = comparability(group);
  if (!warning.empty()) section.blocks.push_back(Paragraph{warning, true});
  return section;
}

constexpr std::string_view kNoFloors =
    "The plan was written before metrics stated their floors, and which of them are scores of "
    "tasks: no arm is compared with a floor, and tasks are not combined. `ablate run` with the "
    "experiment's file on this folder rewrites the plan and trains nothing twice.";

/// The counts of failures stand below the main table; here are their messages.
Section failures_section(const Analysis& analysis) {
  Section section{"failures", "Failures and warnings", {}};
  for (const std::string& line : messages(analysis)) section.blocks.push_back(Paragraph{line});
  for (std::string& line : unrecorded(analysis))
    section.blocks.push_back(Paragraph{std::move(line), true});
  if (analysis.floors_unknown) section.blocks.push_back(Paragraph{std::string(kNoFloors), true});
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

/// The sentences of the answer: on floors and primary differences, what the findings add, and
/// orders that depend on the budget.
std::vector<Statement> whole_answer(const Analysis& analysis, const Findings& findings) {
  std::vector<Statement> statements = answer_statements(analysis);
  for (const Finding& finding : findings) append(statements, finding.statements);
  append(statements, flip_statements(analysis));
  return statements;
}

Document sections(const Study& study, const Findings& findings) {
  const Analysis& analysis = study.analysis;
  Document document{analysis.experiment,
                    analysis.question,
                    whole_answer(analysis, findings),
                    facts(analysis),
                    {},
                    analysis.none_above_floor ? "" : limits(analysis)};
  const auto add = [&](Section section, bool folded = true) {
    add_blocks(findings, section);
    if (section.blocks.empty()) return;
    section.folded = folded;
    document.sections.push_back(std::move(section));
  };
  add({"result", "Result", {}}, false);
  add({"curves", "Training curves", {}}, false);
  for (const Group& group : study.groups) add(group_section(analysis, group));
  add({"tasks", "Several tasks together", {}});
  add({"dynamics", "Measured in training", {}});
  for (Section& section : text_sections(analysis)) add(std::move(section));
  add({"common-rate", "Result at the common rate", {}});
  add({"tuning", "Learning rates", {}});
  add({"checks", "Does the result depend on the test?", {}});
  add(ledger_section(analysis));
  add(failures_section(analysis));
  add(method_section(analysis));
  return document;
}

}  // namespace

Composed compose(const Study& study) {
  try {
    Composed made{.findings = findings_of(study)};
    made.document = sections(study, made.findings);
    return made;
  } catch (const Json::exception& error) {
    damaged(
        "the stored records cannot be read: {}; rebuild the index with `ablate doctor DIR "
        "--rebuild`",
        error.what());
  }
}

}  // namespace ablate::reports
