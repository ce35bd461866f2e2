// Where the time of trials went: stages add up to the whole, and so does each way of telling
// measuring apart.

#include "reports/analysis/budgets/time_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ablate::reports {
namespace {

using store::TrialTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TrialTime causal() {
  return {{{"data", 1}, {"model", 1}, {"train", 50}, {"probes", 12}},
          {{"held_out", {2, 1.5, 0, 0}}, {"generation", {9, 1, 0, 6}}}};
}

TrialTime masked() { return {{{"train", 30}, {"probes", 20}}, {{"hidden_state", {20, 4, 12, 0}}}}; }

double sum(const std::vector<TimeLine>& lines, TimeLine::Of of, std::size_t group) {
  double all = 0;
  for (const TimeLine& line : lines)
    if (line.of == of) all += line.seconds[group];
  return all;
}

const TimeLine& named(const std::vector<TimeLine>& lines, const std::string& what) {
  const auto found = std::ranges::find(lines, what, &TimeLine::what);
  EXPECT_NE(found, lines.end()) << what;
  return *found;
}

TEST(TimeLines, AddUpByStageByProbeAndByWhatWasDone) {
  const TrialTime first = causal(), second = masked();
  const std::vector<TimeLine> lines = time_lines({{&first}, {&second}});
  EXPECT_THAT(lines.back().seconds, ElementsAre(64, 50));
  for (const std::size_t group : {0u, 1u}) {
    EXPECT_DOUBLE_EQ(sum(lines, TimeLine::Of::trial, group), lines.back().seconds[group]);
    EXPECT_DOUBLE_EQ(sum(lines, TimeLine::Of::measuring, group),
                     named(lines, "measuring").seconds[group]);
  }
  EXPECT_THAT(named(lines, "not told apart").seconds, ElementsAre(1, 0));
  EXPECT_THAT(named(lines, "forward passes").seconds, ElementsAre(2.5, 4));
  EXPECT_THAT(named(lines, "fitting what measures").seconds, ElementsAre(0, 12));
  EXPECT_THAT(named(lines, "writing text").seconds, ElementsAre(6, 0));
  EXPECT_THAT(named(lines, "everything else").seconds, ElementsAre(2.5, 4));
  EXPECT_THAT(shares(named(lines, "training"), lines), ElementsAre(50.0 / 64, 0.6));
}

TEST(TimeLines, NameTheProbeThatTakesMostFirst) {
  const TrialTime one = causal();
  std::vector<std::string> probes;
  for (const TimeLine& line : time_lines({{&one}}))
    if (line.of == TimeLine::Of::measuring) probes.push_back(line.what);
  EXPECT_THAT(probes, ElementsAre("generation", "held_out", "not told apart"));
}

TEST(TimeLines, AreMeansOfTrials) {
  const TrialTime first = causal(), second = masked();
  const std::vector<TimeLine> lines = time_lines({{&first, &second}});
  EXPECT_THAT(named(lines, "training").seconds, ElementsAre(40));
  EXPECT_THAT(named(lines, "hidden_state").seconds, ElementsAre(10)) << "the other did not run it";
}

TEST(TimeLines, SayOfOlderJournalsThatTheyDoNotTell) {
  TrialTime old = causal();
  old.probes.clear();
  const std::vector<TimeLine> lines = time_lines({{&old}});
  EXPECT_THAT(named(lines, "not told apart").seconds, ElementsAre(12));
  EXPECT_EQ(sum(lines, TimeLine::Of::activity, 0), 0);
  EXPECT_EQ(std::ranges::count(lines, TimeLine::Of::activity, &TimeLine::of), 0);
}

TEST(TimeLines, AreNoneWithoutTrials) { EXPECT_THAT(time_lines({{}, {}}), IsEmpty()); }

}  // namespace
}  // namespace ablate::reports
