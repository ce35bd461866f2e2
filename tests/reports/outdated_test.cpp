// A report that is made anew leaves no table or drawing of the one before.

#include "reports/outdated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/reports/files.h"
#include "tests/reports/sweeps.h"
#include "tests/temporary_folder.h"

namespace ablate::reports {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

void write(const fs::path& folder, const std::vector<ReportFile>& files) {
  for (const ReportFile& file : files) {
    fs::create_directories((folder / file.name).parent_path());
    std::ofstream(folder / file.name) << file.bytes;
  }
}

std::vector<std::string> outdated_names(const fs::path& folder,
                                        const std::vector<ReportFile>& files) {
  std::vector<std::string> written, names;
  for (const ReportFile& file : files) written.push_back(file.name);
  for (const fs::path& file : outdated_files(folder, written))
    names.push_back(file.lexically_relative(folder));
  return names;
}

TEST(Outdated, AreTablesAndDrawingsThatAnEarlierReportWrote) {
  const TemporaryFolder folder;
  write(folder.path(), make_report(with_sweep("mlm", {.15, .3}), all_formats()));
  const auto files = make_report(small_records(), all_formats());
  EXPECT_THAT(
      outdated_names(folder.path(), make_report(with_sweep("mlm", {.15, .3}), all_formats())),
      IsEmpty());
  const auto names = outdated_names(folder.path(), files);
  EXPECT_THAT(names, testing::Contains("figure-sweep-1.svg"));
  EXPECT_THAT(names, testing::Not(testing::Contains("figure-forest-1.svg")));
  for (const char* name : {"paper/figures/dose-1.tex", "paper/figures/dose-1-float.tex",
                           "paper/figures/dose-1.csv", "paper/figures/dose-1.svg"})
    EXPECT_THAT(names, testing::Contains(name));
  EXPECT_THAT(names, testing::Not(testing::Contains("paper/numbers.tex")));
  EXPECT_THAT(names, testing::Not(testing::Contains("paper/figures/forest.csv")));
}

TEST(Outdated, AreNoFilesOfOthersAndOfNoOtherFormat) {
  const TemporaryFolder folder;
  const auto drawings = make_report(small_records(), {"svg"});
  const auto paper = make_report(small_records(), {"tex"});
  fs::create_directories(folder.path() / "paper/figures");
  std::ofstream(folder.path() / "paper/old.tex") << paper.front().bytes;
  std::ofstream(folder.path() / "old.tex") << paper.front().bytes;
  std::ofstream(folder.path() / "figure-old-1.svg") << drawings.back().bytes;
  std::ofstream(folder.path() / "paper/mine.tex") << "\\begin{table}mine\\end{table}\n";
  std::ofstream(folder.path() / "paper/figures/mine.csv") << "a,b\n";
  std::ofstream(folder.path() / "figure-mine.svg") << "<svg>mine</svg>\n";
  fs::create_symlink("old.tex", folder.path() / "paper/link.tex");
  fs::create_directory(folder.path() / "paper/folder.tex");
  EXPECT_THAT(outdated_names(folder.path(), paper), ElementsAre("paper/old.tex"));
  EXPECT_THAT(outdated_names(folder.path(), drawings), ElementsAre("figure-old-1.svg"));
  EXPECT_THAT(outdated_names(folder.path(), make_report(small_records(), {"csv"})), IsEmpty());
}

TEST(Outdated, IsThePdfOfADrawingThatWasDrawnAnewWithoutOne) {
  const TemporaryFolder folder;
  std::vector<ReportFile> files = {{"paper/figures/forest.svg", "<svg/>"}};
  write(folder.path(), {{"paper/figures/forest.pdf", "of an earlier report"},
                        {"paper/figures/mine.pdf", "of another drawing"}});
  EXPECT_THAT(outdated_names(folder.path(), files), ElementsAre("paper/figures/forest.pdf"));
  files.push_back({"paper/figures/forest.pdf", "anew"});
  EXPECT_THAT(outdated_names(folder.path(), files), IsEmpty());
}

}  // namespace
}  // namespace ablate::reports
