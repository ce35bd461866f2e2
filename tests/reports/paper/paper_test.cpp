// A paper: files that fit together, tables that nest, names that are text.

#include "reports/paper/paper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include "tests/reports/files.h"
#include "tests/reports/hostile.h"
#include "tests/reports/paper/tex_scanner.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

/// The .tex files of a paper by name, without their folder.
std::map<std::string, std::string> tex_of(const store::Records& records) {
  std::map<std::string, std::string> files;
  for (ReportFile& file : make_report(records, {"tex"}))
    if (file.name.ends_with(".tex")) files[file.name.substr(6)] = std::move(file.bytes);
  return files;
}

/// A text of LaTeX without its comments.
std::string without_comments(const std::string& tex) {
  return std::regex_replace(tex, std::regex(R"((^|[^\\])%[^\n]*)"), "$1");
}

TEST(Paper, HasWhatItsDocumentReads) {
  const auto files = tex_of(with_sweep("mlm", {.15, .3}));
  const std::regex input(R"(\\input\{([^}]*)\})");
  const std::string& document = files.at("paper.tex");
  std::set<std::string> read = {"paper.tex"};
  for (auto at = std::sregex_iterator(document.begin(), document.end(), input);
       at != std::sregex_iterator(); ++at)
    read.insert((*at)[1].str() + ".tex");
  for (const std::string& name : read) EXPECT_TRUE(files.contains(name)) << name;
  for (const auto& [name, bytes] : files) {
    const std::string in_a_float = name.substr(0, name.size() - 4) + "-float.tex";
    EXPECT_TRUE(read.contains(name) || read.contains(in_a_float)) << name << " is not shown";
    EXPECT_TRUE(bytes.starts_with(kPaperMark)) << name;
  }
  EXPECT_TRUE(files.contains("main.tex") && files.contains("figures/forest.tex") &&
              files.contains("figures/dose-1.tex") && files.contains("figures/seeds.tex") &&
              files.contains("figures/curves-1.tex"));
}

TEST(Paper, EveryFigureHasItsNumbersAsCsv) {
  const auto files = make_report(small_records(), {"tex"});
  for (const ReportFile& file : files) {
    if (!file.name.starts_with("paper/figures/") || !file.name.ends_with("-float.tex")) continue;
    const std::string csv = file.name.substr(0, file.name.size() - 10) + ".csv";
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const ReportFile& other) {
      return other.name == csv && std::count(other.bytes.begin(), other.bytes.end(), '\n') > 1;
    })) << csv;
  }
}

TEST(Paper, FloatsHoldTheirTablesAndFigures) {
  const auto files = tex_of(small_records());
  for (const char* name : {"main", "ledger", "figures/forest", "figures/curves-1"}) {
    const std::string tex = files.at(std::string(name) + ".tex").substr(kPaperMark.size());
    const std::string& in_float = files.at(std::string(name) + "-float.tex");
    EXPECT_THAT(in_float, HasSubstr(tex.substr(0, tex.size() - 2))) << name;
    EXPECT_THAT(in_float, HasSubstr("\\caption{")) << name;
    EXPECT_THAT(in_float, HasSubstr("\\label{")) << name;
    EXPECT_EQ(tex.find("\\caption"), tex.npos) << name;
  }
}

TEST(Paper, HostileNamesBecomeText) {
  // Every command that our own files use, and none of another's.
  std::set<std::string> known;
  const std::regex command(R"(\\([a-zA-Z]+))");
  const auto each_command = [&](const std::string& tex, const auto& visit) {
    const std::string text = without_comments(tex);
    for (auto at = std::sregex_iterator(text.begin(), text.end(), command);
         at != std::sregex_iterator(); ++at)
      visit((*at)[1].str());
  };
  for (const store::Records& records : {small_records(), with_sweep("mlm", {.15, .3})})
    for (const auto& [name, tex] : tex_of(records))
      each_command(tex, [&](const std::string& word) { known.insert(word); });
  for (const char* word : {"textbackslash", "textless", "textgreater", "textbar", "textasciigrave",
                           "char", "textasciicircum", "textasciitilde", "AblateUnicode", "mathbf",
                           "ldots", "arraybackslash", "parbox", "raggedright"})
    known.insert(word);
  ASSERT_FALSE(known.contains("alert"));
  for (const auto& [name, tex] : tex_of(hostile_records())) {
    each_command(tex, [&, &in = name](const std::string& word) {
      EXPECT_TRUE(known.contains(word) || word.starts_with("Ablate")) << word << " in " << in;
    });
    EXPECT_EQ(tex.find("\x1b"), tex.npos) << name;
  }
}

TEST(Paper, NestsAndHasNoSpecialCharacterOutOfPlace) {
  for (const store::Records& records :
       {small_records(), hostile_records(), with_sweep("mlm", {.15, .3})})
    for (const auto& [name, text] : tex_of(records)) {
      const bool options =
          name == "preamble.tex" || name == "paper.tex" || name.find('/') != name.npos;
      EXPECT_EQ(options ? "" : TexScanner(text).fault(), "") << name;
    }
  for (const char* wrong : {"{", "a_b", "$1 {$}", "\\begin{a}\\end{b}", "1 & 2", "}", "a # b",
                            "\\caption{a\n\nb}", "\\begin{tabular}{@{}l@{}}a & b \\\\"})
    EXPECT_NE(TexScanner(wrong).fault(), "") << wrong;
}

TEST(Paper, EveryRowHasItsColumns) {
  const std::string tex = tex_of(small_records()).at("main.tex");
  EXPECT_THAT(tex, HasSubstr("held\\_out.excess $\\downarrow${} & nats/target & "
                             "$0.73$ & ${}\\pm 0.03$ & $\\mathbf{0.225}$ & ${}\\pm 0.020$ & "
                             "$0.502$ & ${}\\pm 0.018$ & 0.031 & worse \\\\\n"));
}

TEST(Paper, LongTablesAreSeveralFloatsWithOneLabel) {
  std::vector<double> rates;
  for (int i = 1; i <= 20; ++i) rates.push_back(i / 21.0);
  const auto files = tex_of(with_sweep("mlm", rates));
  const std::string& trials = files.at("trials-float.tex");  // 22 arms of six seeds
  const auto count = [&](const std::string& what) {
    const std::regex pattern(what);
    return std::distance(std::sregex_iterator(trials.begin(), trials.end(), pattern),
                         std::sregex_iterator());
  };
  EXPECT_EQ(count(R"(\\begin\{table\})"), 5);
  EXPECT_EQ(count(R"(\\label)"), 1);
  EXPECT_EQ(count(R"(\(continued\))"), 4);
  EXPECT_EQ(count("completed"), 22 * 6) << "no row is lost";
}

TEST(Paper, WideTablesSpanBothColumnsOfAVenue) {
  std::map<std::string, std::string> files;
  for (ReportFile& file : make_report(small_records(), {"tex"}, venue_named("icml")))
    files[file.name] = std::move(file.bytes);
  EXPECT_THAT(files.at("paper/main-float.tex"), HasSubstr("\\begin{table*}"));
  EXPECT_THAT(files.at("paper/figures/forest.tex"), HasSubstr("in, height="));
  EXPECT_THAT(files.at("paper/paper.tex"), HasSubstr("textwidth=6.75in"));
  EXPECT_THAT(tex_of(small_records()).at("main-float.tex"), HasSubstr("\\begin{table}"));
  EXPECT_THAT(tex_of(small_records()).at("figures/forest.tex"), HasSubstr("\\linewidth"));
}

/// What the LaTeX of a report defines: labels and macros.
std::multiset<std::string> defined(const store::Records& records) {
  std::multiset<std::string> names;
  const std::regex definition(R"(\\(label|newcommand)\{([^}]*)\})");
  for (const auto& [name, tex] : tex_of(records))
    for (auto at = std::sregex_iterator(tex.begin(), tex.end(), definition);
         at != std::sregex_iterator(); ++at)
      if (name != "preamble.tex") names.insert((*at)[2]);
  return names;
}

TEST(Paper, TwoReportsFitIntoOne) {
  store::Records records = small_records();
  records.plan["experiment"] = "Masking_rate 2";
  std::multiset<std::string> names = defined(records);
  EXPECT_EQ(names.count("tab:masking-rate-2:main"), 1u);
  EXPECT_EQ(names.count("fig:masking-rate-2:forest"), 1u);
  EXPECT_EQ(names.count("\\AblateMaskingRateTwoMlmHeldOutExcess"), 1u);
  names.merge(defined(small_records()));
  for (const std::string& name : names) EXPECT_EQ(names.count(name), 1u) << name;
}

TEST(Paper, TheCaptionSaysWhatTheNumbersAre) {
  store::Records records = small_records();
  records.plan["analysis"]["smallest_effect"] = 0.02;
  for (store::TrialRecord& trial : records.trials) trial.provenance["commit"] = "abc1234";
  const std::string tex = tex_of(records).at("main-float.tex");
  for (const char* said :
       {"Which learns more?", "held\\_out.excess (nats/target, lower is better)",
        "95\\,\\% t-intervals over 6 seeds (1--6)", "paired by seed; p: exact sign-flip test",
        "smallest effect of interest, $\\pm$0.02", "Matched between arms on tokens",
        "Commit abc1234 of ablate.", "Bold: the best mean."})
    EXPECT_THAT(tex, HasSubstr(said));
}

}  // namespace
}  // namespace ablate::reports
