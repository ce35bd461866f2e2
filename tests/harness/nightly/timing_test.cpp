// Timing in turns, with programs that say what they are told to say.

#include "harness/nightly/measure/timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "harness/base/files.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/machine.h"
#include "tests/limit.h"
#include "tests/temporary_folder.h"

namespace ablate::nightly {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class TimeInTurns : public testing::Test {
 protected:
  // A folder whose ablate_bench is this shell script; $out is the file that it must write.
  TimedProgram program(const std::string& name, const std::string& script) const {
    const fs::path folder = place.path() / name;
    fs::create_directories(folder);
    write_file(folder / "ablate_bench",
               "#!/bin/sh\nfor word; do case $word in --benchmark_out=*) out=${word#*=};; esac; "
               "done\n" +
                   script);
    fs::permissions(folder / "ablate_bench", fs::perms::owner_all);
    return {name, {folder}};
  }

  // A program whose benchmark takes `milliseconds`, and a little more each time.
  TimedProgram taking(const std::string& name, int milliseconds) const {
    const std::string count = (place.path() / (name + ".count")).string();
    return program(name, "echo >>" + count + "\nn=$(wc -l <" + count +
                             ")\nprintf '{\"benchmarks\": [{\"name\": \"step\", \"cpu_time\": " +
                             std::to_string(milliseconds) +
                             ".%02d, \"real_time\": 1, \"time_unit\": \"ms\"}]}' $n >$out\n");
  }

  std::map<std::string, std::string> time(const std::vector<TimedProgram>& programs,
                                          std::int64_t rounds) {
    return time_in_turns(programs, {"step", rounds, 0.01}, file, machine,
                         [&](std::int64_t round) { last_round = round; });
  }

  const TemporaryFolder place;
  const fs::path file = place.path() / "bench.jsonl";
  const Json machine = {{"processor", "a processor"}, {"cores", 2}};
  std::int64_t last_round = 0;
};

TEST_F(TimeInTurns, FindsAPlantedSlowdown) {
  EXPECT_TRUE(time({taking("now", 11), taking("baseline", 10)}, 15).empty());
  const Times times = read_times(file);
  const auto& step = times.at("step");
  ASSERT_EQ(step.at("now").values.size(), 15u);
  const Finding found = judge_speed("step", step.at("baseline").values, step.at("now").values);
  EXPECT_EQ(found.verdict, Verdict::regression) << found.reason;
  EXPECT_NEAR(found.numbers.at("ratio"), 1.1, 0.01);
}

TEST_F(TimeInTurns, KeepsWhatTheProgramSaysItIs) {
  time(
      {program("now",
               "echo '{\"context\": {\"build\": \"Release\", \"commit\": \"abc\"}, \"benchmarks\": "
               "[{\"name\": \"step\", \"cpu_time\": 1, \"real_time\": 1, \"time_unit\": \"ms\"}]}' "
               ">$out\n")},
      1);
  EXPECT_THAT(read_file(file), HasSubstr(R"("build":"Release","commit":"abc")"));
  const Repetitions kept = read_times(file).at("step").at("now");
  EXPECT_EQ(kept.units, std::set<std::string>{"s"});
  EXPECT_EQ(kept.machines, std::set<std::string>{fingerprint_of(machine)});
}

TEST_F(TimeInTurns, TakesEachProgramFirstInSomeRounds) {
  time({taking("now", 10), taking("baseline", 10)}, 15);
  const std::string text = read_file(file);
  std::set<Json> turns;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const Json each = Json::parse(line); each.value("program", "") == "now")
      turns.insert(each.at("turn"));
  EXPECT_EQ(turns, (std::set<Json>{0, 1}));
}

// The order of a round is the order in what the program writes: it reports each as it ends.
TEST_F(TimeInTurns, KeepsThePlaceOfEachBenchmarkInItsRound) {
  const auto benchmark = [](const std::string& name) {
    return "{\"name\": \"" + name + "\", \"cpu_time\": 1, \"time_unit\": \"ms\"}";
  };
  time({program("now", "echo '{\"benchmarks\": [" + benchmark("z") + ", " + benchmark("a") +
                           "]}' >$out\n")},
       1);
  std::istringstream lines(read_file(file));
  std::map<std::string, Json> places;
  for (std::string line; std::getline(lines, line);)
    if (const Json each = Json::parse(line); each.contains("series"))
      places[each.at("series")] = each.at("order");
  EXPECT_EQ(places, (std::map<std::string, Json>{{"z", 0}, {"a", 1}}));
}

TEST_F(TimeInTurns, SaysOnceWhatTheMachineIs) {
  time({taking("now", 10)}, 2);
  time({taking("now", 10)}, 4);
  const std::string text = read_file(file);
  EXPECT_TRUE(text.starts_with("{\"context\":"));
  EXPECT_EQ(text.find("\"context\"", 5), text.npos) << "not again where it goes on";
  EXPECT_EQ(read_machines(file), (std::map<std::string, Json>{{fingerprint_of(machine), machine}}));
  EXPECT_EQ(read_times(file).size(), 1u) << "it is no repetition";
}

TEST_F(TimeInTurns, GoesOnAfterAnInterruption) {
  const std::vector<TimedProgram> programs = {taking("now", 10), taking("baseline", 10)};
  time(programs, 3);
  write_file(file, read_file(file) + R"({"series": "torn)");
  time(programs, 5);
  EXPECT_EQ(last_round, 5);
  EXPECT_EQ(read_times(file).at("step").at("now").values.size(), 5u);
  last_round = 0;
  time(programs, 5);
  EXPECT_EQ(last_round, 0) << "nothing is left to do";
}

TEST_F(TimeInTurns, AProgramThatFailsIsNamedAndTheOtherGoesOn) {
  const auto failures =
      time({taking("now", 10), program("baseline", "echo no such option >&2; exit 3\n")}, 3);
  ASSERT_TRUE(failures.contains("baseline"));
  EXPECT_THAT(failures.at("baseline"), HasSubstr("status 3: no such option"));
  EXPECT_EQ(read_times(file).at("step").at("now").values.size(), 3u);
}

TEST_F(TimeInTurns, AProgramThatWritesNothingIsNamed) {
  EXPECT_THAT(time({program("now", "exit 0\n")}, 3).at("now"), HasSubstr("wrote no times"));
}

TEST_F(TimeInTurns, AFullDiskIsNoFailureOfAProgram) {
  const std::vector<TimedProgram> programs = {
      program("now", "head -c 5000 /dev/zero >$out 2>/dev/null; exit 0\n")};
  for (int twice = 0; twice < 2; ++twice) {
    const Limit limit(RLIMIT_FSIZE, 4096);
    EXPECT_THAT([&] { time(programs, 2); },
                testing::ThrowsMessage<MachineFault>(HasSubstr("bench.jsonl.json: could not be")));
  }
}

TEST_F(TimeInTurns, ARoundThatNobodyEndedIsRunAgain) {
  EXPECT_FALSE(time({program("now", "exit 1\n")}, 2).empty());
  EXPECT_TRUE(time({taking("now", 10)}, 2).empty());
  EXPECT_EQ(read_times(file).at("step").at("now").values.size(), 2u);
}

TEST_F(TimeInTurns, AFilterThatMatchesNothingIsAFailure) {
  const auto failures = time({program("now", "echo '{\"benchmarks\": []}' >$out\n")}, 3);
  EXPECT_THAT(failures.at("now"), HasSubstr("no benchmark that matches 'step'"));
}

}  // namespace
}  // namespace ablate::nightly
