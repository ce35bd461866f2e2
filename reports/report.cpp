#include "reports/report.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/base/parallel/ahead.h"
#include "reports/analysis/answer/answer.h"
#include "reports/compose.h"
#include "reports/findings/findings.h"
#include "reports/formats/json/json.h"
#include "reports/formats/markdown.h"
#include "reports/registry.h"
#include "reports/tables/main_table.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

void check(const std::vector<std::string>& wanted) {
  const std::vector<std::string_view> known = report_formats();
  for (const std::string& format : wanted) {
    if (std::find(known.begin(), known.end(), format) != known.end()) continue;
    reject("--format: no format is named '{}'; the formats are {}", format, fmt::join(known, ", "));
  }
}

}  // namespace

std::vector<std::string_view> report_formats() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) names.push_back(format.name);
  names.push_back(kArchiveFormat);
  return names;
}

void Report::files(const std::vector<std::string>& wanted, const Venue& venue,
                   const Take& take) const {
  check(wanted);
  const auto [findings, document] = compose({analysis_, common()});
  const Json json = report_json(analysis_, findings, document.answer, common());
  const Content content{analysis_, findings, document, json, venue, common()};
  using Made = std::pair<std::string_view, std::vector<ReportFile>>;
  Ahead<Made> made([&](Made format) { take(format.first, std::move(format.second)); });
  for (const Format& format : formats())
    if (std::ranges::find(wanted, format.name) != wanted.end())
      made.run([&] { return Made(format.name, format.files(content)); });
  made.finish();
}

std::string Report::main_table_text() const {
  const std::vector<Statement> answer = answer_statements(analysis_);
  const std::string basis = basis_of(answer);
  return fmt::format("{}\n\n{}{}{}", markdown_text(text_of(answer)), markdown_text(basis),
                     basis.empty() ? "" : "\n\n", to_markdown(main_table(analysis_)));
}

std::string Report::terminal_text(const Terminal& terminal) const {
  return reports::terminal_text(answer_statements(analysis_), main_table(analysis_), terminal);
}

Json Report::json() const {
  const auto [findings, document] = compose({analysis_, common()});
  return report_json(analysis_, findings, document.answer, common());
}

}  // namespace ablate::reports
