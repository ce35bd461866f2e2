#include "harness/store/index/index.h"

#include <SQLiteCpp/Statement.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "harness/base/error.h"
#include "harness/store/index/records.h"
#include "harness/store/index/row_digests.h"
#include "tests/harness/store/fake_results.h"
#include "tests/wait_until.h"

namespace ablate::store {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::fake_plan;
using testing_support::journal_of;
using testing_support::put_bytes;
using testing_support::write_trial;

class Index : public testing::Test {
 protected:
  Index() {
    freeze_plan(results, fake_plan({"clm", "mlm"}, 3), {{"experiment.json", "{}"}});
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

/// Set while SQLite waits for a lock, or once it has.
std::atomic_flag waits_for_lock;

/// While it lives, connections are opened that set `waits_for_lock` before they wait.
class NoticedWaits {
 public:
  NoticedWaits() {
    waits_for_lock.clear();
    noticing_.xSleep = [](sqlite3_vfs*, int microseconds) {
      waits_for_lock.test_and_set();
      return usual()->xSleep(usual(), microseconds);
    };
    ::sqlite3_vfs_register(&noticing_, /*makeDflt=*/1);
  }
  ~NoticedWaits() {
    ::sqlite3_vfs_unregister(&noticing_);
    ::sqlite3_vfs_register(usual(), /*makeDflt=*/1);
  }
  NoticedWaits(const NoticedWaits&) = delete;
  NoticedWaits& operator=(const NoticedWaits&) = delete;

 private:
  static sqlite3_vfs* usual() {
    static sqlite3_vfs* const system = ::sqlite3_vfs_find(nullptr);
    return system;
  }

  sqlite3_vfs noticing_ = *usual();
};

TEST_F(Index, WaitsForAnotherProcessThatIsMakingIt) {
  SQLite::Database other(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  const NoticedWaits noticed;
  other.exec("BEGIN IMMEDIATE");
  std::future<int> trials = std::async(std::launch::async, [&] { return count("trial"); });
  wait_until("a reader has met the lock or ended", [&] {
    return waits_for_lock.test() ||
           trials.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  EXPECT_TRUE(waits_for_lock.test());
  other.exec("COMMIT");
  EXPECT_EQ(trials.get(), 6);
}

/// Writes to the journal of a trial as long as it lives.
class BusyWorker {
 public:
  static constexpr int kSteps = 20'000;  // no longer: what is long takes its time to read

  explicit BusyWorker(Journal journal) : journal_(std::move(journal)) {}

 private:
  void work(const std::stop_token& end) {
    for (int step = 0; step < kSteps && !end.stop_requested(); ++step)
      journal_.write("curve", {{"step", step}, {"loss", 1.5}}, Durable::with_next);
  }

  Journal journal_;
  std::jthread thread_{[this](const std::stop_token& end) { work(end); }};
};

TEST_F(Index, AgreesWithJournalsThatAreBeingWritten) {
  dumped();
  const BusyWorker worker(journal_of(results, "t0"));
  for (int round = 0; round < 10; ++round) EXPECT_TRUE(index_agrees(results));
}

TEST_F(Index, IsReadInOneStateWhileAnotherProcessUpdatesIt) {
  read_index(results, [&](SQLite::Database& index) {
    const auto trials = [&] { return index.execAndGet("SELECT COUNT(*) FROM metric").getInt(); };
    const int before = trials();
    write_trial(results, "t5");
    EXPECT_EQ(count("metric"), before + 2);  // another connection, as of another process
    EXPECT_EQ(trials(), before);
  });
}

TEST_F(Index, FollowsThePlan) {
  EXPECT_EQ(count("trial"), 6);
  freeze_plan(results, fake_plan({"clm", "mlm", "new"}, 3), {{"experiment.json", "{}"}});
  EXPECT_EQ(count("trial"), 9);
  EXPECT_EQ(count("metric"), 6) << "what was measured is still there";
}

TEST_F(Index, ReadsAJournalThatChangedWithoutAnotherSizeOrTime) {
  dumped();
  const auto journal = journal_file(results, "t0");
  const auto time = std::filesystem::last_write_time(journal);
  std::string bytes = read_file(journal);
  bytes[bytes.size() / 2] ^= 4;
  put_bytes(journal, bytes);
  std::filesystem::last_write_time(journal, time);
  EXPECT_THROW(dumped(), DamagedFile);
}

TEST_F(Index, ReadsNoJournalAgainThatIsTheSame) {
  dumped();
  const auto changes = [&] {
    int changed = 0;
    read_index(results, [&](SQLite::Database& index) { changed = index.getTotalChanges(); });
    return changed;
  };
  EXPECT_EQ(changes(), 0);
  write_trial(results, "t5");
  EXPECT_GT(changes(), 0);
  EXPECT_EQ(changes(), 0);
}

/// A link in the place of a file of the index.
class LinkedIndex : public Index, public testing::WithParamInterface<const char*> {};

TEST_P(LinkedIndex, IsNeitherFollowedNorMade) {
  const std::filesystem::path outside = folder.path() / "outside.sqlite",
                              link = file.string() + GetParam();
  for (const bool there : {false, true}) {
    std::filesystem::remove(link);
    dumped();
    if (there) std::filesystem::copy_file(file, outside);
    const std::string before = there ? read_file(outside) : "";
    std::filesystem::remove(link);
    std::filesystem::create_symlink(outside, link);
    write_trial(results, "t2");  // something to write
    for (int reader = 0; reader < 2; ++reader)
      EXPECT_THAT([&] { reader == 0 ? dumped() : std::to_string(index_agrees(results)); },
                  ThrowsMessage<DamagedFile>(HasSubstr("is a link to '" + outside.string())));
    EXPECT_EQ(std::filesystem::exists(outside), there);
    EXPECT_EQ(there ? read_file(outside) : "", before);
  }
  rebuild_index(results);
  EXPECT_FALSE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(index_agrees(results));
}

INSTANTIATE_TEST_SUITE_P(AllFiles, LinkedIndex, testing::Values("", "-wal", "-shm", "-journal"));

/// What somebody else may do to the index.
class ChangedIndex : public Index, public testing::WithParamInterface<const char*> {};

TEST_P(ChangedIndex, IsMadeAnewWithANote) {
  const std::string sound = dumped();
  {
    SQLite::Database index(file.string(), SQLite::OPEN_READWRITE);
    index.exec(GetParam());
  }
  EXPECT_FALSE(index_agrees(results));
  testing::internal::CaptureStderr();
  EXPECT_EQ(dumped(), sound);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(HasSubstr("index.sqlite"), HasSubstr("rebuilt from the journals")));
  EXPECT_TRUE(index_agrees(results));
}

INSTANTIATE_TEST_SUITE_P(
    AllTables, ChangedIndex,
    testing::Values("UPDATE metric SET value = value - 1 WHERE trial = 't0'",
                    "DELETE FROM metric WHERE trial = 't0' AND name = 'held_out.loss'",
                    "INSERT INTO metric VALUES('t0', 'm-t0', 'held_out.new', 1.0, 'finite')",
                    "UPDATE measurement SET planned = 0 WHERE trial = 't1'",
                    "UPDATE sample SET text = 'a c'",
                    "UPDATE curve_text SET points = replace(points, '[20,', '[21,')",
                    "UPDATE stage SET seconds = 0", "UPDATE attempt SET provenance = NULL",
                    "UPDATE trial SET outcome = 'completed' WHERE id = 't2'",
                    "UPDATE trial SET seed = 3 WHERE id = 't0'",
                    "DELETE FROM trial WHERE id = 't4'",
                    "INSERT INTO trial SELECT 'new', 9, arm, 9, outcome, message, missing, "
                    "attempts, steps, seconds, config, ledger FROM trial WHERE id = 't0'",
                    "UPDATE arm SET baseline = 1 - baseline", "UPDATE experiment SET plan = '{}'",
                    "UPDATE digest SET rows_xxh3 = '' WHERE trial = ''",
                    "UPDATE digest SET journal_sha256 = 'x' WHERE trial = 't0'",
                    "DROP VIEW result; CREATE VIEW result AS SELECT 1", "PRAGMA user_version = 1"));

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

TEST_F(Index, OfAPlanThatIsNotWhatTheJournalsHaveIsRefused) {
  Json plan = fake_plan({"clm", "mlm"}, 3);
  plan["trials"][0]["config"]["seed"] = 7;
  freeze_plan(results, plan, {{"experiment.json", "{}"}});
  std::filesystem::remove_all(results / "trials/t0/t0");
  journal_of(results, "t0")
      .write("attempt", {{"trial", {{"id", "t0"}, {"config", {{"seed", 1}}}}}});
  EXPECT_THAT([&] { dumped(); },
              ThrowsMessage<DamagedFile>(HasSubstr("has another configuration of trial t0")));
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

TEST_F(Index, ShowsWhatWasMeasuredOnTheWayInAViewOfItsOwn) {
  Json plan = fake_plan({"clm", "mlm"}, 3);
  plan["trials"][0]["probes"][0]["at"] = {{{"step", 5}, {"id", "w5"}}};
  freeze_plan(results, plan, {{"experiment.json", "{}"}});
  journal_of(results, "t0")
      .write("measurement", {{"id", "w5"},
                             {"probe", "held_out"},
                             {"metrics", {{"held_out.loss", 3.5}}},
                             {"at", {{"step", 5}, {"text_tokens", 320}}}});
  read_index(results, [&](SQLite::Database& index) {
    EXPECT_EQ(index
                  .execAndGet("SELECT value FROM dynamics WHERE arm = 'clm' AND step = 5 AND "
                              "text_tokens = 320 AND targets IS NULL")
                  .getDouble(),
              3.5);
  });
  EXPECT_EQ(count("dynamics"), 1);
  EXPECT_EQ(count("result WHERE trial = 't0'"), 2) << "of the end alone";
  EXPECT_TRUE(index_agrees(results));
}

}  // namespace
}  // namespace ablate::store
