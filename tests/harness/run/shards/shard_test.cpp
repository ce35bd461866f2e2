// Shards: every trial is in exactly one, and lists of them are commands that anything can run.

#include "harness/run/shards/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/base/json/parse.h"
#include "harness/run/shards/job_list.h"

namespace ablate::run {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// The settings of a trial that its time is estimated by.
Json settings() {
  return {{"model", Json::object()},
          {"objective", {{"type", "causal_lm"}}},
          {"vocabulary", 16},
          {"train",
           {{"budget", {{"steps", 10}}},
            {"batch", 4},
            {"dropout", 0},
            {"kernels", "fused"},
            {"packing", "joined"},
            {"precision", "float32"}}}};
}

/// A plan of banks with these numbers of trials.
plan::Plan plan_of_banks(const std::vector<int>& sizes) {
  plan::Plan plan;
  for (std::size_t bank = 0; bank < sizes.size(); ++bank) {
    plan.banks.emplace_back();
    for (int i = 0; i < sizes[bank]; ++i) {
      plan.trials.emplace_back();
      plan.trials.back().id = "b" + std::to_string(bank) + "t" + std::to_string(i);
      plan.trials.back().arm = "arm";
      plan.trials.back().seed = i + 1;
      plan.trials.back().config = settings();
      plan.banks.back().push_back(plan.trials.back().id);
    }
  }
  return plan;
}

TEST(Shards, HaveEveryTrialOnceAndAboutAsManyOfEachBank) {
  const plan::Plan plan = plan_of_banks({40, 7, 1, 16});
  for (std::size_t count = 1; count <= 20; ++count) {
    std::multiset<std::string> all;
    for (std::size_t index = 1; index <= count; ++index) {
      const plan::Plan part = part_of(plan, {index, count});
      std::size_t in_banks = 0;
      for (const plan::Bank& bank : part.banks) {
        in_banks += bank.size();
        const auto whole = static_cast<double>(bank.front()[1] == '0'   ? 40
                                               : bank.front()[1] == '1' ? 7
                                               : bank.front()[1] == '2' ? 1
                                                                        : 16);
        EXPECT_NEAR(static_cast<double>(bank.size()), whole / static_cast<double>(count), 1.0);
      }
      EXPECT_EQ(in_banks, part.trials.size());
      for (const plan::Trial& trial : part.trials) all.insert(trial.id);
    }
    ASSERT_EQ(all.size(), plan.trials.size());
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  }
}

TEST(Shards, AreReadAsTheyAreWritten) {
  const Shard shard = shard_of("3/16");
  EXPECT_EQ(shard.index, 3u);
  EXPECT_EQ(shard.count, 16u);
  EXPECT_EQ(shard.text(), "3/16");
  EXPECT_EQ(done_file("results", shard), "results/shards/3-of-16.done");
  for (const char* text : {"", "3", "3/", "/3", "0/3", "4/3", "1/0", "-1/3", "1/3x", "1 /3",
                           "1/99999999999999999999", "1/2/3"})
    EXPECT_THAT([&] { shard_of(text); },
                ThrowsMessage<std::invalid_argument>(HasSubstr("the third of sixteen is 3/16")))
        << text;
}

TEST(JobList, HasACommandForEachShard) {
  const plan::Plan plan = plan_of_banks({5});
  const auto jobs = jobs_of(plan, {.command = {"ablate", "run", "a file.json"},
                                   .results = "/r",
                                   .folder = "/here",
                                   .shards = 3});
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(shell_line(jobs[1]), "env -C /here ablate run 'a file.json' --shard 2/3\n");
  const Json line = parse_json(json_line(jobs[1]));
  EXPECT_EQ(line.at("argv"), Json({"ablate", "run", "a file.json", "--shard", "2/3"}));
  EXPECT_EQ(line.at("done_file"), "/r/shards/2-of-3.done");
  EXPECT_EQ(line.at("retry_exit"), Json::array({75}));
  EXPECT_EQ(line.at("gpus"), 0);
  EXPECT_GT(line.at("memory_mb"), 100);
  EXPECT_THAT([&] { jobs_of(plan, {.shards = 6}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("the plan has 5 trials")));
}

TEST(JobList, AsksForACoreOrAGpuForEachRank) {
  const JobRequest request{
      .command = {"ablate"}, .results = "/r", .folder = "/", .shards = 1, .ranks = 4};
  const Json one = parse_json(json_line(jobs_of(plan_of_banks({1}), request)[0]));
  EXPECT_EQ(one.at("cores"), 4);
  EXPECT_EQ(one.at("gpus"), 0);
  JobRequest on_gpus = request;
  on_gpus.device = "cuda:0";
  EXPECT_EQ(parse_json(json_line(jobs_of(plan_of_banks({1}), on_gpus)[0])).at("gpus"), 4);
}

TEST(JobList, IsSafeToGiveToAShellWhateverNamesAre) {
  const std::string hostile = "$(touch x)`touch x`; touch x'\"\\";
  const auto jobs =
      jobs_of(plan_of_banks({1}),
              {.command = {"printf", "%s", hostile}, .results = hostile, .folder = "/a b"});
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(shell_line(jobs[0]),
            "env -C '/a b' printf %s '$(touch x)`touch x`; touch x'\\''\"\\' --shard 1/1\n");
  const auto lines =
      jobs_of(plan_of_banks({1}), {.command = {"ablate", "a\nb"}, .results = "/r", .folder = "/"});
  EXPECT_THAT([&] { shell_line(lines[0]); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("use --jobs jsonl")));
  EXPECT_EQ(std::ranges::count(json_line(lines[0]), '\n'), 1);
}

}  // namespace
}  // namespace ablate::run
