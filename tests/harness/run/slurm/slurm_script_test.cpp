// The scripts for Slurm: arrays within its limits, and nothing in them that a name has brought in.

#include "harness/run/slurm/slurm_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/plan/file/sections.h"

namespace ablate::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

/// Jobs that each take so many seconds.
std::vector<ShardJob> jobs_of_seconds(std::size_t count, double seconds) {
  std::vector<ShardJob> jobs;
  for (std::size_t i = 0; i < count; ++i)
    jobs.push_back({.shard = {i + 1, count},
                    .argv = {"/bin/ablate", "run", "a file.json", "--shard", "x"},
                    .folder = "/here",
                    .memory = 3e8,
                    .seconds = seconds});
  return jobs;
}

SlurmLaunch launch_with(const Json& given = Json::object()) {
  std::vector<Refusal> refusals;
  const Json resolved = resolve(plan::launcher_params(), {{"slurm", given}}, refusals);
  EXPECT_TRUE(refusals.empty());
  return {"quick", "/shared/results", resolved.at("slurm")};
}

TEST(SlurmArrays, HoldEveryShardOnceBelowTheLimit) {
  const auto jobs = jobs_of_seconds(10, 60);
  const auto arrays = slurm_arrays(jobs, {0, 1, 2, 5, 8, 9}, 4, 0);
  ASSERT_EQ(arrays.size(), 3u);
  std::vector<std::size_t> all;
  for (const SlurmArray& array : arrays)
    for (const std::size_t element : array.elements) {
      EXPECT_LT(element, 4u);
      all.push_back(array.offset + element);
    }
  EXPECT_EQ(all, (std::vector<std::size_t>{0, 1, 2, 5, 8, 9}));
  EXPECT_EQ(arrays[0].minutes, 10) << "the least";
  EXPECT_EQ(slurm_arrays(jobs_of_seconds(1, 3600), {0}, 4, 0)[0].minutes, 90);
  EXPECT_EQ(slurm_arrays(jobs_of_seconds(1, 3600), {0}, 4, 7)[0].minutes, 7);
}

TEST(SlurmArrays, AreWrittenAsRanges) {
  EXPECT_EQ(ranges_of({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(ranges_of({3}), "3");
}

TEST(SlurmScript, RunsAShardAndAsksToBeRunAgain) {
  const auto jobs = jobs_of_seconds(10, 60);
  const SlurmArray array = slurm_arrays(jobs, {4, 5, 7}, 4, 0).at(0);
  const std::string script = array_script(
      launch_with({{"partition", "cpu"}, {"parallel", 2}, {"extra", {"--nice=10"}}}), jobs, array);
  EXPECT_THAT(
      script,
      AllOf(
          HasSubstr("#SBATCH --array=0-1,3%2\n"), HasSubstr("#SBATCH --partition=cpu\n"),
          HasSubstr("#SBATCH --nice=10\n"), HasSubstr("#SBATCH --mem=300M\n"),
          HasSubstr("#SBATCH --output=/shared/results/slurm/%A_%a.log\n"),
          HasSubstr("cd /here || exit 1\n"), HasSubstr("shard=$((5 + SLURM_ARRAY_TASK_ID))\n"),
          HasSubstr("/bin/ablate run 'a file.json' --shard \"$shard/10\"\n"),
          HasSubstr(
              "if [ \"$status\" = 75 ] && command -v scontrol > /dev/null; then scontrol requeue"),
          Not(HasSubstr("--gres"))));
  EXPECT_THAT(script, Not(HasSubstr("exit 0"))) << "status 3 is told";
  EXPECT_THAT(array_script(launch_with({{"follow_ups", 1}}), jobs, array),
              HasSubstr("if [ \"$status\" = 3 ]; then exit 0; fi\nexit \"$status\"\n"));
  EXPECT_THAT(array_script(launch_with({{"memory", -1}}), jobs, array),
              AllOf(Not(HasSubstr("--partition")), Not(HasSubstr("--mem"))));
  EXPECT_THAT(array_script(launch_with({{"memory", 500}}), jobs, array), HasSubstr("--mem=500M\n"));
}

TEST(SlurmScript, TakesNoNameThatCouldDoMoreThanName) {
  for (const char* hostile :
       {"a\n#SBATCH --uid=0", "$(touch x)", "a b", "`x`", "a;b", "'", "\"", "\xff"})
    for (const char* option : {"partition", "account", "qos", "constraint", "exclude"})
      EXPECT_THAT(
          [&] {
            check_launch(launch_with({{option, hostile}}));
          },
          ThrowsMessage<std::invalid_argument>(HasSubstr(std::string("launcher.slurm.") + option)));
  for (const char* hostile : {"--a=b\nrm x", "-p x", "--wrap=a b", "x"})
    EXPECT_THAT(
        [&] {
          check_launch(launch_with({{"extra", {hostile}}}));
        },
        ThrowsMessage<std::invalid_argument>(HasSubstr("is not an option of sbatch")));
  SlurmLaunch launch = launch_with();
  launch.results = "/with blanks/100%";
  EXPECT_THAT([&] { check_launch(launch); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("choose another folder")));
  EXPECT_NO_THROW(check_launch(
      launch_with({{"constraint", "a100|h100&nvlink"}, {"extra", {"--gres=gpu:a100:1"}}})));
}

}  // namespace
}  // namespace ablate::run
