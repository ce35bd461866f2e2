// Reports, from records alone.

#include "reports/report.h"

#include <algorithm>
#include <array>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "reports/analysis/analysis.h"
#include "reports/analysis/answer.h"
#include "reports/formats/csv.h"
#include "reports/formats/document.h"
#include "reports/formats/latex.h"
#include "reports/tables/tables.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::array<std::string_view, 5> kFormats = {"md", "tex", "html", "csv", "json"};

void check(const std::vector<std::string>& formats) {
  for (const std::string& format : formats) {
    if (std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end()) continue;
    reject("--format: no format is named '", format, "'; the formats are ", listed(kFormats));
  }
}

}  // namespace

std::span<const std::string_view> report_formats() { return kFormats; }

std::vector<ReportFile> make_report(const store::Records& records,
                                    const std::vector<std::string>& formats) {
  check(formats);
  const Analysis analysis = analyse(records);
  const Document document = compose(records, analysis);
  const auto wanted = [&](std::string_view format) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  };
  std::vector<ReportFile> files;
  if (wanted("md")) files.push_back({"report.md", to_markdown(document)});
  if (wanted("tex")) {
    files.push_back({"tables.tex", tables_tex(document)});
    files.push_back({"numbers.tex", numbers_tex(analysis)});
  }
  if (wanted("html")) files.push_back({"report.html", to_html(document)});
  if (wanted("csv")) {
    files.push_back({"trials.csv", trials_csv(analysis)});
    files.push_back({"summary.csv", summary_csv(analysis)});
  }
  if (wanted("json")) {
    const Json json = to_json(analysis);
    files.push_back(
        {"report.json", json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"});
  }
  return files;
}

std::string main_table_text(const store::Records& records) {
  const Analysis analysis = analyse(records);
  return markdown_text(answer(analysis)) + "\n\n" + to_markdown(main_table(analysis));
}

Json report_json(const store::Records& records) { return to_json(analyse(records)); }

}  // namespace ablate::reports
