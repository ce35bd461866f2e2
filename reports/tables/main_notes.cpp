// Writes the notes of the main table.

#include "reports/tables/main_notes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "reports/analysis/caveats.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/looks.h"
#include "reports/analysis/matching.h"
#include "reports/tables/record_tables.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// A note on the smallest p that the number of seeds allows, however large the difference.
std::string minimum_p_note(const Analysis& analysis) {
  return fmt::format(
      "The smallest possible p with {}{}: {}.", counted(pairs_of(analysis).maximum, "seed"),
      sharing(analysis) > 1 ? " over " + family_text(analysis) : "", p_text(minimum_p(analysis)));
}

/// Why differences have no verdict. Of a single difference the answer says so.
void add_difference_notes(const Analysis& analysis, std::vector<std::string>& notes) {
  const std::vector<const ArmResult*> arms = analysis.arms_with_records();
  if (arms.size() <= 2) return;
  for (const ArmResult* arm : arms) {
    const Difference* difference = analysis.difference(arm->name, analysis.primary);
    if (difference == nullptr || difference->note.empty()) continue;
    notes.push_back(fmt::format("{}, {}: {}.", arm->label,
                                analysis.metric_label(difference->metric), difference->note));
  }
}

/// How differences were tested, and what the tests could show.
void add_test_notes(const Analysis& analysis, std::vector<std::string>& notes) {
  if (analysis.comparisons == 0) return;
  const bool adjusted = sharing(analysis) > 1;
  notes.push_back(fmt::format("Differences are arm − baseline, paired by seed; p: {} of {}{}",
                              test_name(analysis), analysis.metric_label(analysis.primary),
                              adjusted ? ", adjusted by Holm's method." : "."));
  for (const std::string& line : {rounding_sentence(analysis), looks_sentence(analysis)})
    if (!line.empty()) notes.push_back(line);
  if (analysis.smallest_effect)
    notes.push_back(fmt::format("p equivalent: two one-sided t-tests against ±{}{}",
                                significant(*analysis.smallest_effect),
                                adjusted ? ", adjusted in the same way." : "."));
  const bool said =
      std::any_of(analysis.differences.begin(), analysis.differences.end(),
                  [&](const Difference& each) { return !not_worse_text(analysis, each).empty(); });
  if (said)
    notes.push_back(fmt::format(
        "Not worse by more than {}: a one-sided t-test{}, and an interval that excludes such a "
        "loss.",
        significant(*analysis.smallest_effect), adjusted ? ", adjusted in the same way" : ""));
  if (pairs_of(analysis).maximum > 0) notes.push_back(minimum_p_note(analysis));
}

}  // namespace

std::string pending_note(const Analysis& analysis) {
  std::vector<std::string_view> labels;
  for (const ArmResult& arm : analysis.arms)
    if (arm.pending()) labels.push_back(arm.label);
  if (labels.empty()) return "";
  return fmt::format("{} of {} {} no records yet: {}.", labels.size(),
                     counted(std::ssize(analysis.arms), "arm"), labels.size() == 1 ? "has" : "have",
                     fmt::join(labels, ", "));
}

std::vector<std::string> reading_notes(const Analysis& analysis) {
  std::vector<std::string> notes = {
      "Mean ± half-width of the 95 % t-interval over seeds. Arrows: ↓ lower is better, ↑ higher is "
      "better."};
  add_test_notes(analysis, notes);
  return notes;
}

std::vector<std::string> main_notes(const Analysis& analysis) {
  std::vector<std::string> notes = reading_notes(analysis);
  add_difference_notes(analysis, notes);
  if (std::string apart = not_matched(analysis); !apart.empty()) notes.push_back(std::move(apart));
  for (std::string& line : failures(analysis)) notes.push_back(std::move(line));
  for (std::string& line : missing_values(analysis)) notes.push_back(std::move(line));
  return notes;
}

}  // namespace ablate::reports
