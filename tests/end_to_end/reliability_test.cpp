// What docs/reliability.md promises of processes that meet: two runs, two reports, and a run whose
// experiment file is edited. Also that the page names tests that exist.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <regex>
#include <set>
#include <thread>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing_support::Finished;
using testing_support::Interruption;
using testing_support::journal_lines;
using testing_support::report_of;
using testing_support::tiny_experiment;
using testing_support::Workplace;

namespace fs = std::filesystem;

const std::string kMeetingExperiment = tiny_experiment(R"({
  "question": "Do processes that meet change a number?",
  "train": {"budget": {"steps": 40}},
  "seeds": 1
})");

/// An experiment, and the folder of its results.
struct Sweep {
  Finished run(const Interruption& interruption = {}) const { return run_at(place, interruption); }

  /// The same command as of another user, with another cache.
  Finished run_at(const Workplace& where, const Interruption& interruption = {}) const {
    return where.ablate({"run", file.string(), "--results", results.string(), "--workers", "1",
                         "--progress", "none", "--checkpoint-seconds", "0.05"},
                        interruption);
  }

  Json arms() const { return report_of(place, results).at("arms"); }

  Workplace place;
  fs::path file = place.write("tiny.json", kMeetingExperiment);
  fs::path results = place.folder() / "results";
};

class MeetingProcesses : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Sweep undisturbed;
    const Finished finished = undisturbed.run();
    ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
    expected = undisturbed.arms();
  }

  static inline Json expected;  // of a sweep that meets no other process
  const Sweep sweep{};
};

/// Stops the run whose lock is in this folder, a child of this process, and returns it as soon as it
/// stands still; 0 where there is none.
pid_t stopped_run(const fs::path& results) {
  const pid_t process = Json::parse(read_file(results / "lock")).at("pid");
  ::kill(process, SIGSTOP);
  siginfo_t about{};
  const int found =
      ::waitid(P_PID, static_cast<id_t>(process), &about, WSTOPPED | WEXITED | WNOWAIT);
  return found == 0 && about.si_code == CLD_STOPPED ? process : 0;
}

TEST_F(MeetingProcesses, ARunThatStandsStillKeepsItsFolder) {
  pid_t process = 0;
  Finished second;
  const Finished first = sweep.run({SIGCONT, [&] {
                                      if (journal_lines(sweep.results) <= 5) return false;
                                      process = stopped_run(sweep.results);
                                      second = sweep.run_at(Workplace());
                                      return true;
                                    }});
  EXPECT_GT(process, 0) << "no run was stopped";
  EXPECT_EQ(second.exit_code, exit_usage);
  EXPECT_THAT(second.errors, HasSubstr("process " + std::to_string(process) + " on host"));
  EXPECT_EQ(first.exit_code, exit_ok) << first.errors;
  EXPECT_EQ(sweep.arms(), expected);
}

TEST_F(MeetingProcesses, ReportsAtTheSameTimeAgree) {
  ASSERT_EQ(sweep.run().exit_code, exit_ok);
  std::vector<Workplace> places(4);
  std::vector<Finished> reports(places.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < places.size(); ++i)  // none of them finds an index
    threads.emplace_back([&, i] {
      reports[i] = places[i].ablate({"report", sweep.results.string(), "--json"});
    });
  for (std::thread& thread : threads) thread.join();
  for (const Finished& report : reports) {
    EXPECT_EQ(report.exit_code, exit_ok) << report.errors;
    EXPECT_EQ(report.output, reports[0].output);
  }
}

TEST_F(MeetingProcesses, AnExperimentFileThatIsEditedChangesNoRunningSweep) {
  const Interruption edited = {SIGCONT, [&] {
                                 if (journal_lines(sweep.results) < 5) return false;
                                 sweep.place.write("tiny.json", R"({"name": "other"})");
                                 return true;
                               }};
  const Finished finished = sweep.run(edited);
  EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
  EXPECT_EQ(sweep.arms(), expected);
  EXPECT_EQ(read_file(sweep.results / "experiment.json"), kMeetingExperiment);
}

/// All tests in tests/, as `Suite.Name`.
std::set<std::string> all_tests() {
  const std::regex test(R"(TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(project_root() / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read_file(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), test), end; it != end; ++it)
      names.insert((*it)[1].str() + "." + (*it)[2].str());
  }
  return names;
}

TEST(ReliabilityPage, NamesTestsThatExist) {
  const std::string page = read_file(project_root() / "docs/reliability.md");
  const std::set<std::string> tests = all_tests();
  const std::regex named("`([A-Z]\\w+[.][A-Z]\\w+)`");
  int count = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), named), end; it != end; ++it, ++count)
    EXPECT_TRUE(tests.contains((*it)[1])) << "there is no test " << (*it)[1];
  EXPECT_GT(count, 50);
}

}  // namespace
}  // namespace ablate
