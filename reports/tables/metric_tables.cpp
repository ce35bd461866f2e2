#include "reports/tables/metric_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/analysis/caveats.h"
#include "reports/analysis/probes/split_sizes.h"
#include "reports/tables/missing.h"

namespace ablate::reports {
namespace {

/// The title of a group: the subject that its first metric with one has, else its name in words.
std::string title_of(const Group& group, std::string name) {
  for (const MetricRow* metric : group.metrics)
    if (!metric->subject.empty()) return metric->subject;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// A name for the group that is safe in every format and unique.
std::string identifier(const std::string& group, const std::vector<Group>& others) {
  std::string name;
  for (const char c : group) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain) {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  const auto taken = [&](const Group& other) { return other.name == name; };
  if (name.empty()) name = "other";
  while (std::any_of(others.begin(), others.end(), taken)) name += "-also";
  return name;
}

/// The name that metrics share which differ in a number alone; its own of any other.
const std::string& family_of(const MetricRow& metric) {
  return metric.index ? metric.index->name : metric.name;
}

bool is_alone(const Metrics& metrics, const MetricRow& metric) {
  const auto related = [&](const MetricRow* other) {
    return family_of(*other) == family_of(metric);
  };
  return !metric.index || std::ranges::count_if(metrics, related) == 1;
}

/// "loss, accuracy: compare arms of the same objective and setting only."
std::vector<std::string> warnings_of(const Metrics& metrics) {
  std::vector<std::string> notes;
  for (const Comparable across : {Comparable::same_objective, Comparable::same_family}) {
    std::string names;
    std::set<std::string> families;
    for (const MetricRow* metric : metrics) {
      if (metric->comparable_across != across || !families.insert(family_of(*metric)).second)
        continue;
      names += (names.empty() ? "" : "; ") +
               (is_alone(metrics, *metric) ? metric->label : metric->index->label);
    }
    if (!names.empty()) {
      notes.push_back(fmt::format("{}: compare within the {} only.", names, name_of(across)));
    }
  }
  return notes;
}

/// "topic accuracy (topic.accuracy)"; the key alone where there is no label.
std::string with_key(const std::string& label, const std::string& key) {
  return label == key ? key : fmt::format("{} ({})", label, key);
}

void add_meanings(const Metrics& metrics, std::vector<std::string>& notes) {
  std::set<std::string> families;
  for (const MetricRow* metric : metrics) {
    if (metric->description.empty() || !families.insert(family_of(*metric)).second) continue;
    notes.push_back(
        is_alone(metrics, *metric)
            ? fmt::format("{}: {}.", with_key(metric->label, metric->name), metric->description)
            : fmt::format("{}: {}.", with_key(metric->index->label, metric->index->name),
                          metric->index->description));
  }
}

Arms arms_of(const Analysis& analysis, bool with_baseline) {
  Arms arms = analysis.arms_with_records();
  if (!with_baseline) std::erase_if(arms, [](const ArmResult* arm) { return arm->baseline; });
  return arms;
}

Cell no_data() { return text_cell("no data", Tone::quiet); }

/// The metrics of a group in which some arm has a difference from the baseline.
Metrics compared(const Analysis& analysis, const Group& group) {
  Metrics metrics;
  for (const MetricRow* metric : group.metrics) {
    const auto of_metric = [&](const Difference& difference) {
      return difference.metric == metric->name && difference.over_seeds.mean &&
             metric->better != Better::neither;
    };
    if (std::any_of(analysis.differences.begin(), analysis.differences.end(), of_metric))
      metrics.push_back(metric);
  }
  return metrics;
}

}  // namespace

std::vector<Group> groups_of(const Analysis& analysis) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> places;  // of each group, by the names' part before the dot
  for (const MetricRow& metric : analysis.metrics) {
    const std::string group = group_of(metric.name);
    const auto [place, fresh] = places.emplace(group, groups.size());
    if (fresh) groups.push_back({identifier(group, groups), "", {}});
    groups[place->second].metrics.push_back(&metric);
  }
  for (const auto& [name, place] : places) groups[place].title = title_of(groups[place], name);
  return groups;
}

std::vector<Table> metric_tables(const Analysis& analysis, const Group& group) {
  const Arms arms = arms_of(analysis, true);
  return laid_out({.name = group.name,
                   .caption = fmt::format("{}: mean ± half-width of the 95 % t-interval over seeds",
                                          group.title),
                   .metrics = group.metrics,
                   .arms = arms,
                   .cell =
                       [](const ArmResult& arm, const MetricRow& metric) {
                         const auto found = arm.metrics.find(metric.name);
                         if (found == arm.metrics.end()) return text_cell("");
                         return arm.completed == 0 ? no_data() : estimate_cell(found->second);
                       },
                   .notes =
                       [&](const Metrics& metrics) {
                         std::vector<std::string> notes = split_sentences(analysis, metrics);
                         for (std::string& warning : warnings_of(metrics))
                           notes.push_back(std::move(warning));
                         for (std::string& caveat : caveats_of(analysis, metrics))
                           notes.push_back(std::move(caveat));
                         add_meanings(metrics, notes);
                         note_missing(arms, metrics, notes);
                         return notes;
                       }});
}

std::vector<Table> difference_tables(const Analysis& analysis, const Group& group) {
  const Metrics metrics = compared(analysis, group);
  if (metrics.empty()) return {};
  return laid_out(
      {.name = group.name + "-differences",
       .caption = fmt::format("{}: difference from {}, paired by seed", group.title,
                              analysis.baseline()->label),
       .metrics = metrics,
       .arms = arms_of(analysis, false),
       .cell =
           [&](const ArmResult& arm, const MetricRow& metric) {
             const Difference* difference = analysis.difference(arm.name, metric.name);
             if (difference == nullptr) return text_cell("");
             if (difference->verdict == statistics::Verdict::incomparable)
               return text_cell("not comparable", Tone::quiet);
             return difference->over_seeds.mean ? estimate_cell(difference->over_seeds) : no_data();
           },
       .notes =
           [&](const Metrics&) {
             return std::vector<std::string>{fmt::format(
                 "Exploratory but for the primary metric, {}: intervals are not adjusted for their "
                 "number.",
                 analysis.primary.empty() ? "which was not declared"
                                          : analysis.metric_label(analysis.primary))};
           }});
}

}  // namespace ablate::reports
