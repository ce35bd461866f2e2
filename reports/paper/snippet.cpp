#include "reports/paper/snippet.h"

#include <fmt/core.h>

#include "reports/analysis/answer/floor_statements.h"
#include "reports/analysis/compare.h"
#include "reports/text/latex.h"

namespace ablate::reports {
namespace {

/// "mlm is worse than clm".
std::string relation(const Analysis& analysis, const Difference& difference,
                     const std::vector<Macro>& macros) {
  const std::string arm = latex_breakable(analysis.label(difference.arm));
  const std::string baseline = latex_breakable(analysis.baseline()->label);
  if (analysis.none_above_floor && difference.verdict != statistics::Verdict::incomparable)
    return fmt::format("{} against {} has no verdict", arm, baseline);
  switch (difference.verdict) {
    case statistics::Verdict::better:
    case statistics::Verdict::worse:
      return fmt::format("{} is {} than {}", arm, name_of(difference.verdict), baseline);
    case statistics::Verdict::equivalent:
      return fmt::format("{} is equivalent to {} within $\\pm$\\nobreak {}", arm, baseline,
                         macro_at(macros, "/analysis/smallest_effect"));
    case statistics::Verdict::incomparable:
      return fmt::format("{} is not comparable with {}", arm, baseline);
    case statistics::Verdict::inconclusive:
      break;
  }
  return fmt::format("{} against {} is {}{}", arm, baseline, verdict_text(analysis, difference),
                     not_worse_text(analysis, difference));
}

/// "(difference 0.5, from 0.2 to 0.7, over 6 pairs; adjusted p 0.031)", in macros.
std::string evidence(const Analysis& analysis, const Difference& difference,
                     const std::vector<Macro>& macros) {
  const std::string source = difference_pointer(analysis, difference);
  std::string text =
      fmt::format(" (difference {} over {} {}", macro_at(macros, source),
                  macro_at(macros, source + "/n"), difference.over_seeds.n == 1 ? "pair" : "pairs");
  if (difference.p_adjusted)
    text += fmt::format("; {}$p$-value {}", sharing(analysis) > 1 ? "adjusted " : "",
                        macro_at(macros, source + "/p_adjusted"));
  if (difference.p_equivalent && difference.verdict == statistics::Verdict::equivalent)
    text += fmt::format("; of equivalence {}", macro_at(macros, source + "/p_equivalent"));
  return text + ")";
}

std::string clause(const Analysis& analysis, const Difference& difference,
                   const std::vector<Macro>& macros) {
  std::string text = relation(analysis, difference, macros);
  if (difference.verdict == statistics::Verdict::incomparable) return text;
  return difference.over_seeds.mean ? text + evidence(analysis, difference, macros)
                                    : text + ", without data";
}

std::string method_sentence(const Analysis& analysis, const std::vector<Macro>& macros) {
  std::string text = fmt::format(
      "Differences are paired by seed; we give the mean and the half-width of its 95\\,\\% "
      "$t$-interval. $p$-values are those of the {}",
      test_name(analysis));
  if (sharing(analysis) > 1)
    text += fmt::format(", adjusted by Holm's method over {} comparisons{}",
                        macro_at(macros, "/analysis/comparisons"),
                        analysis.declared_trends.empty() ? "" : " and trends");
  return text + fmt::format("; the level is {}.\n", macro_at(macros, "/analysis/alpha"));
}

}  // namespace

std::string snippet(const Analysis& analysis, const std::vector<Macro>& macros) {
  const ArmResult* const baseline = analysis.baseline();
  const MetricRow* const metric = analysis.metric(analysis.primary);
  if (baseline == nullptr || metric == nullptr)
    return "No primary metric was declared, or no baseline, so no difference was tested.\n";
  std::string clauses;
  for (const Difference& difference : analysis.differences)
    if (difference.primary)
      clauses += (clauses.empty() ? "" : ";\n") + clause(analysis, difference, macros);
  if (clauses.empty()) return "No arm can be compared with the baseline in the primary metric.\n";
  std::string text = fmt::format("In {}", latex_breakable(metric->label));
  if (!metric->unit.empty() || metric->better != Better::neither)
    text += fmt::format(" ({}{}{})", latex_breakable(metric->unit),
                        metric->unit.empty() || metric->better == Better::neither ? "" : ", ",
                        metric->better == Better::neither
                            ? ""
                            : fmt::format("{} is better", name_of(metric->better)));
  const auto level = baseline->metrics.find(metric->name);
  if (level != baseline->metrics.end() && level->second.mean)
    text += fmt::format(", where {} reaches {}", latex_breakable(baseline->label),
                        macro_at(macros, arm_pointer(analysis, baseline->name, metric->name)));
  text += ",\n" + clauses + ".\n";
  for (const Statement& standing : floor_standings(analysis))
    text += latex_text(standing.text) + "\n";
  return text + method_sentence(analysis, macros);
}

}  // namespace ablate::reports
