#include "reports/tables/metric_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "harness/contract/metric.h"
#include "reports/analysis/caveats.h"
#include "reports/analysis/probes/split_sizes.h"
#include "reports/tables/missing.h"

namespace ablate::reports {
namespace {

/// What a type of probe is called in a title; its name where nothing reads better.
std::string title_of_type(const std::string& type) {
  static const std::map<std::string, std::string> titles = {
      {"answers", "Answers"},
      {"belief", "Belief states"},
      {"bounds", "Bounds on the likelihood"},
      {"classification", "Frozen probe"},
      {"fine_tuning", "Fine-tuning"},
      {"forgetting", "Forgetting"},
      {"infilling", "Infilling"},
      {"minimal_pairs", "Minimal pairs"},
      {"prompting", "Few-shot prompting"},
      {"ratings", "Ratings"},
      {"reading_times", "Reading times"},
      {"routing", "Routing to experts"},
      {"seq2seq", "From input to output"},
      {"speculative_decoding", "Speculative decoding"},
      {"tagging", "Tagging"},
      {"zero_shot", "Zero-shot classification of pictures"}};
  const auto found = titles.find(type);
  return found == titles.end() ? type : found->second;
}

std::string title_of(const std::string& group, const Analysis& analysis) {
  if (group == metric_names::kHeldOut) return "Held-out text";
  if (group == metric_names::kTopic) return "Classification by topic";
  if (group == metric_names::kCloze) return "Cost of the same tokens";
  if (group == metric_names::kState) return "Hidden state of a token";
  if (group == metric_names::kLabel) return "Classification";
  if (group == metric_names::kGeneration) return "Generation";
  if (group == "quality") return "Generated text, judged by another model";
  if (group == metric_names::kCompression) return "Code length of text";
  if (group == metric_names::kRepresentation) return "Vectors of documents";
  std::string title = title_of_type(group);
  std::replace(title.begin(), title.end(), '_', ' ');
  const auto named = analysis.probe_types.find(group);
  return named == analysis.probe_types.end() ? title : title_of_type(named->second) + ": " + title;
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

/// The end of the digits at `first`.
std::size_t end_of_digits(std::string_view text, std::size_t first) {
  while (first < text.size() && std::isdigit(static_cast<unsigned char>(text[first])) != 0) ++first;
  return first;
}

/// The common name of the metrics of a family: "loss_ahead_N". A digit after a letter, as in F1, is
/// part of a name.
std::string numbered(std::string_view name) {
  std::string made;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t end = end_of_digits(name, i);
    const bool part_of_name = i > 0 && std::isalpha(static_cast<unsigned char>(name[i - 1])) != 0;
    if (end > i && !part_of_name)
      made += 'N';
    else
      made += name.substr(i, std::max(end, i + 1) - i);
    i = std::max(end, i + 1);
  }
  return made;
}

/// What two metrics of a family mean: N where their descriptions differ in a number. The first
/// description, where they differ in more.
std::string described_together(std::string_view one, std::string_view other) {
  std::string made;
  std::size_t i = 0, j = 0;
  while (i < one.size() && j < other.size()) {
    const std::size_t end = end_of_digits(one, i), other_end = end_of_digits(other, j);
    if (end > i && other_end > j) {
      const std::string_view number = one.substr(i, end - i);
      made += number == other.substr(j, other_end - j) ? number : "N";
      i = end;
      j = other_end;
    } else if (one[i] == other[j]) {
      made += one[i];
      ++i;
      ++j;
    } else {
      break;
    }
  }
  return i == one.size() && j == other.size() ? made : std::string(one);
}

std::int64_t count_of(const Metrics& metrics, const std::string& family) {
  return std::count_if(metrics.begin(), metrics.end(),
                       [&](const MetricRow* metric) { return numbered(metric->name) == family; });
}

/// "loss, accuracy: compare arms of the same objective and setting only."
std::vector<std::string> warnings_of(const Metrics& metrics) {
  std::vector<std::string> notes;
  for (const Comparable across : {Comparable::same_objective, Comparable::same_family}) {
    std::string names;
    std::set<std::string> families;
    for (const MetricRow* metric : metrics) {
      const std::string family = numbered(metric->name);
      if (metric->comparable_across != across || !families.insert(family).second) continue;
      names += (names.empty() ? "" : "; ") +
               (count_of(metrics, family) > 1 ? numbered(metric->label) : metric->label);
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
  for (auto metric = metrics.begin(); metric != metrics.end(); ++metric) {
    const std::string family = numbered((*metric)->name);
    if ((*metric)->description.empty() || !families.insert(family).second) continue;
    const auto another = std::find_if(metric + 1, metrics.end(), [&](const MetricRow* other) {
      return numbered(other->name) == family;
    });
    notes.push_back(
        another == metrics.end()
            ? fmt::format("{}: {}.", with_key((*metric)->label, (*metric)->name),
                          (*metric)->description)
            : fmt::format("{}: {}.", with_key(numbered((*metric)->label), family),
                          described_together((*metric)->description, (*another)->description)));
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
    if (fresh) groups.push_back({identifier(group, groups), title_of(group, analysis), {}});
    groups[place->second].metrics.push_back(&metric);
  }
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
