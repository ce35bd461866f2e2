// How many processors a process may use.

#include "harness/base/posix/cores.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <map>

#include "tests/temporary_folder.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Cores, AreTheLeastOfAffinityQuotaAndGrantRoundedDown) {
  EXPECT_EQ(cores_within({.affinity = 8}), 8u);
  EXPECT_EQ(cores_within({.affinity = 8, .quota = 3.9}), 3u);
  EXPECT_EQ(cores_within({.affinity = 2, .quota = 3.9}), 2u);
  EXPECT_EQ(cores_within({.affinity = 8, .quota = 6, .grant = 4}), 4u);
  EXPECT_EQ(cores_within({.affinity = 8, .quota = 0.5}), 1u) << "one works, slower";
}

/// A system with these files in its "proc/self" and its control groups.
class FakeSystem : public TemporaryFolder {
 public:
  explicit FakeSystem(const std::map<std::string, std::string>& files) {
    for (const auto& [name, text] : files) {
      fs::create_directories((path() / name).parent_path());
      write(name, text);
    }
  }
};

const std::string kUnified =
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST(Cores, QuotaIsThatOfTheOwnGroupAndOfThoseItIsIn) {
  const std::string group = "sys/fs/cgroup/user.slice/user-7.slice/";
  std::map<std::string, std::string> files = {
      {"proc/self/mountinfo", kUnified},
      {"proc/self/cgroup", "0::/user.slice/user-7.slice/job.scope\n"},
      {group + "job.scope/cpu.max", "max 100000\n"}};
  EXPECT_EQ(cpu_quota(FakeSystem(files).path()), kInfinite);
  files[group + "cpu.max"] = "250000 100000\n";
  EXPECT_EQ(cpu_quota(FakeSystem(files).path()), 2.5) << "of one that it is in";
  files[group + "job.scope/cpu.max"] = "100000 50000\n";
  EXPECT_EQ(cpu_quota(FakeSystem(files).path()), 2) << "its own is smaller";
  files["sys/fs/cgroup/other/cpu.max"] = "1000 100000\n";
  EXPECT_EQ(cpu_quota(FakeSystem(files).path()), 2) << "another's";
}

TEST(Cores, QuotaIsReadFromVersionOne) {
  std::map<std::string, std::string> files = {
      {"proc/self/mountinfo",
       "30 22 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
       "33 22 0:29 / /sys/fs/cgroup/cpuset rw shared:9 - cgroup cgroup rw,cpuset\n"
       "34 22 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"},
      {"proc/self/cgroup", "9:cpuset:/\n4:cpu,cpuacct:/slurm/job_1/step_0\n0::/init.scope\n"},
      {"sys/fs/cgroup/cpu,cpuacct/slurm/job_1/step_0/cpu.cfs_quota_us", "-1\n"},
      {"sys/fs/cgroup/cpu,cpuacct/slurm/job_1/step_0/cpu.cfs_period_us", "100000\n"}};
  EXPECT_EQ(cpu_quota(FakeSystem(files).path()), kInfinite);
  files["sys/fs/cgroup/cpu,cpuacct/slurm/job_1/cpu.cfs_quota_us"] = "300000\n";
  files["sys/fs/cgroup/cpu,cpuacct/slurm/job_1/cpu.cfs_period_us"] = "100000\n";
  EXPECT_EQ(cpu_quota(FakeSystem(files).path()), 3);
}

// A container may see its own part of the tree at the mount, under the path that it has outside.
TEST(Cores, QuotaIsFoundInAContainer) {
  const std::string outside = "0::/docker/0123\n",
                    mounted = "30 22 0:26 /docker/0123 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
  EXPECT_EQ(cpu_quota(FakeSystem({{"proc/self/mountinfo", mounted},
                                  {"proc/self/cgroup", outside},
                                  {"sys/fs/cgroup/cpu.max", "150000 100000\n"}})
                          .path()),
            1.5);
  for (const char* group : {"0::/../..\n", "0::/elsewhere\n", "0::/\n", ""})
    EXPECT_EQ(cpu_quota(FakeSystem({{"proc/self/mountinfo", kUnified},
                                    {"proc/self/cgroup", group},
                                    {"sys/fs/cgroup/cpu.max", "400000 100000\n"}})
                            .path()),
              4)
        << group;
}

TEST(Cores, QuotaIsNoneWhereNothingIsMountedOrDamaged) {
  EXPECT_EQ(cpu_quota(FakeSystem({}).path()), kInfinite);
  for (const char* text : {"", "x y\n", "-1 100000\n", "100000 0\n", "100000\n"})
    EXPECT_EQ(cpu_quota(FakeSystem({{"proc/self/mountinfo", kUnified},
                                    {"proc/self/cgroup", "0::/a\n"},
                                    {"sys/fs/cgroup/a/cpu.max", text}})
                            .path()),
              kInfinite)
        << text;
}

TEST(Cores, GrantIsOfTheTaskOrElseOfTheNode) {
  std::map<std::string, std::string> set;
  const auto granted = [&] {
    return granted_cores([&](const char* name) -> const char* {
      const auto found = set.find(name);
      return found == set.end() ? nullptr : found->second.c_str();
    });
  };
  EXPECT_EQ(granted(), std::nullopt);
  set["SLURM_CPUS_ON_NODE"] = "16";
  EXPECT_EQ(granted(), 16u);
  set["SLURM_CPUS_PER_TASK"] = "4";
  EXPECT_EQ(granted(), 4u);
  for (const char* bad : {"", "0", "-2", "4x", "all"}) {
    set["SLURM_CPUS_PER_TASK"] = bad;
    EXPECT_EQ(granted(), 16u) << bad;
  }
}

TEST(Cores, AreThoseOfTheAffinity) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  const std::vector<int> all = core_numbers();
  ASSERT_FALSE(all.empty());
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(all.back()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(core_numbers(), std::vector<int>{all.back()});
  EXPECT_EQ(usable_cores(), 1u);
  ::sched_setaffinity(0, sizeof before, &before);
  EXPECT_EQ(core_numbers(), all);
}

}  // namespace
}  // namespace ablate
