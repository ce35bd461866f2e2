// Whole reports: goldens of a small experiment, laws over formats, hostile names at every position.

#include "reports/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "reports/analysis/analysis.h"
#include "reports/formats/json.h"
#include "reports/formats/registry.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> all_formats() {
  const auto names = report_formats();
  return {names.begin(), names.end()};
}

std::map<std::string, std::string> files_of(const store::Records& records) {
  std::map<std::string, std::string> files;
  for (ReportFile& file : make_report(records, all_formats()))
    files[file.name] = std::move(file.bytes);
  return files;
}

const std::string kHostile =
    "</script><img src=x onerror=alert(1)>\\input{/etc/passwd}|`x`\x1b[31m\n\"'&$#_%^~\r=cmd";

/// The small experiment with hostile text wherever others may write.
store::Records hostile_records() {
  store::Records records = small_records();
  const std::string arm = "=cmd|' /C calc'!A0 " + kHostile;
  records.plan["experiment"] = kHostile;
  records.plan["question"] = "# " + kHostile;
  records.plan["arms"][1]["name"] = arm;
  records.plan["arms"][1]["objective"] = kHostile;
  records.plan["warnings"] = {kHostile};
  Json rows = small_metrics();
  rows.push_back(metric_row(kHostile, kHostile, "lower", "all arms"));
  rows.push_back(metric_row(kHostile + ".x", kHostile, "neither", kHostile));
  records.plan["metrics"] = {{"clm", rows}, {arm, rows}};
  records.plan["analysis"]["primary"] = kHostile;
  records.plan["match"][0]["on"] = kHostile;
  for (store::TrialRecord& trial : records.trials) {
    if (trial.arm == "mlm") trial.arm = arm;
    trial.id += kHostile;
    trial.metrics[kHostile] = trial.metrics["held_out.excess"];
    trial.metrics[kHostile + ".x"] = 1;
    trial.ledger[kHostile] = kHostile;
    trial.ledger["objective"] = {{kHostile, static_cast<double>(trial.seed)}};
    trial.provenance[kHostile] = kHostile + trial.id;
    trial.samples = {{kHostile, {{kHostile, kHostile}}}};
  }
  records.trials.front().outcome = "failed";
  records.trials.front().message = kHostile;
  return records;
}

/// What is wrong with the nesting of a page's tags; empty where nothing is.
std::string imbalance(const std::string& html) {
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

TEST(Report, MainTableOfTwoArmsHasARowAMetric) {
  EXPECT_EQ(
      main_table_text(small_records()),
      R"(In held_out.excess (nats/target, lower is better), mlm is worse than clm by 0.502 ± 0.018 (p = 0.031; paired over 6 seeds, exact sign-flip test).

small: 6 completed trials an arm

| metric                | unit        |             mlm |  clm (baseline) |       difference |     p | verdict        |
|-----------------------|-------------|----------------:|----------------:|-----------------:|------:|----------------|
| **held_out.excess ↓** | nats/target |   0.727 ± 0.033 |   0.225 ± 0.020 |    0.502 ± 0.018 | 0.031 | worse          |
| held_out.loss ↓       | nats/target |   2.727 ± 0.033 |   2.225 ± 0.020 |                  |       | not comparable |
| held_out.optimum      | nats/target |           2 ± 0 |           2 ± 0 |                  |       |                |
| topic.accuracy ↑      | fraction    | 0.8183 ± 0.0082 | 0.9437 ± 0.0049 | -0.1254 ± 0.0045 |       | exploratory    |
| topic.bayes           | fraction    |           1 ± 0 |           1 ± 0 |                  |       |                |

- Mean ± half-width of the 95 % t-interval over seeds. Arrows: ↓ lower is better, ↑ higher is better.
- Differences are arm − baseline, paired by seed; p: exact sign-flip test of held_out.excess.
- The minimum p that 6 seeds can give: 0.031.
)");
}

TEST(Report, FailuresStandUnderTheMainTable) {
  store::Records records = small_records();
  trial_of(records, "mlm", 3).outcome = "diverged";
  trial_of(records, "mlm", 3).message = "loss was nan";
  const auto files = files_of(records);
  EXPECT_THAT(main_table_text(records), HasSubstr("mlm: 1 of 6 trials diverged (seed 3)"));
  EXPECT_THAT(main_table_text(records), HasSubstr("inconclusive"));
  for (const char* name : {"report.md", "report.html"}) {
    EXPECT_THAT(files.at(name), HasSubstr("mlm, seed 3, diverged: loss was nan")) << name;
  }
  EXPECT_THAT(files.at("trials.csv"), HasSubstr("small,mlm,false,masked_lm,3,mlm-3,diverged,"));
}

TEST(Report, SaysWhichCompletedTrialsLackAMetric) {
  store::Records records = small_records();
  trial_of(records, "mlm", 2).metrics["held_out.excess"] = HUGE_VAL;
  trial_of(records, "mlm", 4).metrics.erase("held_out.excess");
  trial_of(records, "clm", 4).metrics.erase("topic.bayes");
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("- mlm: 2 of 6 completed trials have no finite held_out.excess "
                              "(seeds 2, 4)\n"));
  EXPECT_THAT(text,
              HasSubstr("- clm: 1 of 6 completed trials has no finite topic.bayes (seed 4)\n"));
}

TEST(Report, SaysHowManySamplesAreLeftOut) {
  store::Records records = small_records();
  for (const char* arm : {"clm", "mlm"})
    records.plan["metrics"][arm].push_back(
        metric_row("generation.log_probability", "nats/token", "higher", "all arms"));
  for (store::TrialRecord& trial : records.trials) {
    trial.metrics["generation.log_probability"] = -3;
    trial.metrics["generation.impossible"] = 0;
  }
  EXPECT_THAT(main_table_text(records), Not(HasSubstr("leaves out")));
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") trial.metrics["generation.impossible"] = .54;
  EXPECT_THAT(main_table_text(records),
              HasSubstr("- generation.log_probability leaves out the samples that the language "
                        "cannot generate: mlm 54 %.\n"));
}

TEST(Report, IsTheSameWhateverTheOrderOfTrials) {
  store::Records records = small_records();
  const auto files = files_of(records);
  std::reverse(records.trials.begin(), records.trials.end());
  EXPECT_EQ(files_of(records), files);
}

TEST(Report, EveryMeanOfTheMarkdownIsInTheJson) {
  const store::Records records = small_records();
  const std::string markdown = files_of(records).at("report.md");
  std::vector<double> numbers;
  const std::function<void(const Json&)> collect = [&](const Json& json) {
    if (json.is_number()) numbers.push_back(json.get<double>());
    if (json.is_structured()) {
      for (const Json& item : json) collect(item);
    }
  };
  collect(report_json(records));
  const std::regex estimate(R"((-?[0-9.]+) ± [0-9.]+)");
  int seen = 0;
  for (auto at = std::sregex_iterator(markdown.begin(), markdown.end(), estimate);
       at != std::sregex_iterator(); ++at, ++seen) {
    const std::string text = (*at)[1];
    const double unit = text.find('.') == std::string::npos
                            ? 1
                            : std::pow(10, -static_cast<double>(text.size() - text.find('.') - 1));
    const auto near = [&](double number) {
      return std::abs(std::abs(number) - std::abs(std::stod(text))) <= .501 * unit;
    };
    EXPECT_TRUE(std::any_of(numbers.begin(), numbers.end(), near)) << text;
  }
  EXPECT_GT(seen, 20);
}

TEST(Report, MoreArmsHaveARowEach) {
  store::Records records = small_records();
  records.plan["arms"].push_back(plan_arm("mlm[rate=0.5]", false, "masked_lm", 0.5));
  records.plan["metrics"]["mlm[rate=0.5]"] = small_metrics();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    records.trials.push_back(small_trial("mlm[rate=0.5]", seed, .1));
  }
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("| clm (baseline) |   6 |"));
  EXPECT_THAT(text, HasSubstr("p (Holm)"));
  EXPECT_THAT(text,
              HasSubstr("not testable with 6 seeds: mlm (0.502 ± 0.018), mlm[rate=0.5] (-0.125 ± "
                        "0.020)"));
  EXPECT_THAT(text, HasSubstr("too few seeds for any adjusted p below 0.05"));
}

TEST(Report, NamesEachReasonForNoVerdictWithItsOwnArms) {
  store::Records records = small_records();
  records.plan["arms"].push_back(plan_arm("mlm[rate=0.5]", false, "masked_lm", 0.5));
  records.plan["metrics"]["mlm[rate=0.5]"] = small_metrics();
  for (std::int64_t seed = 1; seed <= 6; ++seed)
    records.trials.push_back(small_trial("mlm[rate=0.5]", seed, .1));
  trial_of(records, "mlm[rate=0.5]", 3).outcome = "diverged";
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("inconclusive: mlm[rate=0.5] ("));
  EXPECT_THAT(text, HasSubstr("not testable with 6 seeds: mlm (0.502 ± 0.018)"));
}

TEST(Report, ShowsThePOfTheTestThatDecides) {
  store::Records records = small_records();
  records.plan["analysis"]["smallest_effect"] = 0.6;  // mlm differs by .502 ± .018
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("is equivalent to clm within ±0.6 (difference 0.502 ± 0.018) (two "
                              "one-sided t-tests: p \\< 0.001; of a difference: p = 0.031;"));
  EXPECT_THAT(text, HasSubstr("|     p | p equivalent | verdict"));
  EXPECT_THAT(text, HasSubstr("| 0.031 |      \\<0.001 | equivalent"));
  EXPECT_THAT(text, HasSubstr("- p equivalent: two one-sided t-tests against ±0.6."));
  const Json json = to_json(analyse(records));
  const auto primary = std::find_if(json["differences"].begin(), json["differences"].end(),
                                    [](const Json& one) { return one["primary"] == true; });
  EXPECT_LT((*primary)["p_equivalent"].get<double>(), .001);
}

TEST(Report, HasAnAnswerForExperimentsThatCannotHaveOne) {
  store::Records records = small_records();
  records.plan["analysis"]["primary"] = "held_out.loss";
  EXPECT_THAT(main_table_text(records), HasSubstr("mlm is not comparable with clm"));
  records.plan["analysis"].erase("primary");
  EXPECT_THAT(main_table_text(records), HasSubstr("declared no primary metric"));
  records.plan["arms"][0]["baseline"] = false;
  EXPECT_THAT(main_table_text(records), HasSubstr("No arm is the baseline"));
}

TEST(Report, AnExperimentThatNeverRanStillHasOne) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    trial = {.id = trial.id, .arm = trial.arm, .seed = trial.seed, .outcome = "unfinished"};
  }
  const auto files = files_of(records);
  EXPECT_EQ(imbalance(files.at("report.html")), "");
  EXPECT_THAT(files.at("report.md"), HasSubstr("mlm: 6 of 6 trials unfinished"));
}

TEST(Html, IsWellFormedAndAlone) {
  for (const store::Records& records : {small_records(), hostile_records()}) {
    const std::string html = files_of(records).at("report.html");
    EXPECT_EQ(imbalance(html), "");
    EXPECT_THAT(html, HasSubstr("default-src 'none'"));
    EXPECT_THAT(html, HasSubstr("<style>\n:root{"));
    EXPECT_THAT(html, Not(HasSubstr("/*")));
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, Not(HasSubstr("<img")));
    EXPECT_THAT(html, Not(HasSubstr("url(")));
    EXPECT_THAT(html, Not(HasSubstr("http:")));
    EXPECT_THAT(html, Not(HasSubstr("https:")));
    EXPECT_THAT(html, Not(HasSubstr("\x1b")));
  }
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
  for (store::CurvePoint& point : records.trials[0].curve) point.loss = std::nan("");
  records.trials[1].curve[3].loss = HUGE_VAL;
  records.trials[2].curve[3].text_tokens = 1e308;
  const std::string html = files_of(records).at("report.html");
  EXPECT_FALSE(std::regex_search(html, std::regex("(points|x1|cx)=\"[^\"]*(nan|inf)")));
}

TEST(Markdown, HostileNamesStayInTheirCells) {
  const std::string markdown = files_of(hostile_records()).at("report.md");
  EXPECT_THAT(markdown, Not(HasSubstr("\x1b")));
  std::size_t cells = 0;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(std::regex_search(line, std::regex(R"((^|[^\\])<)"))) << line;
    if (!line.starts_with("|")) {
      cells = 0;
      continue;
    }
    const std::regex bar(R"((^|[^\\])\|)");
    const auto count = static_cast<std::size_t>(
        std::distance(std::sregex_iterator(line.begin(), line.end(), bar), std::sregex_iterator()));
    if (cells != 0) {
      EXPECT_EQ(count, cells) << line;
    }
    cells = count;
  }
}

TEST(Latex, TablesFitTheTextAndNeedNoEncoding) {
  const auto files = files_of(hostile_records());
  const std::string& tex = files.at("tables.tex");
  EXPECT_THAT(tex, HasSubstr("Needs \\usepackage{booktabs,graphicx}."));
  const std::regex table(R"(\\begin\{table\})"), fitted(R"(\\AblateFit\{%)");
  const auto count = [&](const std::regex& what) {
    return std::distance(std::sregex_iterator(tex.begin(), tex.end(), what),
                         std::sregex_iterator());
  };
  EXPECT_GT(count(table), 0);
  EXPECT_EQ(count(fitted), count(table));
  EXPECT_EQ(tex.find("textquotedbl"), tex.npos) << "unknown in the default encoding";
}

TEST(Latex, HostileNamesBecomeText) {
  const auto files = files_of(hostile_records());
  const std::set<std::string> known = {"begin",
                                       "end",
                                       "centering",
                                       "caption",
                                       "label",
                                       "small",
                                       "toprule",
                                       "midrule",
                                       "bottomrule",
                                       "par",
                                       "smallskip",
                                       "footnotesize",
                                       "pm",
                                       "downarrow",
                                       "uparrow",
                                       "cdot",
                                       "ldots",
                                       "textbf",
                                       "textbackslash",
                                       "textless",
                                       "textgreater",
                                       "textbar",
                                       "textasciigrave",
                                       "char",
                                       "textasciicircum",
                                       "textasciitilde",
                                       "usepackage",
                                       "raggedright",
                                       "linewidth"};
  const std::set<std::string> fitting = {"providecommand", "AblateFit", "setbox",    "hbox",
                                         "ifdim",          "wd",        "resizebox", "box",
                                         "else",           "fi"};
  const std::regex command(R"(\\([a-zA-Z]+))");
  for (const char* name : {"tables.tex", "numbers.tex"}) {
    const std::string& tex = files.at(name);
    for (auto at = std::sregex_iterator(tex.begin(), tex.end(), command);
         at != std::sregex_iterator(); ++at) {
      const std::string word = (*at)[1];
      const bool ours = name == std::string("numbers.tex") &&
                        (word == "newcommand" || word.starts_with("Ablate"));
      EXPECT_TRUE(ours || known.contains(word) || fitting.contains(word)) << word;
    }
    EXPECT_EQ(std::count(tex.begin(), tex.end(), '{'), std::count(tex.begin(), tex.end(), '}'));
  }
}

TEST(Latex, EveryRowHasItsColumns) {
  const std::string tex = files_of(small_records()).at("tables.tex");
  EXPECT_THAT(tex, HasSubstr("\\textbf{held\\_out.excess $\\downarrow$} & nats/target & "
                             "$0.727 \\pm 0.033$ & $0.225 \\pm 0.020$ & $0.502 \\pm 0.018$ & "
                             "0.031 & worse \\\\\n"));
}

TEST(Latex, MacrosHaveLettersAndNoNameTwice) {
  store::Records records = small_records();
  for (const char* twin : {"a-b", "a_b"}) {
    records.plan["arms"].push_back(plan_arm(twin, false, "masked_lm", 0.5));
    records.plan["metrics"][twin] = small_metrics();
    records.trials.push_back(small_trial(twin, 1, .1));
  }
  const std::string tex = files_of(records).at("numbers.tex");
  EXPECT_THAT(tex, HasSubstr("\\newcommand{\\AblateMlmHeldOutExcess}{$0.727 \\pm 0.033$}"));
  EXPECT_THAT(tex, HasSubstr("\\newcommand{\\AblateDiffMlmHeldOutExcessP}{$0.094$}"));
  std::set<std::string> names;
  std::istringstream lines(tex);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("%")) continue;
    std::smatch match;
    ASSERT_TRUE(std::regex_search(line, match, std::regex(R"(^\\newcommand\{\\([A-Za-z]+)\}\{)")));
    EXPECT_TRUE(names.insert(match[1]).second) << match[1];
  }
}

/// Rows of fields by RFC 4180.
std::vector<std::vector<std::string>> parse_csv(const std::string& bytes) {
  std::vector<std::vector<std::string>> rows(1);
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < bytes.size() && bytes[i + 1] == '"') {
        field += bytes[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      rows.back().push_back(std::move(field));
      field.clear();
      if (c == '\n') rows.emplace_back();
    } else if (c != '\r') {
      field += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST(Csv, ReadsBackAsItWasMeasured) {
  const store::Records records = small_records();
  const auto rows = parse_csv(files_of(records).at("trials.csv"));
  ASSERT_EQ(rows.size(), 1 + 12 * 5);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), rows[0].size());
    store::Records copy = records;
    const store::TrialRecord& trial = trial_of(copy, rows[i][1], std::stoll(rows[i][4]));
    EXPECT_EQ(std::stod(rows[i][10]), trial.metrics.at(rows[i][7]));
  }
}

TEST(Csv, HostileTextRunsNothing) {
  const auto files = files_of(hostile_records());
  for (const char* name : {"trials.csv", "summary.csv"}) {
    const auto rows = parse_csv(files.at(name));
    for (const auto& row : rows) {
      EXPECT_EQ(row.size(), rows[0].size()) << name;
      for (const std::string& field : row) {
        const bool number = std::regex_match(field, std::regex("-?[0-9.]+(e[-+]?[0-9]+)?"));
        if (number || field.empty()) continue;
        EXPECT_EQ(std::string("=+-@").find(field[0]), std::string::npos) << field;
      }
    }
  }
}

TEST(Report, UnknownFormatsAreRefused) {
  EXPECT_THAT([] { make_report(small_records(), {"pdf"}); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "--format: no format is named 'pdf'; the formats are md, tex, html, csv, json"));
}

TEST(Report, WritesTheFormatsAskedFor) {
  const auto files = make_report(small_records(), {"csv"});
  ASSERT_EQ(files.size(), 2);
  EXPECT_EQ(files[0].name, "trials.csv");
}

TEST(Report, EveryRowOfTheRegistryIsWrittenWhenItIsAskedFor) {
  const store::Records records = small_records();
  std::set<std::string_view> names, files;
  for (const Format& format : formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    const auto written = make_report(records, {std::string(format.name)});
    ASSERT_EQ(written.size(), format.files.size()) << format.name;
    for (std::size_t i = 0; i < written.size(); ++i) {
      EXPECT_EQ(written[i].name, format.files[i].name);
      EXPECT_FALSE(written[i].bytes.empty()) << written[i].name;
      EXPECT_TRUE(files.insert(format.files[i].name).second) << written[i].name;
    }
  }
  EXPECT_EQ(files_of(records).size(), files.size());
}

TEST(Report, IsWrittenInTheOrderOfTheRegistry) {
  std::vector<std::string> backwards = all_formats();
  std::reverse(backwards.begin(), backwards.end());
  const auto files = make_report(small_records(), backwards);
  EXPECT_EQ(files.front().name, "report.md");
  EXPECT_EQ(files.back().name, "report.json");
}

}  // namespace
}  // namespace ablate::reports
