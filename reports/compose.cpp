#include "reports/compose.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "harness/base/error.h"
#include "reports/analysis/answer.h"
#include "reports/analysis/matching.h"
#include "reports/figures/budget_slopes.h"
#include "reports/figures/curves.h"
#include "reports/figures/dots.h"
#include "reports/figures/dynamics/dynamics_plot.h"
#include "reports/figures/forest.h"
#include "reports/figures/seed_lines.h"
#include "reports/figures/sweeps/sweep_plot.h"
#include "reports/figures/tasks/task_figures.h"
#include "reports/stores/stores_table.h"
#include "reports/tables/budgets/budget_tables.h"
#include "reports/tables/comparisons/items_table.h"
#include "reports/tables/comparisons/sensitivity_table.h"
#include "reports/tables/comparisons/similarity_table.h"
#include "reports/tables/comparisons/unpaired_table.h"
#include "reports/tables/ledger_table.h"
#include "reports/tables/main_table.h"
#include "reports/tables/metric_tables.h"
#include "reports/tables/realised_table.h"
#include "reports/tables/record_tables.h"
#include "reports/tables/sweeps/crossing_table.h"
#include "reports/tables/sweeps/trend_table.h"
#include "reports/tables/tasks/task_table.h"
#include "reports/tables/texts/prompt_tables.h"
#include "reports/tables/texts/sampler_tables.h"
#include "reports/text/number.h"
#include "reports/text/sample.h"
#include "reports/text/text.h"
#include "reports/tuning_sections.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kSamplesPerArm = 3;
constexpr std::size_t kMaxCharacters = 600;

void add_figure(Section& section, Figure figure) {
  if (!figure.panels.empty()) section.blocks.push_back(std::move(figure));
}

void add_table(Section& section, Table table) {
  if (!table.rows.empty() || !table.notes.empty()) section.blocks.push_back(std::move(table));
}

/// Puts a paragraph before what a section has, if it has anything.
void introduce(Section& section, std::string text) {
  if (!section.blocks.empty())
    section.blocks.insert(section.blocks.begin(), Paragraph{std::move(text)});
}

Section result_section(const Json& plan, const Analysis& analysis, const Findings& findings,
                       const Analysis* common) {
  Section section{"result", "Result", {}};
  add_table(section, stores_table(plan));
  section.blocks.push_back(main_table(analysis));
  if (common != nullptr)
    for (Paragraph& note : rates_notes(analysis, *common))
      section.blocks.push_back(std::move(note));
  add_figure(section, forest_plot(analysis));
  add_figure(section, seed_lines(analysis));
  add_figure(section, sweep_plots(analysis));
  add_table(section, trend_table(analysis, findings.trends));
  add_table(section, crossing_table(analysis));
  add_table(section, unpaired_table(analysis, findings.unpaired));
  add_table(section, sensitivity_table(analysis, findings.sensitivity));
  add_table(section, items_table(analysis, findings.items));
  add_table(section, task_table(findings.tasks));
  add_figure(section, rank_diagram(findings.tasks));
  add_figure(section, performance_profiles(findings.tasks));
  return section;
}

Section dynamics_section(const Analysis& analysis, const Findings& findings) {
  Section section{"dynamics", "Measured in training", {}};
  add_table(section, overtaking_table(analysis, findings.overtaking));
  add_figure(section, dynamics_plots(findings.courses));
  introduce(section,
            "A point on the way is not a shorter run: there the learning rate has not yet decayed, "
            "so a run that ends there is better than it as a rule. Points of different arms at the "
            "same tokens of text were made alike.");
  return section;
}

Section ledger_section(const store::Records& records, const Analysis& analysis) {
  Section section{"ledger", "What each arm spent", {}};
  section.blocks.push_back(Paragraph{matching(records.plan)});
  for (Table& table : budget_tables(analysis)) add_table(section, std::move(table));
  add_figure(section, budget_slopes(analysis));
  add_table(section, ledger_table(records, analysis));
  add_table(section, realised_table(analysis));
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
  Section section{"metrics-" + group.name, group.title, {}};
  const std::string warning = comparability(group);
  if (!warning.empty()) section.blocks.push_back(Paragraph{warning, true});
  add_figure(section, dot_plots(analysis, group.name, group.metrics));
  for (Table& table : metric_tables(analysis, group)) add_table(section, std::move(table));
  for (Table& table : difference_tables(analysis, group)) add_table(section, std::move(table));
  if (group.name == "representation")
    add_table(section, similarity_table(analysis, findings.similarity));
  return section;
}

std::string about_text(const Json& about) {
  std::string text;
  if (!about.is_object()) return text;
  for (const auto& [key, value] : about.items()) {
    if (value.is_structured() || value.is_null() || key == "prompt") continue;
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_number()   ? significant(value.get<double>(), 4)
                        : value.is_string() ? value.get<std::string>()
                                            : value.dump());
  }
  return text;
}

Section prompts_section(const Analysis& analysis) {
  Section section{"prompts", "The same prompts, asked of every arm", {}};
  for (Table& table : prompt_tables(analysis)) add_table(section, std::move(table));
  if (!section.blocks.empty())
    section.blocks.insert(
        section.blocks.begin(),
        Paragraph{
            "Answers of each arm's first seed, in the format that it was trained on. \"Exact\" "
            "is the posterior of the built-in language, given what a format of that kind "
            "shows."});
  return section;
}

Section samplers_section(const Analysis& analysis) {
  Section section{"samplers", "The same beginnings, by every sampler", {}};
  for (Table& table : sampler_tables(analysis)) add_table(section, std::move(table));
  introduce(
      section,
      "What each sampler drew from each arm's first seed, not chosen. Arms that fill masks are "
      "told the length of a text. On the built-in language the log-probability is exact: of "
      "what was drawn, given what stands around it.");
  return section;
}

/// The texts of a trial that stand in no table: answers to prompts do, and what named samplers drew.
std::vector<store::Sample> texts_of(const store::TrialRecord& trial) {
  std::vector<store::Sample> texts;
  std::ranges::remove_copy_if(
      trial.samples, std::back_inserter(texts),
      [](const store::Sample& each) { return answers_prompt(each) || is_of_sampler(each); });
  return texts;
}

Section samples_section(const Analysis& analysis) {
  Section section{"samples", "Generated samples", {}};
  bool marked = false;
  std::vector<Passages> rows;  // the first texts of all arms, then the second ones
  for (const ArmResult& arm : analysis.arms) {
    const auto trial = std::ranges::find_if(
        arm.trials, [](const store::TrialRecord* each) { return !texts_of(*each).empty(); });
    if (trial == arm.trials.end()) continue;
    const std::vector<store::Sample> samples = texts_of(**trial);
    for (std::size_t i = 0; i < std::min(samples.size(), kSamplesPerArm); ++i) {
      const std::string text = marked_text(samples[i]);
      marked = marked || text != samples[i].text;
      if (i == rows.size()) rows.push_back({fmt::format("Text {}", i + 1), {}});
      rows[i].texts.push_back({fmt::format("{}, seed {}", arm.label, (*trial)->seed),
                               shortened(readable(text, true), kMaxCharacters),
                               about_text(samples[i].about)});
    }
  }
  for (Passages& row : rows) section.blocks.push_back(std::move(row));
  if (!section.blocks.empty()) {
    section.blocks.insert(
        section.blocks.begin(),
        Paragraph{fmt::format("The first texts of each arm's first seed, not chosen.{}",
                              marked ? fmt::format(" {} marks where the prompt ends and what was "
                                                   "generated begins.",
                                                   kPromptEnd)
                                     : "")});
  }
  return section;
}

/// What the plan warned of and no other part of the report says: its sentence on the seeds is part
/// of the method.
std::vector<std::string> plan_warnings(const Json& plan) {
  std::vector<std::string> warnings;
  const Json stored = plan.value("warnings", Json::array());
  for (const Json& warning : stored)
    if (warning.is_string() && warning != plan.value("power", Json()))
      warnings.push_back(warning.get<std::string>());
  return warnings;
}

/// The counts of failures stand below the main table; here are their messages.
Section failures_section(const store::Records& records, const Analysis& analysis) {
  Section section{"failures", "Failures and warnings", {}};
  for (const std::string& line : messages(analysis)) section.blocks.push_back(Paragraph{line});
  for (std::string& line : unrecorded(analysis))
    section.blocks.push_back(Paragraph{std::move(line), true});
  for (std::string& warning : plan_warnings(records.plan))
    section.blocks.push_back(Paragraph{std::move(warning), true});
  if (!section.blocks.empty()) return section;
  const bool complete = failures(analysis).empty();
  section.blocks.push_back(
      Paragraph{complete ? "No trial failed, and the plan had no other warnings."
                         : "The trials that did not complete are named below the main table."});
  return section;
}

Section method_section(const Analysis& analysis) {
  Section section{"method", "How this was made", {}};
  section.blocks.push_back(Paragraph{method(analysis)});
  add_table(section, provenance_table(analysis));
  add_table(section, trials_table(analysis));
  return section;
}

/// "2 arms, 6 seeds each, 12 trials, 11 completed".
std::string facts(const Analysis& analysis) {
  std::int64_t completed = 0;
  std::size_t maximum = 0;
  for (const ArmResult& arm : analysis.arms) {
    completed += arm.completed;
    maximum = std::max(maximum, arm.trials.size());
  }
  const std::int64_t trials = analysis.trials();
  std::string text = fmt::format(
      "{} · {} each · {}", counted(static_cast<std::int64_t>(analysis.arms.size()), "arm"),
      counted(static_cast<std::int64_t>(maximum), "seed"), counted(trials, "trial"));
  return completed == trials ? text : fmt::format("{}, {} completed", text, completed);
}

Document sections(const store::Records& records, const Analysis& analysis, const Findings& findings,
                  const Analysis* common) {
  Document document{analysis.experiment,
                    analysis.question,
                    answer(analysis) + overtaking(analysis) +
                        overtaking_in_training(analysis, findings.overtaking) +
                        flip_sentences(analysis),
                    facts(analysis),
                    {}};
  const auto add = [&](Section section) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  };
  add(result_section(records.plan, analysis, findings, common));
  if (common != nullptr)
    for (Section& section : tuning_sections(records.plan, analysis, *common))
      add(std::move(section));
  Section curves{"curves", "Training curves", {}};
  add_figure(curves, training_curves(analysis));
  add(std::move(curves));
  add(dynamics_section(analysis, findings));
  add(ledger_section(records, analysis));
  for (const Group& group : groups_of(analysis)) add(group_section(analysis, findings, group));
  add(prompts_section(analysis));
  add(samplers_section(analysis));
  add(samples_section(analysis));
  add(failures_section(records, analysis));
  add(method_section(analysis));
  return document;
}

}  // namespace

Document compose(const store::Records& records, const Analysis& analysis, const Findings& findings,
                 const Analysis* common) {
  try {
    return sections(records, analysis, findings, common);
  } catch (const Json::exception& error) {
    damaged(
        "the stored records cannot be read: {}; rebuild the index with `ablate doctor DIR "
        "--rebuild`",
        error.what());
  }
}

}  // namespace ablate::reports
