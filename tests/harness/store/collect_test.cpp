#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/store/index/records.h"
#include "harness/store/merge.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::store {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::fake_plan;
using testing_support::put_bytes;
using testing_support::write_trial;

namespace fs = std::filesystem;

/// Two machines that ran one plan, and a folder that both are collected into.
class Collecting : public testing::Test {
 protected:
  Collecting() {
    for (const fs::path& one : {first, second})
      freeze_plan(one, fake_plan({"clm", "mlm"}, 1), {{"experiment.json", "{}"}});
  }

  static std::map<std::string, std::string> outcomes(const fs::path& results) {
    std::map<std::string, std::string> all;
    for (const TrialRecord& trial : load_records(results).trials) all[trial.id] = trial.outcome;
    return all;
  }

  TemporaryFolder folder;
  fs::path first = folder.path() / "first", second = folder.path() / "second",
           all = folder.path() / "all";
};

TEST_F(Collecting, BringsTogetherWhatEachRan) {
  write_trial(first, "t0");
  write_trial(second, "t1", "failed");
  put_bytes(first / "trials/t0/t0/weights.safetensors", "weights");
  EXPECT_EQ(merge_results(all, first).added, 1u);
  EXPECT_EQ(merge_results(all, second).added, 1u);
  EXPECT_EQ(outcomes(all),
            (std::map<std::string, std::string>{{"t0", "completed"}, {"t1", "failed"}}));
  EXPECT_EQ(read_file(all / "trials/t0/t0/weights.safetensors"), "weights");
  EXPECT_EQ(read_file(journal_file(all, "t0")), read_file(journal_file(first, "t0")));
}

TEST_F(Collecting, TwiceIsOnce) {
  write_trial(first, "t0");
  merge_results(all, first);
  const Merged again = merge_results(all, first);
  EXPECT_EQ(again.added + again.advanced, 0u);
  EXPECT_EQ(again.kept, 1u);
}

TEST_F(Collecting, TheJournalThatGoesOnFromTheOtherWins) {
  write_trial(first, "t0", "failed");
  merge_results(all, first);
  write_trial(first, "t0");  // tried again, on the first machine
  EXPECT_EQ(merge_results(all, first).advanced, 1u);
  EXPECT_EQ(outcomes(all).at("t0"), "completed");
  const std::string longer = read_file(journal_file(all, "t0"));
  merge_results(second, first);
  EXPECT_EQ(merge_results(all, second).kept, 1u);
  EXPECT_EQ(read_file(journal_file(all, "t0")), longer);
}

TEST_F(Collecting, RefusesTwoPastsOfOneTrialAndKeepsBoth) {
  write_trial(first, "t0", "completed", 1);
  write_trial(second, "t0", "completed", 2);
  merge_results(all, first);
  const Merged merged = merge_results(all, second);
  ASSERT_EQ(merged.refused.size(), 1u);
  EXPECT_THAT(merged.refused[0], HasSubstr("have continued it separately"));
  EXPECT_EQ(read_file(journal_file(all, "t0")), read_file(journal_file(first, "t0")));
}

TEST_F(Collecting, ADamagedJournalStopsBeforeAnythingIsWritten) {
  write_trial(first, "t0");
  write_trial(first, "t1");
  std::string bytes = read_file(journal_file(first, "t1"));
  bytes[40] ^= 1;
  put_bytes(journal_file(first, "t1"), bytes);
  EXPECT_THROW(merge_results(all, first), DamagedFile);
  EXPECT_FALSE(fs::exists(all));
}

TEST_F(Collecting, UnitesPartsOfAPlan) {
  Json plan = fake_plan({"clm", "mlm"}, 2);
  Json even = plan, odd = plan;
  even["trials"] = {plan["trials"][0], plan["trials"][2]};
  odd["trials"] = {plan["trials"][1], plan["trials"][3]};
  const fs::path one = folder.path() / "even", other = folder.path() / "odd";
  freeze_plan(one, even, {{"experiment.json", "{}"}});
  freeze_plan(other, odd, {{"experiment.json", "{}"}});
  write_trial(other, "t3");
  merge_results(all, one);
  merge_results(all, other);
  EXPECT_EQ(read_plan(all).at("trials"), plan.at("trials")) << "arms in order, seeds within an arm";
  EXPECT_EQ(outcomes(all).at("t3"), "completed");
}

TEST_F(Collecting, SaysNothingOfTheSeedsOfEitherFolderAlone) {
  const auto with_seeds = [](const Json& seeds, const std::string& power) {
    Json plan = fake_plan({"clm"}, 1);
    plan["trials"][0]["id"] = "s" + seeds[0].dump();
    plan["trials"][0]["seed"] = seeds[0];
    plan["resolved"]["seeds"] = seeds;
    plan["power"] = power;
    plan["warnings"] = {power, "the corpus is small"};
    return plan;
  };
  const fs::path one = folder.path() / "one", other = folder.path() / "other";
  freeze_plan(one, with_seeds({1}, "1 seed shows nothing"), {{"experiment.json", "{}"}});
  freeze_plan(other, with_seeds({2}, "1 seed shows nothing"), {{"experiment.json", "{}"}});
  merge_results(all, one);
  EXPECT_EQ(read_plan(all).at("power"), "1 seed shows nothing");
  merge_results(all, other);
  EXPECT_EQ(read_plan(all).at("power"), "");
  EXPECT_EQ(read_plan(all).at("warnings"), Json::array({"the corpus is small"}));
  EXPECT_EQ(read_plan(all).at("resolved").at("seeds"), Json::array({1, 2}));
}

TEST_F(Collecting, RefusesAnotherExperiment) {
  merge_results(all, first);
  const fs::path other = folder.path() / "other";
  freeze_plan(other, fake_plan({"clm"}, 1, "another"), {{"experiment.json", "{}"}});
  EXPECT_THAT([&] { merge_results(all, other); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("only results of one experiment")));
}

TEST_F(Collecting, RefusesATrialThatWasSetUpDifferently) {
  merge_results(all, first);
  Json plan = fake_plan({"clm", "mlm"}, 1);
  plan["trials"][1]["id"] = "other";
  const fs::path other = folder.path() / "other";
  freeze_plan(other, plan, {{"experiment.json", "{}"}});
  EXPECT_THAT([&] { merge_results(all, other); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("set up differently")));
}

TEST_F(Collecting, DoesNotFollowLinksOutOfAFolder) {
  write_trial(first, "t0");
  fs::create_symlink("/etc/passwd", first / "trials/t0/t0/notes");
  merge_results(all, first);
  EXPECT_FALSE(fs::exists(fs::symlink_status(all / "trials/t0/t0/notes")));
}

TEST(FreezingAPlan, ReplacesThePlanOfTheFolder) {
  const TemporaryFolder folder;
  const Json first = fake_plan({"clm", "mlm"}, 2), second = fake_plan({"clm"}, 3);
  freeze_plan(folder.path(), first, {{"experiment.json", "{}"}});
  freeze_plan(folder.path(), second, {{"experiment.json", "{}"}});
  EXPECT_EQ(read_plan(folder.path()), second);
}

TEST(FreezingAPlan, RefusesAnotherExperimentsFolder) {
  const TemporaryFolder folder;
  freeze_plan(folder.path(), fake_plan({"clm"}, 1), {{"experiment.json", "{}"}});
  EXPECT_THAT(
      [&] {
        freeze_plan(folder.path(), fake_plan({"clm"}, 1, "other"), {{"experiment.json", "{}"}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("choose another --results folder")));
}

}  // namespace
}  // namespace ablate::store
