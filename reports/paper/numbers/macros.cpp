#include "reports/paper/numbers/macros.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/base/sha256.h"
#include "reports/paper/numbers/cells.h"
#include "reports/paper/numbers/section_macros.h"
#include "reports/text/latex.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// Eight letters of the hash of a text, after an X.
std::string hash_letters(const std::string& text) {
  std::string result = "X";
  for (const char digit : sha256(text).substr(0, 8))
    result += static_cast<char>('a' + (digit <= '9' ? digit - '0' : digit - 'a' + 10));
  return result;
}

/// Gives names that several subjects share letters of their own.
void resolve_collisions(std::vector<Macro>& macros) {
  std::map<std::string, std::set<std::string>> subjects;
  for (const Macro& macro : macros) subjects[macro.name].insert(macro.subject);
  for (Macro& macro : macros)
    if (subjects[macro.name].size() > 1) macro.name += hash_letters(macro.subject);
}

void add_estimate(std::vector<Macro>& macros, const Macro& base, const Estimate& estimate) {
  const auto add = [&](const char* suffix, const char* what, const char* where, std::string text) {
    macros.push_back(
        {base.name + suffix, base.subject + what, base.source + where, std::move(text)});
  };
  add("", "", "", estimate_tex(estimate));
  add("N", ", number of values", "/n", std::to_string(estimate.n));
  if (estimate.mean) add("Mean", ", mean", "/mean", aligned_tex(*estimate.mean, estimate));
  if (!estimate.interval) return;
  add("Low", ", lower end of the interval", "/ci/0", aligned_tex(estimate.interval->low, estimate));
  add("High", ", upper end of the interval", "/ci/1",
      aligned_tex(estimate.interval->high, estimate));
}

void add_arm(std::vector<Macro>& macros, const std::string& prefix, const Analysis& analysis,
             std::size_t index) {
  const ArmResult& arm = analysis.arms[index];
  const std::string name = prefix + macro_part(arm.name);
  const std::string source = fmt::format("/arms/{}", index);
  macros.push_back({name + "Trials", arm.name + ", trials", source + "/trials",
                    std::to_string(arm.trials.size())});
  macros.push_back({name + "Failed", arm.name + ", failed or diverged", source + "/failed",
                    std::to_string(arm.failed + arm.diverged)});
  for (const MetricRow& metric : analysis.metrics) {
    const auto found = arm.metrics.find(metric.name);
    if (found == arm.metrics.end()) continue;
    add_estimate(macros,
                 {name + macro_part(metric.name), arm.name + ", " + metric.name,
                  arm_pointer(analysis, arm.name, metric.name), ""},
                 found->second);
  }
}

void add_difference(std::vector<Macro>& macros, const std::string& prefix, const Analysis& analysis,
                    const Difference& difference) {
  if (!difference.over_seeds.mean) return;
  const Macro base{
      prefix + "Diff" + macro_part(difference.arm) + macro_part(difference.metric),
      fmt::format("{} less {}, {}", difference.arm, analysis.baseline()->name, difference.metric),
      difference_pointer(analysis, difference), ""};
  add_estimate(macros, base, difference.over_seeds);
  if (difference.p_adjusted)
    macros.push_back({base.name + "P", base.subject + ", adjusted p", base.source + "/p_adjusted",
                      p_tex(*difference.p_adjusted)});
  if (difference.p_equivalent)
    macros.push_back({base.name + "PEquivalent", base.subject + ", adjusted p of equivalence",
                      base.source + "/p_equivalent", p_tex(*difference.p_equivalent)});
  if (difference.non_inferior)
    macros.push_back({base.name + "PNonInferior", base.subject + ", adjusted p of non-inferiority",
                      base.source + "/p_non_inferior", p_tex(*difference.p_non_inferior)});
}

/// The numbers of the analysis as a whole.
void add_analysis(std::vector<Macro>& macros, const std::string& prefix, const Analysis& analysis) {
  macros.push_back({prefix + "Alpha", "level of the tests", "/analysis/alpha",
                    fmt::format("${}$", formula(significant(analysis.alpha, 3)))});
  macros.push_back({prefix + "Comparisons", "comparisons that p is adjusted over",
                    "/analysis/comparisons", std::to_string(analysis.comparisons)});
  if (analysis.smallest_effect)
    macros.push_back({prefix + "SmallestEffect", "smallest effect of interest",
                      "/analysis/smallest_effect",
                      fmt::format("${}$", formula(significant(*analysis.smallest_effect)))});
}

}  // namespace

std::string pointer_key(const std::string& key) {
  std::string result;
  for (const char c : key) result += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return result;
}

std::string arm_pointer(const Analysis& analysis, const std::string& arm,
                        const std::string& metric) {
  const auto named = [&](const ArmResult& other) { return other.name == arm; };
  const auto found = std::find_if(analysis.arms.begin(), analysis.arms.end(), named);
  return fmt::format("/arms/{}/metrics/{}", found - analysis.arms.begin(), pointer_key(metric));
}

std::string difference_pointer(const Analysis& analysis, const Difference& difference) {
  const auto same = [&](const Difference& other) {
    return other.arm == difference.arm && other.metric == difference.metric;
  };
  const auto found = std::find_if(analysis.differences.begin(), analysis.differences.end(), same);
  return fmt::format("/differences/{}", found - analysis.differences.begin());
}

std::vector<Macro> macros_of(const Analysis& analysis, const Json& report) {
  const std::string prefix = "Ablate" + macro_part(analysis.experiment);
  std::vector<Macro> macros;
  add_analysis(macros, prefix, analysis);
  for (std::size_t i = 0; i < analysis.arms.size(); ++i) add_arm(macros, prefix, analysis, i);
  for (const Difference& difference : analysis.differences)
    add_difference(macros, prefix, analysis, difference);
  for (Macro& macro : section_macros(prefix, report)) macros.push_back(std::move(macro));
  resolve_collisions(macros);
  return macros;
}

std::string macro_at(const std::vector<Macro>& macros, const std::string& source) {
  const auto stands_for = [&](const Macro& macro) { return macro.source == source; };
  const auto found = std::find_if(macros.begin(), macros.end(), stands_for);
  if (found == macros.end()) throw std::logic_error("no macro stands for " + source);
  return "\\" + found->name + "{}";
}

std::string numbers_file(const Analysis& analysis, const std::vector<Macro>& macros) {
  std::string out =
      fmt::format("% Numbers of {}. Each comment names the number and its place in report.json.\n",
                  latex_comment(analysis.experiment));
  for (const Macro& macro : macros)
    out += fmt::format("\\newcommand{{\\{}}}{{{}}}% {}: {}\n", macro.name, macro.text,
                       latex_comment(macro.subject), latex_comment(macro.source));
  return out;
}

}  // namespace ablate::reports
