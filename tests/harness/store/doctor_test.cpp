#include "harness/store/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/store/folder/leftovers.h"
#include "harness/store/folder/lock.h"
#include "harness/store/index/index.h"
#include "harness/store/index/records.h"
#include "harness/store/index/status.h"
#include "harness/store/journal/checkpoint.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::store {
namespace {

using testing::HasSubstr;
using testing_support::fake_plan;
using testing_support::put_bytes;
using testing_support::write_trial;

namespace fs = std::filesystem;

class Doctor : public testing::Test {
 protected:
  Doctor() {
    freeze_plan(results, fake_plan({"clm"}, 2), {{"experiment.json", "{}"}});
    write_trial(results, "t0");
    const std::vector<float> values = {1, 2, 3};
    const std::vector<StoredTensor> tensors = {{"weight", {3}, values}};
    Journal journal(journal_file(results, "t0"));
    journal.write("checkpoint",
                  {{"step", 20},
                   {"file", checkpoint.filename().string()},
                   {"sha256", write_checkpoint(checkpoint, tensors, {{"trial", "t0"}})}});
    load_records(results);
  }

  /// Replaces the weights by others, which say that they are those of `trial`.
  void write_other_weights(const std::string& trial) const {
    const std::vector<float> values = {4};
    write_checkpoint(checkpoint, std::vector<StoredTensor>{{"weight", {1}, values}},
                     {{"trial", trial}});
  }

  std::vector<std::string> texts(bool damage) const {
    std::vector<std::string> all;
    for (const Finding& finding : examine(results))
      if (finding.damage == damage) all.push_back(finding.text);
    return all;
  }

  TemporaryFolder folder;
  fs::path results = folder.path() / "results";
  fs::path checkpoint = results / "trials/t0/t0/weights.safetensors";
};

TEST_F(Doctor, FindsNothingWhereAllIsWell) { EXPECT_TRUE(examine(results).empty()); }

TEST_F(Doctor, FindsEveryFlippedByteOfACheckpoint) {
  const std::string sound = read_file(checkpoint);
  for (std::size_t at = 0; at < sound.size(); ++at) {
    std::string bytes = sound;
    bytes[at] ^= 1;
    put_bytes(checkpoint, bytes);
    ASSERT_EQ(texts(true).size(), 1u) << "byte " << at;
  }
}

TEST_F(Doctor, MissesACheckpointThatTheJournalNames) {
  fs::remove(checkpoint);
  EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("is missing")));
}

TEST_F(Doctor, TellsMissingWeightsFromOtherDamage) {
  fs::remove(checkpoint);
  std::vector<Finding> findings = examine(results);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].damage && findings[0].no_weights);
  write_other_weights("t1");
  findings = examine(results);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].damage && !findings[0].no_weights);
}

TEST_F(Doctor, NotesACheckpointThatTheJournalDoesNotKnowYet) {
  Journal(journal_file(results, "t0"))
      .write("attempt", Json{{"trial", {{"id", "t0"}}}});  // goes on
  write_other_weights("t0");
  EXPECT_TRUE(texts(true).empty());
  EXPECT_THAT(texts(false), testing::ElementsAre(HasSubstr("differs from that in the journal")));
}

TEST_F(Doctor, FindsWeightsThatAreNotThoseOfACompletedTrial) {
  write_other_weights("t0");
  EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("not what the journal names")));
}

TEST_F(Doctor, FindsWeightsThatBelongToAnotherTrial) {
  write_other_weights("t1");
  EXPECT_THAT(texts(true), testing::ElementsAre(
                               HasSubstr("t0/weights.safetensors: belongs to trial t1, but this "
                                         "is the folder of trial t0")));
}

TEST_F(Doctor, NamesADamagedJournalWhetherOrNotItIsPlanned) {
  for (const char* id : {"t0", "unplanned"}) {
    write_trial(results, id);
    std::string bytes = read_file(journal_file(results, id));
    bytes[30] ^= 2;
    put_bytes(journal_file(results, id), bytes);
  }
  EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("t0/journal.jsonl:1"),
                                                HasSubstr("unplanned/journal.jsonl:1")));
}

TEST_F(Doctor, FindsWhatAKilledReportLeavesInItsFolders) {
  const fs::path left = results / "report/paper/figures/curves.tex.tmp.7.1";
  fs::create_directories(left.parent_path());
  write_file(left.parent_path() / "curves.tex", "kept");
  fs::copy_file(left.parent_path() / "curves.tex", left);
  EXPECT_EQ(leftovers_in_report(results), std::vector{left});
}

TEST_F(Doctor, RepairsWhatAKilledProcessLeaves) {
  put_bytes(results / "trials/t0/t0/checkpoint-9.safetensors.tmp.123", "half");
  fs::create_directories(results / "trials/t9/t9.tmp.77");
  const std::string whole = read_file(journal_file(results, "t0"));
  put_bytes(journal_file(results, "t0"), whole + "{\"attempt\":1,\"ev");
  EXPECT_TRUE(texts(true).empty());
  EXPECT_THAT(texts(false),
              testing::UnorderedElementsAre(HasSubstr("torn"), HasSubstr("half written"),
                                            HasSubstr("half written")));
  repair(results);
  EXPECT_TRUE(examine(results).empty());
  EXPECT_EQ(read_file(journal_file(results, "t0")), whole);
}

TEST_F(Doctor, SaysThatARunIsActiveAndNothingOfWhatItWrites) {
  const FolderLock lock(results);
  Journal(journal_file(results, "t0"))
      .write("attempt", Json{{"trial", {{"id", "t0"}}}});  // goes on
  write_other_weights("t0");                               // is not in the journal yet
  put_bytes(results / "trials/t0/t0/checkpoint-9.safetensors.tmp.123", "half");
  put_bytes(journal_file(results, "t0"),
            read_file(journal_file(results, "t0")) + "{\"attempt\":1,\"ev");
  EXPECT_TRUE(texts(true).empty());
  EXPECT_THAT(texts(false), testing::ElementsAre(HasSubstr("is running in this folder")));
}

TEST_F(Doctor, FindsDamageDuringARun) {
  const FolderLock lock(results);
  write_other_weights("t1");
  EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("belongs to trial t1")));
  fs::remove(checkpoint);
  EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("is missing")));
}

TEST_F(Doctor, KeepsWhatIsBeforeTheDamageOfAJournal) {
  const fs::path journal = journal_file(results, "t0");
  const std::string whole = read_file(journal);
  std::string bytes = whole;
  bytes[whole.find("measurement")] ^= 1;
  put_bytes(journal, bytes);
  EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("--rebuild`: the trial continues from")));
  repair(results);
  EXPECT_TRUE(texts(true).empty());
  EXPECT_THAT(texts(false), testing::Contains(HasSubstr("t0/journal.jsonl.damaged: a damaged")));
  EXPECT_TRUE(whole.starts_with(read_file(journal)));
  EXPECT_EQ(read_file(journal.string() + ".damaged"), bytes);
  EXPECT_EQ(load_status(results).counts.at("completed"), 0u);
}

TEST_F(Doctor, LeavesSwappedFoldersOfTrialsAsTheyAre) {
  write_trial(results, "t1");
  fs::rename(results / "trials/t0/t0", results / "aside");
  fs::rename(results / "trials/t1/t1", results / "trials/t0/t0");
  fs::rename(results / "aside", results / "trials/t1/t1");
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("belongs to trial t1"),
                                                  HasSubstr("belongs to trial t0")));
    repair(results);
  }
}

TEST_F(Doctor, RepairsNothingThroughALink) {
  const fs::path outside = folder.path() / "t0", journal = outside / "journal.jsonl";
  fs::rename(results / "trials/t0/t0", outside);
  fs::create_directory_symlink(outside, results / "trials/t0/t0");
  put_bytes(journal, read_file(journal) + "{\"attempt\":1,\"ev");
  const std::string before = read_file(journal);
  EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("trials/t0/t0: is a link to")));
  fs::create_directories(results / "trials/t9/t1");
  EXPECT_THAT(texts(false),
              testing::Contains(HasSubstr("trials/t9/t1: is not read: the trial of this "
                                          "name has its files in ")));
  repair(results);
  EXPECT_EQ(read_file(journal), before);
}

TEST_F(Doctor, PutsATrialBackWhoseCopyHadNotTakenItsPlace) {
  const std::string whole = read_file(journal_file(results, "t0"));
  fs::rename(results / "trials/t0/t0", results / "trials/t0/t0.tmp.previous.123");
  fs::create_directories(results / "trials/t0/t0.tmp.123");
  remove_leftovers(results);
  EXPECT_EQ(read_file(journal_file(results, "t0")), whole);
  EXPECT_TRUE(leftovers_in(results).empty());
  fs::create_directories(results / "trials/t0/t0.tmp.previous.123");
  remove_leftovers(results);
  EXPECT_EQ(read_file(journal_file(results, "t0")), whole);
  EXPECT_TRUE(leftovers_in(results).empty());
}

TEST_F(Doctor, NamesWhatAKilledReportLeft) {
  fs::create_directories(results / "report");
  put_bytes(results / "report/report.html.tmp.77.0", "half");
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_THAT(texts(false), testing::ElementsAre(HasSubstr("report.html.tmp.77.0: is being")));
    repair(results);  // leaves it: a report may be writing it
  }
}

TEST_F(Doctor, ComparesTheIndexWithTheJournals) {
  {
    SQLite::Database index((results / "index.sqlite").string(), SQLite::OPEN_READWRITE);
    index.exec("UPDATE metric SET value = 0");
  }
  EXPECT_THAT(texts(true), testing::ElementsAre(HasSubstr("--rebuild")));
  repair(results);
  EXPECT_TRUE(examine(results).empty());
}

}  // namespace
}  // namespace ablate::store
