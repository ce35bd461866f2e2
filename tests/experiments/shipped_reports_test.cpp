// The shipped reports: the documents' tables say what they say, and a commit can be named for each.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/source_tree.h"
#include "tests/text_matches.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;
using source_tree::read;

const fs::path kReports = "experiments/reports";

/// The values with an interval in a document's tables, such as "0.834 ± 0.010".
std::vector<std::string> values_in(const std::string& text) {
  static const std::regex value("-?[0-9.]+ ± [0-9.]+");
  std::vector<std::string> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('|'))
      for (std::string& one : matches_in(line, value)) values.push_back(std::move(one));
  return values;
}

/// A section of a document, and the report that it is about.
struct Section {
  std::string heading;
  fs::path report;  // relative to the root
  std::vector<std::string> values;
};

/// The sections that name a report of an experiment.
std::vector<Section> sections_of(const fs::path& document) {
  static const std::regex report(R"(experiments/reports/(?!claims)\w+\.md)");
  const std::string text = read(document);
  std::vector<Section> sections;
  for (std::size_t begin = text.find("\n## "); begin != text.npos;) {
    const std::size_t end = text.find("\n## ", begin + 1);
    const std::string section = text.substr(begin + 1, end - begin - 1);
    std::smatch named;
    if (std::regex_search(section, named, report))
      sections.push_back({section.substr(0, section.find('\n')), named.str(), values_in(section)});
    begin = end;
  }
  return sections;
}

TEST(ShippedReports, HaveTheValuesOfTheTablesThatAreTakenFromThem) {
  std::size_t values = 0;
  for (const fs::path document : {"README.md", "docs/results.md"}) {
    const std::vector<Section> sections = sections_of(document);
    EXPECT_FALSE(sections.empty()) << document;
    for (const Section& section : sections) {
      const auto reported = values_in(read(section.report));
      const std::set<std::string> known(reported.begin(), reported.end());
      for (const std::string& value : section.values)
        EXPECT_TRUE(known.contains(value)) << document << ", \"" << section.heading
                                           << "\": " << section.report << " has no " << value;
      values += section.values.size();
    }
  }
  EXPECT_GT(values, 300u);
}

TEST(ShippedReports, AreByCommittedPrograms) {
  const std::regex commit(R"(\| commit +\| [0-9a-f]{7,40} +\|)");
  for (const auto& entry : fs::directory_iterator(source_tree::kRoot / kReports)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".md") continue;
    if (name == "claims") continue;  // the programs of many runs
    EXPECT_TRUE(std::regex_search(read(entry.path()), commit))
        << name << ".md names no commit, or one with changes: run it by a committed program";
  }
}

}  // namespace
}  // namespace ablate
