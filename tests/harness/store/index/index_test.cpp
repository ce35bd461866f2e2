#include "harness/store/index/index.h"

#include <SQLiteCpp/Statement.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/store/index/records.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::store {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::fake_plan;
using testing_support::put_bytes;
using testing_support::write_trial;

class Index : public testing::Test {
 protected:
  Index() {
    freeze_plan(results, fake_plan({"clm", "mlm"}, 3), "{}");
    for (const char* id : {"t0", "t1", "t4"}) write_trial(results, id);
  }

  std::string dumped() {
    std::string text;
    read_index(results, [&](SQLite::Database& index) { text = dump_index(index); });
    return text;
  }

  int count(const std::string& table) {
    int rows = 0;
    read_index(results, [&](SQLite::Database& index) {
      rows = index.execAndGet("SELECT COUNT(*) FROM " + table).getInt();
    });
    return rows;
  }

  TemporaryFolder folder;
  std::filesystem::path results = folder.path() / "results";
  std::filesystem::path file = results / "index.sqlite";
};

TEST_F(Index, RebuiltEqualsBroughtUpToDate) {
  dumped();
  write_trial(results, "t5", "failed");
  write_trial(results, "t0", "diverged", 7);  // a second attempt
  dumped();
  write_trial(results, "t2");
  const std::string grown = dumped();
  EXPECT_THAT(grown, HasSubstr("diverged"));
  EXPECT_TRUE(index_agrees(results));
  rebuild_index(results);
  EXPECT_EQ(dumped(), grown);
}

TEST_F(Index, FollowsThePlan) {
  EXPECT_EQ(count("trial"), 6);
  freeze_plan(results, fake_plan({"clm", "mlm", "new"}, 3), "{}");
  EXPECT_EQ(count("trial"), 9);
  EXPECT_EQ(count("metric"), 6) << "what was measured is still there";
}

TEST_F(Index, ReadsNoJournalAgainThatHasNotChanged) {
  dumped();
  // Same size and time, other bytes: only a journal that is not read can hide that.
  const auto journal = journal_file(results, "t0");
  const auto time = std::filesystem::last_write_time(journal);
  std::string bytes = read_file(journal);
  bytes[bytes.size() / 2] ^= 4;
  put_bytes(journal, bytes);
  std::filesystem::last_write_time(journal, time);
  EXPECT_NO_THROW(dumped());
  EXPECT_THROW(rebuild_index(results), DamagedFile);
}

TEST_F(Index, ThatIsDamagedIsMadeAnewFromTheJournals) {
  const std::string sound = dumped();
  for (const std::string& bytes : {std::string("not a database, far too short"),
                                   std::string(20000, 'x'), read_file(file).substr(0, 5000)}) {
    put_bytes(file, bytes);
    testing::internal::CaptureStderr();
    EXPECT_EQ(dumped(), sound);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("rebuilt from the journals"));
  }
}

TEST_F(Index, WithoutItsTablesIsMadeAnew) {
  const std::string sound = dumped();
  {
    SQLite::Database index(file.string(), SQLite::OPEN_READWRITE);
    index.exec("DROP VIEW result; DROP TABLE sample; DROP TABLE metric");
  }
  testing::internal::CaptureStderr();
  EXPECT_EQ(dumped(), sound);
  testing::internal::GetCapturedStderr();
}

TEST_F(Index, OfANewerVersionIsRefusedWithAdvice) {
  dumped();
  {
    SQLite::Database index(file.string(), SQLite::OPEN_READWRITE);
    index.exec("PRAGMA user_version = 99");
  }
  EXPECT_THAT([&] { load_records(results); },
              ThrowsMessage<std::runtime_error>(HasSubstr("was written by a newer version")));
  rebuild_index(results);
  EXPECT_NO_THROW(load_records(results));
}

TEST_F(Index, RowsThatDifferFromTheJournalsAreFoundOut) {
  dumped();
  EXPECT_TRUE(index_agrees(results));
  {
    SQLite::Database index(file.string(), SQLite::OPEN_READWRITE);
    index.exec(
        "UPDATE metric SET value = value + 1e-12 WHERE trial = 't0' AND name = 'held_out.loss'");
  }
  EXPECT_FALSE(index_agrees(results));
}

TEST_F(Index, ShowsResultsToThoseWhoQueryIt) {
  read_index(results, [](SQLite::Database& index) {
    SQLite::Statement row(index,
                          "SELECT arm, AVG(value) FROM result WHERE name = 'held_out.loss' AND "
                          "outcome = 'completed' GROUP BY arm ORDER BY arm");
    ASSERT_TRUE(row.executeStep());
    EXPECT_EQ(row.getColumn(0).getString(), "clm");
    EXPECT_EQ(row.getColumn(1).getDouble(), 2.0);
  });
}

}  // namespace
}  // namespace ablate::store
