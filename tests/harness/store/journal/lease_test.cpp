// Leases: one program has a trial, and one that has died or was silent for long has it no more.

#include "harness/store/journal/lease.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "harness/base/files.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/store/journal/journal.h"
#include "tests/temporary_folder.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;
using Sign = LeaseWatch::Sign;

LeaseOwner elsewhere(const std::string& host) {
  return {.pid = 4711, .host = host, .boot = "boot", .started = "1"};
}

class Leased : public testing::Test {
 protected:
  LeaseReply take(const LeaseOwner& owner, double now = 0) {
    return take_lease(trial, owner, watch, now);
  }

  /// The one file of a lease in the folder.
  fs::path file() const {
    fs::path found;
    int count = 0;
    for (const auto& entry : fs::directory_iterator(trial))
      if (entry.path().filename().string().starts_with("lease.")) found = entry.path(), ++count;
    EXPECT_EQ(count, 1);
    return found;
  }

  TemporaryFolder folder;
  fs::path trial = folder.path() / "t0";
  LeaseWatch watch{10};
};

TEST_F(Leased, IsHeldByOneOfManyWhoWantItAtOnce) {
  for (int round = 0; round < 20; ++round) {
    fs::remove_all(trial);
    std::atomic<int> held = 0;
    std::vector<std::thread> threads;
    std::vector<std::optional<Lease>> leases(8);
    for (std::size_t i = 0; i < leases.size(); ++i)
      threads.emplace_back([&, i] {
        LeaseWatch own{10};
        leases[i] = take_lease(trial, elsewhere("host" + std::to_string(i)), own, 0).lease;
        held += leases[i].has_value();
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(held, 1);
  }
}

TEST_F(Leased, IsFreeOnceItWasGivenBack) {
  {
    const auto first = take(elsewhere("a"));
    ASSERT_TRUE(first.lease);
  }
  const auto second = take(elsewhere("b"));
  ASSERT_TRUE(second.lease);
  EXPECT_TRUE(second.lease->is_held());
  file();  // there is one
}

TEST_F(Leased, LeavesNothingWhereItEnded) {
  auto first = take(elsewhere("a"));
  first.lease->end();
  EXPECT_TRUE(fs::is_empty(trial));
}

TEST_F(Leased, OfALivingProcessOfThisMachineIsNeverTaken) {
  const auto mine = take(this_process());
  ASSERT_TRUE(mine.lease);
  LeaseOwner other = this_process();
  other.pid = 1;
  for (const double now : {0.0, 5.0, 1e6}) {
    const auto reply = take(other, now);
    EXPECT_FALSE(reply.lease);
    EXPECT_EQ(reply.sign, Sign::alive);
    EXPECT_EQ(reply.holder.pid, this_process().pid);
  }
}

TEST_F(Leased, OfAnotherBootOrContainerOfThisNameIsTakenOnlyAfterItStoodStill) {
  LeaseOwner other = this_process();
  other.boot = "another";
  const auto held = take(other);
  EXPECT_TRUE(take(this_process(), 0).is_waiting());
  EXPECT_TRUE(take(this_process(), 5).is_waiting());
  EXPECT_TRUE(take(this_process(), 10).lease);
}

TEST_F(Leased, OfADeadProcessOfThisMachineIsTakenAtOnce) {
  const LeaseOwner here = this_process();
  LeaseOwner dead = here, recycled = here;
  dead.pid = 999'999'999;
  recycled.started = "1";  // the number was given to another process since
  for (const LeaseOwner& owner : {dead, recycled}) {
    fs::remove_all(trial);
    auto held = take(owner);
    ASSERT_TRUE(held.lease);
    const auto taken = take(here);
    EXPECT_TRUE(taken.lease) << owner.text();
    EXPECT_FALSE(held.lease->is_held());
  }
}

TEST_F(Leased, IsTakenByTheSameJobThatTheSchedulerStartedAgain) {
  LeaseOwner first = elsewhere("a"), again = elsewhere("b"), other = elsewhere("c");
  first.job = again.job = "17_3";
  other.job = "17_4";
  again.restart = other.restart = 1;
  const auto held = take(first);
  EXPECT_FALSE(take(other).lease);
  EXPECT_TRUE(take(again).lease);
  EXPECT_FALSE(held.lease->is_held());
}

TEST_F(Leased, OfAnotherMachineIsTakenOnlyAfterItStoodStill) {
  auto held = take(elsewhere("a"));
  EXPECT_TRUE(take(elsewhere("b"), 100).is_waiting());
  EXPECT_TRUE(take(elsewhere("b"), 104).is_waiting());
  held.lease->beat();
  EXPECT_EQ(take(elsewhere("b"), 108).sign, Sign::alive)
      << "its clock may differ from ours; its count tells";
  for (const double now : {112, 116}) EXPECT_TRUE(take(elsewhere("b"), now).is_waiting());
  const auto taken = take(elsewhere("b"), 120);
  ASSERT_TRUE(taken.lease);
  EXPECT_FALSE(held.lease->is_held());
  held.lease->beat();
  held.lease->end();
  EXPECT_TRUE(taken.lease->is_held()) << "who lost it changes nothing";
}

TEST_F(Leased, IsNotTakenAfterATimeInWhichNobodyCouldLook) {
  const auto held = take(elsewhere("a"));
  EXPECT_TRUE(take(elsewhere("b"), 0).is_waiting());
  EXPECT_TRUE(take(elsewhere("b"), 1000).is_waiting())
      << "the file system may have stood still under both";
  EXPECT_TRUE(take(elsewhere("b"), 1005).is_waiting());
  EXPECT_TRUE(take(elsewhere("b"), 1010).lease);
}

TEST_F(Leased, IsTakenNoSoonerThanItsOwnerSays) {
  LeaseWatch patient{100};
  const auto held = take_lease(trial, elsewhere("a"), patient, 0);
  for (double now = 0; now < 100; now += 4)
    EXPECT_TRUE(take(elsewhere("b"), now).is_waiting()) << now;
  EXPECT_TRUE(take(elsewhere("b"), 101).lease);
}

TEST_F(Leased, OfWhoSleptThroughSeveralOwnersIsNotHeldAgain) {
  LeaseOwner dead = this_process();
  dead.pid = 999'999'999;
  auto sleeper = take(dead);
  auto second = take(this_process());
  second.lease->end();                // the trial has failed
  auto third = take(elsewhere("c"));  // and is tried again: the numbers begin anew
  ASSERT_TRUE(third.lease);
  EXPECT_FALSE(sleeper.lease->is_held());
  sleeper.lease->beat();
  sleeper.lease->end();
  EXPECT_TRUE(third.lease->is_held());
}

TEST_F(Leased, KeepsAJournalFromBeingWrittenByWhoLostIt) {
  LeaseOwner dead = this_process();
  dead.pid = 999'999'999;
  const auto first = take(dead);
  const LeaseTicket ticket = first.lease->ticket();
  std::optional<Journal> journal;
  journal.emplace(trial / "journal.jsonl", ticket);
  journal->write("note", {{"message", "held"}});
  const auto second = take(this_process());
  ASSERT_TRUE(second.lease);
  EXPECT_THROW(journal->write("note", {{"message", "lost"}}), MachineFault);
  journal.reset();
  EXPECT_THROW(Journal(trial / "journal.jsonl", ticket), MachineFault);
  EXPECT_EQ(read_journal(trial / "journal.jsonl").size(), 1u);
  EXPECT_EQ(Json(ticket).get<LeaseTicket>(), ticket);
}

TEST_F(Leased, OfUnreadableTextIsTakenOnlyAfterItStoodStill) {
  for (const std::string& text : {std::string(), std::string("{"), std::string("{\"pid\": \"x\"}"),
                                  std::string(100'000, ' ')}) {
    fs::remove_all(trial);
    fs::create_directories(trial);
    write_file(trial / "lease.7", text);
    LeaseWatch fresh{10};
    const auto first = take_lease(trial, elsewhere("a"), fresh, 0);
    EXPECT_TRUE(first.is_waiting());
    EXPECT_EQ(first.holder.text(), "another process");
    EXPECT_TRUE(take_lease(trial, elsewhere("a"), fresh, 5).is_waiting());
    EXPECT_TRUE(take_lease(trial, elsewhere("a"), fresh, 10).lease);
    EXPECT_TRUE(fs::exists(trial / "lease.8"));
  }
}

TEST_F(Leased, FollowsNoLinkAndMindsNoOtherFile) {
  fs::create_directories(trial);
  write_file(folder.path() / "outside", "kept");
  fs::create_symlink(folder.path() / "outside", trial / "lease.1");
  EXPECT_FALSE(take(elsewhere("a")).lease);
  EXPECT_FALSE(take(elsewhere("a"), 5).lease);
  const auto taken = take(elsewhere("a"), 10);
  ASSERT_TRUE(taken.lease);
  EXPECT_EQ(read_file(folder.path() / "outside"), "kept");
  for (const char* name : {"lease.", "lease.x", "lease.1234567890", "lease.9.tmp.1.0"})
    write_file(trial / name, "");
  EXPECT_TRUE(taken.lease->is_held());
}

}  // namespace
}  // namespace ablate::store
