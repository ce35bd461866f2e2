#include "reports/analysis/answer/trend_statements.h"

#include <fmt/core.h>

#include "reports/analysis/compare.h"
#include "reports/analysis/declared_trends.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string sentence(const Analysis& analysis, const TrendContrast& contrast) {
  const std::string subject = fmt::format("Along {}, {}{}{}", contrast.along, contrast.metric,
                                          contrast.family.empty() ? "" : " of ", contrast.family);
  if (!contrast.p_adjusted)
    return fmt::format("{} has no trend to test: {}.", subject, contrast.note);
  const std::string verdict = trend_verdict(analysis, contrast);
  const std::string shows = shows_trend(analysis, contrast)
                                ? verdict
                                : fmt::format("has a trend that is {}{}{}", verdict,
                                              contrast.note.empty() ? "" : ": ", contrast.note);
  const Estimate& seen = contrast.over_seeds;
  const std::string carried =
      shows_trend(analysis, contrast) && contrast.carried_by
          ? fmt::format(", most of which rests on {}", carrying_phrase(*contrast.carried_by))
          : "";
  return fmt::format("{} {} ({} trend {} per {}, {}){}.", subject, shows, shape_of(contrast),
                     rounded(*seen.mean, seen.interval).text(),
                     contrast.doublings ? "doubling" : "unit", p_phrase(contrast.p_adjusted),
                     carried);
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
    statements.push_back({sentence(analysis, contrast), std::move(query)});
  }
  return statements;
}

}  // namespace ablate::reports
