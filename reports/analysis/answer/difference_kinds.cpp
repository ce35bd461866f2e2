#include "reports/analysis/answer/difference_kinds.h"

#include <fmt/core.h>

#include "reports/analysis/compare.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using statistics::Verdict;

/// Whether so few seeds could not have shown a difference, however large.
bool is_untestable(const Analysis& analysis, const Difference& difference) {
  return difference.verdict == Verdict::inconclusive &&
         verdict_text(analysis, difference) != name_of(Verdict::inconclusive);
}

std::string smallest(const Analysis& analysis) { return significant(*analysis.smallest_effect); }

DifferenceKind differing(const Analysis& analysis, const Difference& difference) {
  const std::string_view verdict = name_of(difference.verdict);
  DifferenceKind kind{fmt::format("is {}", verdict), fmt::format("are {}", verdict), "than"};
  if (slight(analysis, difference))
    kind.aside =
        fmt::format("estimate below the smallest effect of interest, {}", smallest(analysis));
  return kind;
}

/// A difference that was tested without a finding, or could not be.
DifferenceKind open_kind(const Analysis& analysis, const Difference& difference) {
  if (is_untestable(analysis, difference)) {
    const std::string with = " with " + counted(difference.over_seeds.n, "seed");
    return {"cannot be told apart", "cannot be told apart", "from", with};
  }
  if (!difference.note.empty())
    return {.one = "has no verdict",
            .many = "have no verdict",
            .to = "against",
            .aside = difference.note};
  if (analysis.metric(analysis.primary)->better == Better::neither)
    return {.one = "is not shown to be equivalent",
            .many = "are not shown to be equivalent",
            .to = "to",
            .aside = "the metric has no better direction"};
  DifferenceKind kind{"is not shown to differ", "are not shown to differ", "from"};
  if (difference.non_inferior)
    kind.aside = fmt::format("not worse by more than {}", smallest(analysis));
  return kind;
}

}  // namespace

bool is_without_data(const Difference& difference) {
  return difference.verdict != Verdict::incomparable && difference.over_seeds.n == 0;
}

DifferenceKind kind_of(const Analysis& analysis, const Difference& difference) {
  if (is_without_data(difference)) {
    const bool apart = emptiness(analysis, difference) == "no common seeds";
    return apart ? DifferenceKind{"has no seed in common", "have no seed in common", "with"}
                 : DifferenceKind{"has no values to set", "have no values to set", "against"};
  }
  switch (difference.verdict) {
    case Verdict::better:
    case Verdict::worse:
      return differing(analysis, difference);
    case Verdict::equivalent:
      return {"is equivalent", "are equivalent", "to", " within ±" + smallest(analysis)};
    case Verdict::incomparable:
      return {.one = "is not comparable",
              .many = "are not comparable",
              .to = "with",
              .aside = difference.note};
    case Verdict::inconclusive:
      break;
  }
  return open_kind(analysis, difference);
}

int place_in_answer(const Analysis& analysis, const Difference& difference) {
  const bool is_slight = slight(analysis, difference);
  if (is_without_data(difference)) return 7;
  switch (difference.verdict) {
    case Verdict::better:
      return is_slight ? 1 : 0;
    case Verdict::equivalent:
      return 2;
    case Verdict::worse:
      return is_slight ? 3 : 4;
    case Verdict::inconclusive:
      return 5;
    case Verdict::incomparable:
      break;
  }
  return 6;
}

}  // namespace ablate::reports
