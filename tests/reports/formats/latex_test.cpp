// LaTeX: tables that fit, macros that are letters, names that are text.

#include "reports/formats/latex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "tests/reports/files.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

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

/// Reads LaTeX as TeX's scanner does, as far as to find what would end a compilation: groups,
/// environments and formulas that do not nest, special characters outside their place, rows with
/// too many or too few cells.
class Scanner {
 public:
  explicit Scanner(const std::string& tex) : tex_(tex) {}

  /// The first fault with the text that follows it; empty where there is none.
  std::string fault() {
    while (at_ < tex_.size()) {
      const std::size_t begin = at_;
      if (const std::string wrong = step(); !wrong.empty())
        return wrong + " at: " + tex_.substr(begin, 60);
    }
    return open_.empty() ? "" : "not closed: " + open_.back().what;
  }

 private:
  /// A group, a formula or an environment.
  struct Open {
    std::string what;
    std::ptrdiff_t columns = 0;  // of a tabular
    std::ptrdiff_t cells = 1;    // of its row so far
  };

  std::string step() {
    const char c = tex_[at_++];
    if (c == '\\') return command();
    if (c == '%') at_ = std::min(tex_.find('\n', at_), tex_.size() - 1) + 1;  // a comment
    if (c == '{') open_.push_back({"{"});
    if (c == '}') return close("{");
    if (c == '$' && !within("$")) return open_.push_back({"$"}), "";
    if (c == '$') return close("$");
    if (c == '&') return within("tabular") ? (++open_.back().cells, "") : "& outside a row";
    if ((c == '_' || c == '^') && !within("$")) return "outside a formula";
    if (c == '#' && tex_.substr(at_ - 1, 3) != "#1}") return "no parameter";
    if (c == '~') return "not escaped";
    if (c == '\n' && tex_[at_] == '\n' && within("{")) return "a paragraph ends in an argument";
    return "";
  }

  std::string command() {
    const std::size_t begin = at_;
    while (at_ < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[at_]))) ++at_;
    const std::string name = tex_.substr(begin, at_ - begin);
    if (name.empty()) return tex_[at_++] == '\\' ? end_row() : "";  // an escaped character
    if (name != "begin" && name != "end") return "";
    const std::size_t brace = tex_.find('}', at_);
    const std::string environment = tex_.substr(at_ + 1, brace - at_ - 1);
    at_ = brace + 1;
    if (name == "end") return close(environment);
    open_.push_back({environment});
    if (environment != "tabular") return "";
    const std::size_t first = tex_.find("{@{}", at_) + 4, last = tex_.find("@{}}", at_);
    open_.back().columns = static_cast<std::ptrdiff_t>(last - first);  // "{@{}llr@{}}"
    at_ = last + 4;
    return "";
  }

  std::string end_row() {
    if (!within("tabular")) return "a row outside a table";
    const std::ptrdiff_t cells = std::exchange(open_.back().cells, 1);
    return cells == open_.back().columns ? "" : "a row of other cells than its columns";
  }

  bool within(const std::string& what) const { return !open_.empty() && open_.back().what == what; }

  std::string close(const std::string& what) {
    if (!within(what)) return "closes " + what + ", which is not open";
    open_.pop_back();
    return "";
  }

  const std::string& tex_;
  std::size_t at_ = 0;
  std::vector<Open> open_;  // the innermost last
};

TEST(Latex, NestsAndHasNoSpecialCharacterOutOfPlace) {
  for (const store::Records& records : {small_records(), hostile_records()})
    for (const auto& [name, text] : files_of(records)) {
      const bool tex = name.ends_with(".tex");
      EXPECT_EQ(tex ? Scanner(text).fault() : "", "") << name;
    }
  for (const char* wrong : {"{", "a_b", "$1 {$}", "\\begin{a}\\end{b}", "1 & 2", "}", "a # b",
                            "\\caption{a\n\nb}", "\\begin{tabular}{@{}l@{}}a & b \\\\"})
    EXPECT_NE(Scanner(wrong).fault(), "") << wrong;
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
  EXPECT_THAT(tex, HasSubstr("\\newcommand{\\AblateSmallMlmHeldOutExcess}{$0.727 \\pm 0.033$}"));
  EXPECT_THAT(tex, HasSubstr("\\newcommand{\\AblateSmallDiffMlmHeldOutExcessP}{$0.094$}"));
  std::set<std::string> names;
  std::istringstream lines(tex);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("%")) continue;
    std::smatch match;
    ASSERT_TRUE(std::regex_search(line, match, std::regex(R"(^\\newcommand\{\\([A-Za-z]+)\}\{)")));
    EXPECT_TRUE(names.insert(match[1]).second) << match[1];
  }
}

TEST(Latex, EveryTableIsAlsoAFileByItself) {
  const auto files = files_of(small_records());
  const std::string& all = files.at("tables.tex");
  const std::string begin = all.substr(0, all.find("\n\n"));
  std::size_t tables = 0, together = begin.size() + 1;
  for (const auto& [name, bytes] : files) {
    if (!name.starts_with("table-")) continue;
    ++tables;
    EXPECT_TRUE(bytes.starts_with(begin)) << name;
    const std::string table = bytes.substr(begin.size() + 1);
    EXPECT_NE(all.find(table), all.npos) << name;
    together += table.size();
  }
  EXPECT_GT(tables, 5u);
  EXPECT_EQ(together, all.size());
  EXPECT_THAT(files.at("table-main.tex"), HasSubstr("\\label{tab:small:main}"));
}

/// What the LaTeX of a report defines: labels and macros.
std::multiset<std::string> defined(const store::Records& records) {
  std::multiset<std::string> names;
  const std::regex definition(R"(\\(label|newcommand)\{([^}]*)\})");
  const auto files = files_of(records);
  for (const char* name : {"tables.tex", "numbers.tex"}) {
    const std::string& tex = files.at(name);
    for (auto at = std::sregex_iterator(tex.begin(), tex.end(), definition);
         at != std::sregex_iterator(); ++at)
      names.insert((*at)[2]);
  }
  return names;
}

TEST(Latex, TwoReportsFitIntoOnePaper) {
  store::Records records = small_records();
  records.plan["experiment"] = "Masking_rate 2";
  std::multiset<std::string> names = defined(records);
  EXPECT_EQ(names.count("tab:masking-rate-2:main"), 1u);
  EXPECT_EQ(names.count("\\AblateMaskingRateTwoMlmHeldOutExcess"), 1u);
  names.merge(defined(small_records()));
  for (const std::string& name : names) EXPECT_EQ(names.count(name), 1u) << name;
}

}  // namespace
}  // namespace ablate::reports
