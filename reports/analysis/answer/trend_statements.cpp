#include "reports/analysis/answer/trend_statements.h"

#include <fmt/core.h>

#include "reports/analysis/compare.h"
#include "reports/analysis/declared_trends.h"
#include "reports/analysis/facts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// " 0.1 to 0.8"; empty without values.
std::string range_of(const TrendContrast& contrast) {
  if (contrast.values.empty()) return {};
  return fmt::format(" {} to {}", significant(contrast.values.front()),
                     significant(contrast.values.back()));
}

std::string sentence(const Analysis& analysis, const TrendContrast& contrast) {
  const std::string parameter = words(contrast.along.substr(contrast.along.rfind('.') + 1));
  const std::string subject = fmt::format("Along {}{}, {}{}{}", parameter, range_of(contrast),
                                          analysis.metric_label(contrast.metric),
                                          contrast.family.empty() ? "" : " of ", contrast.family);
  if (!contrast.p_adjusted)
    return fmt::format("{} has no trend to test: {}.", subject, contrast.note);
  const std::string verdict = trend_verdict(analysis, contrast);
  const bool shows = shows_trend(analysis, contrast);
  const std::string carried =
      shows && contrast.carried_by
          ? fmt::format(", most of which rests on {}", carrying_phrase(*contrast.carried_by))
          : "";
  if (shows) return fmt::format("{} {}{}.", subject, verdict, carried);
  return fmt::format("{} has a trend that is {}{}{}.", subject, verdict,
                     contrast.note.empty() ? "" : ": ", contrast.note);
}

/// "Trend: quadratic, 0.71 ± 0.12 per unit of objective.rate, p = 0.039."
std::string basis(const TrendContrast& contrast) {
  if (!contrast.p_adjusted) return {};
  const Estimate& seen = contrast.over_seeds;
  return fmt::format("Trend: {}, {} per {} of {}, {}.", shape_of(contrast),
                     rounded(*seen.mean, seen.interval).text(),
                     contrast.doublings ? "doubling" : "unit", contrast.along,
                     p_phrase(contrast.p_adjusted));
}

}  // namespace

std::vector<Statement> trend_statements(const Analysis& analysis) {
  std::vector<Statement> statements;
  for (const TrendContrast& contrast : analysis.declared_trends) {
    Query query{.metric = contrast.metric,
                .test = fmt::format("{} of a {} contrast over the values swept",
                                    test_name(analysis), shape_of(contrast))};
    const std::string place = std::to_string(statements.size());
    query.origins = {{"the declared trend", path_to({"declared_trends", place}), ""}};
    statements.push_back({.text = sentence(analysis, contrast),
                          .query = std::move(query),
                          .basis = basis(contrast)});
  }
  return statements;
}

}  // namespace ablate::reports
