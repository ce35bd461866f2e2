// The page: well formed, by itself, and with words for those who do not see.

#include "reports/web/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "tests/edited_curve.h"
#include "tests/reports/budget_sweeps.h"
#include "tests/reports/dynamics.h"
#include "tests/reports/files.h"
#include "tests/reports/hostile.h"
#include "tests/reports/probe_records.h"
#include "tests/reports/sweeps.h"
#include "tests/reports/task_records.h"
#include "tests/reports/tuned_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The page without what stands within its scripts, which is no markup.
std::string without_scripts(const std::string& html) {
  std::string rest;
  std::size_t at = 0;
  for (auto start = html.find("<script"); start != std::string::npos;
       start = html.find("<script", at)) {
    const std::size_t inner = html.find('>', start) + 1;
    rest += html.substr(at, inner - at);
    at = html.find("</script>", inner);
  }
  return rest + html.substr(at);
}

/// What is wrong with the nesting of a page's tags; empty where nothing is.
std::string imbalance(const std::string& page) {
  const std::string html = without_scripts(page);
  static const std::set<std::string> kVoid = {"meta", "br", "hr", "img", "link", "wbr"};
  static const std::regex tag(
      R"re(<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z0-9:-]+="[^"<>]*")*)\s*(/?)>)re");
  std::vector<std::string> open;
  std::size_t found = 0;
  for (auto at = std::sregex_iterator(html.begin(), html.end(), tag); at != std::sregex_iterator();
       ++at) {
    ++found;
    const std::string name = (*at)[2];
    if ((*at)[4].length() > 0 || kVoid.contains(name)) continue;
    if ((*at)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  const auto angles = static_cast<std::size_t>(std::count(html.begin(), html.end(), '<'));
  if (angles != found + 1) return "a '<' that is no well-formed tag";  // + 1: the doctype
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

TEST(Html, IsWellFormedAndAlone) {
  for (const store::Records& records : {small_records(), hostile_records()}) {
    const std::string html = files_of(records).at("report.html");
    EXPECT_EQ(imbalance(html), "");
    EXPECT_THAT(html, HasSubstr("default-src &#39;none&#39;"));
    EXPECT_THAT(html, HasSubstr("<style>\n:root{"));
    EXPECT_THAT(html, Not(HasSubstr("<img")));
    EXPECT_THAT(html, Not(HasSubstr("url(")));
    EXPECT_THAT(html, Not(HasSubstr(" src=\"")));
    EXPECT_THAT(html, Not(HasSubstr(" style=\"")));
    EXPECT_THAT(without_scripts(html), Not(HasSubstr("http:")));
    EXPECT_THAT(without_scripts(html), Not(HasSubstr("https:")));
    EXPECT_THAT(html, Not(HasSubstr("\x1b")));
  }
}

TEST(Html, HasTheScriptsOfThePageAndNoOthers) {
  for (const store::Records& records : {small_records(), hostile_records()}) {
    const std::string html = files_of(records).at("report.html");
    const std::regex script("<script[^>]*>");
    EXPECT_EQ(std::distance(std::sregex_iterator(html.begin(), html.end(), script), {}), 4)
        << "the charts' numbers, tables.js, uPlot, the parts of charts";
    EXPECT_THAT(html, HasSubstr("Copyright (c) 2022 Leon Sorokin")) << "uPlot's licence";
  }
}

TEST(Html, NeedsNoPlottingWithoutCurves) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) trial.curve = {};
  const std::string html = files_of(records).at("report.html");
  EXPECT_THAT(html, Not(HasSubstr("uPlot")));
  EXPECT_THAT(html, Not(HasSubstr("chart-data")));
}

TEST(Html, NumbersLeadToTheirValuesAndTheseToTheirTrials) {
  const std::string html = files_of(small_records()).at("report.html");
  std::smatch number;
  ASSERT_TRUE(
      std::regex_search(html, number,
                        std::regex("<a class=\"origin\" href=\"#([a-z0-9-]+)\">0.502</a></td>"
                                   "<td class=\"half\">±\u00a00.018")));
  const std::size_t row = html.find("<tr id=\"" + number.str(1) + "\">");
  ASSERT_NE(row, std::string::npos);
  EXPECT_THAT(html.substr(row, 400), HasSubstr("mlm − clm"));
  const std::size_t loss = html.find(">held_<wbr>out.<wbr>excess: mlm (nats/target)<");
  ASSERT_NE(loss, std::string::npos);
  EXPECT_THAT(html.substr(loss, 400), HasSubstr("<a href=\"#trial-2-1\">0.7</a>"));
  EXPECT_THAT(html, HasSubstr("<tr id=\"trial-2-1\">"));
}

/// The numeric cells of a page's tables that lead nowhere; not of tables that lie at the end of the way.
std::vector<std::string> cells_without_origin(const std::string& html) {
  const std::set<std::string> ends = {"trials", "stores",       "provenance",  "tests",  "derived",
                                      "arms",   "common-tests", "common-arms", "queries"};
  std::vector<std::string> lost;
  const std::regex cell(R"re(<td class="(?:n|mean)">([^<]*[0-9][^<]*)</td>)re");
  for (std::size_t at = html.find("id=\"table-"); at != html.npos;
       at = html.find("id=\"table-", at + 1)) {
    const std::string name = html.substr(at + 10, html.find('"', at + 10) - at - 10);
    if (ends.contains(name) || name.find("values-") != name.npos) continue;
    const std::string table = html.substr(at, html.find("</table>", at) - at);
    for (auto found = std::sregex_iterator(table.begin(), table.end(), cell);
         found != std::sregex_iterator(); ++found)
      lost.push_back(name + ": " + found->str(1));
  }
  return lost;
}

TEST(Html, EveryNumericCellLeadsToWhatItWasComputedFrom) {
  const auto falling = [](std::int64_t step) { return 2 - .02 * static_cast<double>(step); };
  for (const store::Records& records :
       {small_records(), hostile_records(), tuned_records(), flipping(), with_probe_curves(),
        with_sweep("mlm", {10, .3, .15, 2}), with_tasks(6, {.9, .7, .5, .3}), with_own_seeds(7),
        with_items(90, 75, with_kernels(with_temperatures(with_dynamics({10, 20, 40}, falling))))})
    EXPECT_THAT(cells_without_origin(files_of(records).at("report.html")), testing::IsEmpty());
}

TEST(Html, SentencesOfTheAnswerLeadToTheirQueries) {
  const std::string html = files_of(small_records()).at("report.html");
  EXPECT_THAT(html, HasSubstr("<sup><a class=\"origin\" href=\"#sentence-1\""));
  const std::size_t row = html.find("<tr id=\"sentence-1\">");
  ASSERT_NE(row, html.npos);
  const std::string query = html.substr(row, html.find("</tr>", row) - row);
  EXPECT_THAT(query, HasSubstr("mlm − clm</a>"));
  EXPECT_THAT(query, HasSubstr("SELECT arm, seed, value FROM result"));
}

TEST(Html, SortsTablesOfWhichAColumnHoldsOneQuantity) {
  const auto sortable = [](const store::Records& records) {
    const std::string html = files_of(records).at("report.html");
    const std::size_t main = html.find("id=\"table-main\"");
    return html.substr(main, html.find("<thead>", main) - main).find("sortable") !=
           std::string::npos;
  };
  EXPECT_FALSE(sortable(small_records())) << "a row for each metric";
  EXPECT_TRUE(sortable(with_sweep("mlm", {.15, .3}))) << "a row for each arm";
}

TEST(Html, ShowsTheTextsOfAllArmsSideBySide) {
  const std::string html = files_of(small_records()).at("report.html");
  const std::size_t row = html.find("<h3>Text 1</h3>");
  ASSERT_NE(row, std::string::npos);
  const std::string texts = html.substr(row, html.find("</div>", row) - row);
  EXPECT_THAT(texts, HasSubstr("the sample of clm"));
  EXPECT_THAT(texts, HasSubstr("the sample of mlm"));
}

TEST(Html, BreaksNamesAtTheirMarksButNoNumbers) {
  const std::string html = files_of(with_sweep("mlm", {.15, .3})).at("report.html");
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\">mlm[<wbr>rate=<wbr>0.15]</th>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\" class=\"long\">")) << "longer names may wrap";
}

TEST(Html, HasEveryAnchorOnce) {
  const std::string html = files_of(small_records()).at("report.html");
  const std::regex id(R"re(\sid="([^"]+)")re");
  std::set<std::string> ids;
  for (auto at = std::sregex_iterator(html.begin(), html.end(), id); at != std::sregex_iterator();
       ++at) {
    EXPECT_TRUE(ids.insert((*at)[1]).second) << (*at)[1];
  }
  const std::regex link(R"re(href="#([^"]+)")re");
  for (auto at = std::sregex_iterator(html.begin(), html.end(), link); at != std::sregex_iterator();
       ++at) {
    EXPECT_TRUE(ids.contains((*at)[1])) << (*at)[1];
  }
}

TEST(Html, DrawsWithWordsForThoseWhoDoNotSee) {
  const std::string html = files_of(small_records()).at("report.html");
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, HasSubstr("mlm: 0.502 ± 0.018, worse."));
  EXPECT_THAT(html, HasSubstr("role=\"img\""));
}

TEST(Html, DrawsNoNumberThatIsNotFinite) {
  store::Records records = small_records();
  testing_support::edit_curve(records.trials[0].curve, [](std::vector<store::CurvePoint>& points) {
    for (store::CurvePoint& point : points) point.loss = std::nan("");
  });
  testing_support::edit_point(records.trials[1].curve, 3,
                              [](store::CurvePoint& point) { point.loss = HUGE_VAL; });
  testing_support::edit_point(records.trials[2].curve, 3,
                              [](store::CurvePoint& point) { point.text_tokens = 1e308; });
  const std::string html = files_of(records).at("report.html");
  EXPECT_FALSE(std::regex_search(html, std::regex("(points|x1|cx)=\"[^\"]*(nan|inf)")));
}

}  // namespace
}  // namespace ablate::reports
