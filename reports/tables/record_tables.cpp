#include "reports/tables/record_tables.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "reports/analysis/facts.h"
#include "reports/tables/missing.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

/// "1, 2, 3", or the first 100 of more.
std::string first_of(const std::vector<std::int64_t>& seeds) {
  constexpr std::size_t kMost = 100;
  const std::span<const std::int64_t> some(seeds.data(), std::min(seeds.size(), kMost));
  return fmt::format("{}{}", fmt::join(some, ", "), seeds.size() > kMost ? ", ..." : "");
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Table trials_table(const Analysis& analysis) {
  const bool all = names_trials(analysis);
  Table table{.name = "trials",
              .caption = all ? "Every trial of the plan"
                             : fmt::format("Trials that did not complete, of {}: at most {} are "
                                           "named here, all in trials_wide.csv (--format csv)",
                                           counted(analysis.trials(), "trial"), kMostTrialsNamed)};
  table.source =
      "trials/*/TRIAL/journal.jsonl; `attempts` of the table trial in index.sqlite, and `steps` "
      "and `seconds` of its `ledger`";
  table.columns = {{.title = "arm"},
                   {.title = "seed", .numbers = true},
                   {.title = "trial"},
                   {.title = "outcome"},
                   {.title = "attempts", .numbers = true},
                   {.title = "steps", .numbers = true},
                   {.title = "seconds", .numbers = true}};
  const auto number = [](const Json& ledger, const char* key) {
    const Json value = ledger.is_object() ? ledger.value(key, Json()) : Json();
    return text_cell(value.is_number() ? fact_text(value) : "");
  };
  for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
    const ArmResult& arm = analysis.arms[i];
    for (std::size_t k = 0; k < arm.trials.size(); ++k) {
      const store::TrialRecord* trial = arm.trials[k];
      const bool fine = trial->outcome == "completed";
      if (!all && (fine || std::ssize(table.rows) == kMostTrialsNamed)) continue;
      table.rows.push_back(
          {{text_cell(arm.label), text_cell(std::to_string(trial->seed)), text_cell(trial->id),
            text_cell(trial->outcome, fine ? Tone::plain : Tone::bad),
            text_cell(std::to_string(trial->attempts)), number(trial->ledger, "steps"),
            number(trial->ledger, "seconds")},
           false,
           trial_anchor(i, k)});
    }
  }
  return table;
}

std::string trial_anchor(std::size_t arm, std::size_t seed) {
  return fmt::format("trial-{}-{}", arm + 1, seed + 1);
}

Table provenance_table(const Analysis& analysis) {
  std::map<std::string, std::map<std::string, std::int64_t>> seen;
  for (const ArmResult& arm : analysis.arms) {
    for (const store::TrialRecord* trial : arm.trials) {
      for (const auto& [key, value] : facts_of(trial->provenance)) {
        ++seen[key][value.is_string() ? value.get<std::string>() : value.dump()];
      }
    }
  }
  Table table{.name = "provenance",
              .caption = "Machine and code, as each trial recorded them",
              .alike = false};
  table.columns = {{.title = "fact"}, {.title = "value"}};
  for (const auto& [key, values] : seen) {
    std::string text;
    for (const auto& [value, count] : values) {
      text += text.empty() ? "" : "; ";
      text += shortened(readable(value), 200);
      if (values.size() > 1) text += fmt::format(" ({})", counted(count, "trial"));
    }
    const bool many = values.size() > 4;
    table.rows.push_back(
        {{text_cell(words(key)),
          text_cell(many ? fmt::format("differs: {} values", values.size()) : text)}});
  }
  return table;
}

std::vector<std::string> failures(const Analysis& analysis) {
  std::vector<std::string> lines;
  for (const ArmResult* arm : analysis.arms_with_records()) {
    std::map<std::string, std::vector<std::int64_t>> seeds;
    for (const store::TrialRecord* trial : arm->trials) {
      if (trial->outcome != "completed") seeds[trial->outcome].push_back(trial->seed);
    }
    for (const auto& [outcome, which] : seeds) {
      lines.push_back(fmt::format("{}: {} of {} {} (seed {})", arm->label, which.size(),
                                  counted(std::ssize(arm->trials), "trial"), outcome,
                                  first_of(which)));
    }
  }
  return lines;
}

namespace {

/// Whether the trial's probe said why it has no such number.
bool says_why(const store::TrialRecord& trial, const std::string& metric) {
  return trial.absent.contains(metric) || trial.absent.contains(group_of(metric));
}

}  // namespace

std::vector<std::string> missing_values(const Analysis& analysis) {
  std::vector<std::string> lines;
  for (const ArmResult& arm : analysis.arms) {
    std::map<std::vector<std::int64_t>, std::vector<std::string>> metrics_by_seeds;
    for (const auto& [metric, estimate] : arm.metrics) {
      std::vector<std::int64_t> seeds;
      for (std::size_t i = 0; i < arm.trials.size(); ++i)
        if (arm.trials[i]->outcome == "completed" && !estimate.values[i] &&
            !says_why(*arm.trials[i], metric))
          seeds.push_back(arm.trials[i]->seed);
      if (!seeds.empty()) metrics_by_seeds[seeds].push_back(metric);
    }
    for (const auto& [seeds, metrics] : metrics_by_seeds)
      lines.push_back(fmt::format(
          "{}: {} of {} no finite {} ({} {})", arm.label, seeds.size(),
          counted(arm.completed, "completed trial") + (seeds.size() == 1 ? " has" : " have"),
          fmt::join(metrics, ", "), seeds.size() == 1 ? "seed" : "seeds", first_of(seeds)));
  }
  return lines;
}

std::vector<std::string> messages(const Analysis& analysis) {
  constexpr std::size_t kMost = 100;
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (const ArmResult& arm : analysis.arms) {
    for (const store::TrialRecord* trial : arm.trials) {
      if (trial->message.empty()) continue;  // one that completed has one where probes failed
      if (lines.size() == kMost) {
        ++more;
        continue;
      }
      lines.push_back(fmt::format("{}, seed {}, {}: {}", arm.label, trial->seed, trial->outcome,
                                  shortened(readable(first_line(trial->message)), 300)));
    }
  }
  if (more > 0)
    lines.push_back(fmt::format("And {} more, which `ablate status DIR --trials` shows.", more));
  return lines;
}

std::vector<std::string> unrecorded(const Analysis& analysis) {
  std::map<std::string, std::int64_t> trials;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials) {
      if (!trial->ledger.is_object()) continue;
      const Json failure = trial->ledger.value("recording_failure", Json());
      if (failure.is_string()) ++trials[first_line(failure.get<std::string>())];
    }
  std::vector<std::string> lines;
  lines.reserve(trials.size());
  for (const auto& [failure, count] : trials)
    lines.push_back(fmt::format(
        "{} of {} queued each step on the device by itself, which is slower than replaying a "
        "recorded one; recording failed: {}",
        count, counted(analysis.trials(), "trial"), shortened(readable(failure), 300)));
  return lines;
}

}  // namespace ablate::reports
