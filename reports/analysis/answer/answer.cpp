#include "reports/analysis/answer/answer.h"

#include <algorithm>
#include <iterator>

#include "reports/analysis/answer/difference_statements.h"
#include "reports/analysis/answer/floor_statements.h"
#include "reports/analysis/answer/size_statements.h"
#include "reports/analysis/answer/trend_statements.h"

namespace ablate::reports {

std::vector<Statement> answer_statements(const Analysis& analysis) {
  std::vector<Statement> statements;
  if (!analysis.none_above_floor) statements.push_back(difference_statement(analysis));
  std::ranges::move(floor_statements(analysis), std::back_inserter(statements));
  std::ranges::move(size_statements(analysis), std::back_inserter(statements));
  std::ranges::move(trend_statements(analysis), std::back_inserter(statements));
  return statements;
}

std::string answer(const Analysis& analysis) { return text_of(answer_statements(analysis)); }

}  // namespace ablate::reports
