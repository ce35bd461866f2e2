#include "reports/nightly/night_page.h"

#include <fmt/ranges.h>

#include <map>

#include "harness/base/json/checksummed.h"
#include "reports/formats/markdown.h"
#include "reports/nightly/series_text.h"
#include "reports/text/text.h"
#include "reports/web/html.h"

namespace ablate::reports {
namespace {

using nightly::Judged;
using nightly::Kind;
using nightly::Verdict;

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regression:
      return Tone::bad;
    case Verdict::improvement:
      return Tone::good;
    case Verdict::pass:
      return Tone::quiet;
    case Verdict::changed:
    case Verdict::inconclusive:
    case Verdict::no_data:
      break;
  }
  return Tone::neutral;
}

// "2 regressions: tiny/clm/held_out.loss, plan/small", the first few by name where they want to be looked at.
std::string count_text(const Judged& judged, Verdict verdict, const char* plural) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> series;
  for (const nightly::Finding& finding : judged.findings)
    if (finding.verdict == verdict) series.push_back(finding.series);
  if (series.empty()) return {};
  const std::size_t count = series.size();
  std::string text = fmt::format(
      "{} {}", count, count == 1 && verdict != Verdict::no_data ? name_of(verdict) : plural);
  if (verdict == Verdict::pass || verdict == Verdict::improvement) return text;
  if (count > kNamed) series.resize(kNamed);
  return fmt::format("{}: {}{}", text, fmt::join(series, ", "), count > kNamed ? " ..." : "");
}

// "1 regression: plan/small; 40 passes".
std::string counts_text(const Judged& judged) {
  std::string text;
  for (const auto& [verdict, plural] : {std::pair{Verdict::regression, "regressions"},
                                        {Verdict::no_data, "without data"},
                                        {Verdict::inconclusive, "inconclusive"},
                                        {Verdict::changed, "changed"},
                                        {Verdict::improvement, "improvements"},
                                        {Verdict::pass, "passes"}}) {
    const std::string counted = count_text(judged, verdict, plural);
    if (!counted.empty()) text += (text.empty() ? "" : "; ") + counted;
  }
  return text.empty() ? "no series" : text;
}

// Green of a pass, too: in a table it is the quiet one among others.
Tone banner_of(const Judged& judged) {
  return judged.verdict == Verdict::pass ? Tone::good : tone_of(judged.verdict);
}

/// Whether the series has a page over all nights: those of facts have, others where this one has a value.
bool has_history(const nightly::Finding& finding) {
  return finding.kind == Kind::exact || finding.numbers.contains("now");
}

/// The series, with a link to its history, which lies beside the folder of all nights.
Cell series_cell(const nightly::Finding& finding, const std::string& fingerprint) {
  if (!has_history(finding)) return text_cell(finding.series);
  return link_cell(finding.series, "../../" + series_file(finding.series, fingerprint));
}

Row row_of(const nightly::Finding& finding, const std::string& fingerprint) {
  return {{series_cell(finding, fingerprint),
           text_cell(std::string(name_of(finding.verdict)), tone_of(finding.verdict)),
           text_cell(finding.reason)},
          finding.verdict == Verdict::regression};
}

template <class Shown>
Table table_of(const Judged& judged, std::string name, std::string caption, const Shown& shown) {
  Table table{.name = std::move(name),
              .caption = std::move(caption),
              .columns = {{"series"}, {"verdict"}, {"what the gate saw"}}};
  for (const nightly::Finding& finding : judged.findings)
    if (shown(finding)) table.rows.push_back(row_of(finding, judged.night.identity.fingerprint));
  return table;
}

std::string answer_of(const Judged& judged) {
  switch (judged.verdict) {
    case Verdict::regression:
      return "Regression: " + counts_text(judged) + ".";
    case Verdict::pass:
      return "Pass: " + counts_text(judged) + ".";
    case Verdict::no_data:
      return "No data: " + counts_text(judged) + ". This is no pass.";
    default:
      return "Inconclusive: " + counts_text(judged) + ". This is no pass.";
  }
}

// What a test of JUnit is marked by; empty where it passes. A reader of JUnit alone must not take a
// night for green that is not: no data is an error.
std::string_view junit_element(Verdict verdict, InconclusiveAs inconclusive) {
  if (verdict == Verdict::regression) return "failure";
  if (verdict == Verdict::no_data) return "error";
  if (verdict != Verdict::inconclusive) return "";
  if (inconclusive == InconclusiveAs::failure) return "failure";
  return inconclusive == InconclusiveAs::skipped ? "skipped" : "error";
}

Section machine_section(const Judged& judged) {
  Table table{.name = "machine",
              .caption = "The machine; both programs ran on it, in turns.",
              .columns = {{"fact"}, {"value"}},
              .alike = false};
  for (const auto& [key, value] : judged.night.machine.items())
    table.rows.push_back({{text_cell(key), text_cell(value.is_string() ? value.get<std::string>()
                                                                       : ascii_text(value))}});
  table.rows.push_back({{text_cell("fingerprint"), text_cell(judged.night.identity.fingerprint)}});
  return {"machine", "Machine", {std::move(table)}, judged.night.identity.fingerprint, true};
}

}  // namespace

Document night_page(const Judged& judged) {
  const auto needs_eyes = [](const nightly::Finding& finding) {
    return finding.verdict != Verdict::pass;
  };
  Document document{.title = "Night " + judged.night.folder.filename().string(),
                    .answer = {{answer_of(judged)}},
                    .facts = fmt::format("Commit {} against the baseline '{}', pinned as {}.",
                                         judged.night.commit, judged.night.identity.baseline,
                                         judged.night.identity.pin),
                    .tone = banner_of(judged)};
  Table first =
      table_of(judged, "first", "Everything but passes, the most urgent first.", needs_eyes);
  if (first.rows.empty()) first.notes.emplace_back("Nothing: every series passes.");
  document.sections.push_back({"look", "To look at", {std::move(first)}});
  for (const auto& [kind, title, caption] :
       {std::tuple{Kind::exact, "Exact", "Facts that only a change of the code changes."},
        std::tuple{Kind::quality, "Quality",
                   "Metrics of trained models, by seed against the baseline's; judged where bits "
                   "differ."},
        std::tuple{Kind::speed, "Speed",
                   "Time over that of the baseline's program, measured in turns; above 1 is "
                   "slower."}}) {
    Table table =
        table_of(judged, std::string(name_of(kind)), caption,
                 [kind = kind](const nightly::Finding& finding) { return finding.kind == kind; });
    if (table.rows.empty()) continue;
    const auto series = static_cast<std::int64_t>(table.rows.size());
    document.sections.push_back({std::string(name_of(kind)),
                                 title,
                                 {std::move(table)},
                                 fmt::format("{} series", series),
                                 true});
  }
  document.sections.push_back(machine_section(judged));
  return document;
}

std::string junit_xml(const Judged& judged, InconclusiveAs inconclusive) {
  std::map<std::string_view, std::size_t> counts;
  std::string cases;
  for (const nightly::Finding& finding : judged.findings) {
    const std::string opening = fmt::format("  <testcase classname=\"{}\" name=\"{}\"",
                                            name_of(finding.kind), html_text(finding.series));
    const std::string_view element = junit_element(finding.verdict, inconclusive);
    if (element.empty()) {
      cases += opening + "/>\n";
      continue;
    }
    ++counts[element];
    cases += fmt::format("{}><{} message=\"{}: {}\"/></testcase>\n", opening, element,
                         name_of(finding.verdict), html_text(finding.reason));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"ablate nightly {}\" "
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}</testsuite>\n",
      html_text(judged.night.folder.filename().string()), judged.findings.size(), counts["failure"],
      counts["error"], counts["skipped"], cases);
}

std::vector<ReportFile> night_files(const Judged& judged, InconclusiveAs inconclusive) {
  const Document page = night_page(judged);
  return {{"index.html", html_page(page)},
          {"gate.md", markdown_page(page)},
          {"gate.xml", junit_xml(judged, inconclusive)},
          {"gate.json", checksummed_text(nightly::json_of(judged))}};
}

}  // namespace ablate::reports
