// Where trials have their folders: in two levels, or as earlier versions put them.

#include "harness/store/journal/trial_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/store/index/records.h"
#include "tests/harness/store/fake_results.h"
#include "tests/temporary_folder.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::Pair;

class TrialFolders : public testing::Test {
 protected:
  TrialFolders() { fs::create_directories(results / "trials"); }

  const TemporaryFolder folder;
  const fs::path results = folder.path() / "r";
};

TEST_F(TrialFolders, AreInTwoLevels) {
  EXPECT_EQ(trial_folder(results, "3f2a"), results / "trials/3f/3f2a");
  EXPECT_EQ(journal_file(results, "3f2a"), results / "trials/3f/3f2a/journal.jsonl");
  EXPECT_EQ(begin_trial_folder(results, "3f2a"), results / "trials/3f/3f2a");
  EXPECT_TRUE(fs::is_directory(results / "trials/3f/3f2a"));
  EXPECT_EQ(begin_trial_folder(results, "3f2a"), results / "trials/3f/3f2a") << "again";
}

TEST_F(TrialFolders, OfEarlierVersionsStayWhereTheyAre) {
  fs::create_directory(results / "trials/3f2a");
  EXPECT_EQ(trial_folder(results, "3f2a"), results / "trials/3f2a");
  EXPECT_EQ(begin_trial_folder(results, "3f2a"), results / "trials/3f2a");
  EXPECT_EQ(trial_folder(results, "3f2b"), results / "trials/3f/3f2b");
}

TEST_F(TrialFolders, AreListedInBothPlaces) {
  begin_trial_folder(results, "3f2a");
  begin_trial_folder(results, "3f2b");
  fs::create_directory(results / "trials/aaaa");
  EXPECT_THAT(listed_trials(results), ElementsAre(Pair("3f2a", results / "trials/3f/3f2a"),
                                                  Pair("3f2b", results / "trials/3f/3f2b"),
                                                  Pair("aaaa", results / "trials/aaaa")));
  EXPECT_THAT(folders_of_trials(results), ElementsAre(results / "trials", results / "trials/3f"));
  EXPECT_TRUE(listed_trials(folder.path() / "none").empty());
  for (const auto& [id, own] : listed_trials(results)) EXPECT_TRUE(is_trial_folder(own)) << own;
  EXPECT_FALSE(is_trial_folder(results / "trials/3f/4a00"));
}

TEST_F(TrialFolders, AreNotBegunThroughALinkOrInAFolderThatIsGone) {
  fs::create_directory(folder.path() / "outside");
  fs::create_directory_symlink(folder.path() / "outside", results / "trials/3f");
  EXPECT_THROW(begin_trial_folder(results, "3f2a"), DamagedFile);
  EXPECT_TRUE(listed_trials(results).empty());
  EXPECT_THAT(entries_of_trials(results), ElementsAre(results / "trials/3f")) << "for doctor";
  fs::remove_all(results / "trials");
  EXPECT_THROW(begin_trial_folder(results, "3f2a"), fs::filesystem_error);
  EXPECT_FALSE(fs::exists(results / "trials"));
}

TEST_F(TrialFolders, AreListedWhereTheyAreReadAndNowhereElse) {
  begin_trial_folder(results, "3f2a");
  fs::create_directories(results / "trials/zz/3f2b");  // of another group
  fs::create_directory(results / "trials/3f2c");
  fs::create_directories(results / "trials/3f/3f2c");  // behind the one of an earlier version
  fs::create_symlink("nowhere", results / "trials/3f2d");
  testing_support::put_bytes(results / "trials/notes", "");
  EXPECT_THAT(listed_trials(results), ElementsAre(Pair("3f2a", results / "trials/3f/3f2a"),
                                                  Pair("3f2c", results / "trials/3f2c")));
  for (const auto& [id, own] : listed_trials(results)) EXPECT_EQ(trial_folder(results, id), own);
  EXPECT_EQ(trial_folder(results, "3f2d"), results / "trials/3f/3f2d");
  EXPECT_EQ(entries_of_trials(results).size(), 6u);
}

TEST_F(TrialFolders, ThatCannotBeListedAreNotTakenForAbsent) {
  fs::remove_all(results / "trials");
  testing_support::put_bytes(results / "trials", "no folder");
  EXPECT_THROW(listed_trials(results), fs::filesystem_error);
  EXPECT_THROW(entries_of_trials(results), fs::filesystem_error);
}

/// A results folder as earlier versions wrote it gives the same records.
TEST_F(TrialFolders, OfEarlierVersionsAreReported) {
  const Json plan = testing_support::fake_plan({"clm", "mlm"}, 6);
  freeze_plan(results, plan, {{"experiment.json", "{}"}});
  for (const Json& trial : plan.at("trials")) testing_support::write_trial(results, trial.at("id"));
  // Ids of two characters are never in one level.
  EXPECT_EQ(trial_folder(results, "t10"), results / "trials/t1/t10");
  fs::rename(results / "trials/t1/t10", results / "trials/t10");
  const Records records = load_records(results);
  EXPECT_EQ(records.trials.at(10).outcome, "completed");
  EXPECT_EQ(records.trials[10].journal, "trials/t10/journal.jsonl");
  EXPECT_EQ(records.trials[11].journal, "trials/t1/t11/journal.jsonl");
}

}  // namespace
}  // namespace ablate::store
