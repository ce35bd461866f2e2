#include "harness/run/progress/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "harness/base/utf8.h"
#include "harness/run/job/protocol.h"
#include "harness/run/progress/text.h"
#include "harness/run/progress/time_left.h"

namespace ablate::run {
namespace {

using testing::HasSubstr;
using testing::Not;

plan::Trial trial_of(const std::string& id, std::int64_t seed) {
  plan::Trial trial;
  trial.id = id;
  trial.arm = "clm";
  trial.seed = seed;
  trial.config = Json::object();
  trial.probes = Json::array();
  return trial;
}

Json event_of(const std::string& id, double fraction) {
  return {
      {"event", "progress"}, {"trial", id},       {"stage", "train"}, {"step", 50},
      {"steps", 100},        {"share", fraction}, {"loss", 2.25},     {"tokens_per_second", 12345}};
}

struct Shown {
  explicit Shown(ProgressMode mode)
      : progress(
            mode, out, [this] { return now; }, [this] { return width; }) {
    progress.expect(first, {.training = 85, .measuring = 15}, false);
    progress.expect(second, {.training = 85, .measuring = 15}, false);
    progress.started(first);
  }

  std::ostringstream out;
  double now = 100;
  std::size_t width = 80;
  plan::Trial first = trial_of("t1", 1), second = trial_of("t2", 2);
  Progress progress;
};

TEST(ProgressOnATerminal, ShowsALineForALaneAndABar) {
  Shown shown(ProgressMode::terminal);
  shown.progress.heard(event_of("t1", 1.0));
  shown.progress.tick();
  EXPECT_THAT(shown.out.str(),
              HasSubstr("clm seed 1  train  step 50/100  loss 2.25  12.3k tokens/s"));
  EXPECT_THAT(shown.out.str(), HasSubstr(" 42 %  0/2 trials"));
}

TEST(ProgressOnATerminal, IsNoWiderThanTheTerminal) {
  Shown shown(ProgressMode::terminal);
  shown.progress.heard(event_of("t1", 0.5));
  for (const std::size_t width : {20u, 30u, 50u, 200u}) {
    shown.width = width;
    shown.now += 1;
    shown.out.str("");
    shown.progress.tick();
    std::istringstream lines(shown.out.str());
    for (std::string line; std::getline(lines, line);) {
      if (const auto erased = line.rfind("\x1b[J"); erased != std::string::npos)
        line.erase(0, erased + 3);
      line = line.substr(0, line.find("\x1b[K"));
      EXPECT_LT(line.size(), width) << line;
    }
  }
}

TEST(ProgressOnATerminal, ErasesWhatItDrewBeforeItDrawsAgain) {
  Shown shown(ProgressMode::terminal);
  shown.progress.tick();
  shown.now += 1;
  shown.out.str("");
  shown.progress.tick();
  EXPECT_THAT(shown.out.str(), testing::StartsWith("\x1b[2A\r\x1b[J")) << "a lane and the bar";
  shown.out.str("");
  shown.progress.end();
  EXPECT_EQ(shown.out.str(), "\x1b[2A\r\x1b[J");
}

TEST(ProgressOnATerminal, ErasesLinesThatANarrowerTerminalWrapped) {
  Shown shown(ProgressMode::terminal);
  // Its line has 59 characters, the bar's has 79 at most.
  shown.progress.heard(event_of("t1", 0.5));
  shown.progress.tick();
  shown.width = 40;
  shown.out.str("");
  shown.progress.end();
  EXPECT_EQ(shown.out.str(), "\x1b[4A\r\x1b[J");
}

TEST(ProgressOnATerminal, KeepsColumnsWhereNamesDiffer) {
  const LaneProgress lane{.arm = "clm",
                          .seed = 1,
                          .stage = "train",
                          .step = 5,
                          .steps = 9,
                          .loss = 2.5,
                          .tokens_per_second = 100};
  EXPECT_EQ(lane_line(lane, 80, 14), "  clm seed 1      train  step 5/9  loss 2.5  100 tokens/s");
}

TEST(ProgressOnATerminal, ShortensANameRatherThanANumber) {
  const LaneProgress lane{.arm = "mlm[count=exact,rate=0.15]",
                          .seed = 1,
                          .stage = "train",
                          .step = 5,
                          .steps = 9,
                          .loss = 2.5,
                          .tokens_per_second = 100};
  EXPECT_THAT(lane_line(lane, 60, 33), testing::EndsWith("loss 2.5  100 tokens/s"));
  EXPECT_THAT(lane_line(lane, 60, 33), testing::StartsWith("  mlm["));
  EXPECT_EQ(characters(lane_line(lane, 60, 33)), 60u);
}

TEST(ProgressOnATerminal, ShowsNoSpeedWhileItMeasures) {
  const LaneProgress lane{.arm = "clm",
                          .seed = 1,
                          .stage = "probes",
                          .stage_fraction = 0.5,
                          .loss = 2.5,
                          .tokens_per_second = 100};
  EXPECT_EQ(lane_line(lane, 80), "  clm seed 1  probes  50 %  loss 2.5");
}

TEST(ProgressOnATerminal, KeepsWhatIsKnownOfATrialThatWaitsToBeMeasured) {
  Shown shown(ProgressMode::terminal);
  shown.progress.heard(event_of("t1", 1.0));
  shown.progress.trained(shown.first);
  shown.progress.tick();
  EXPECT_THAT(shown.out.str(), HasSubstr("42 %  0/2 trials"));
  EXPECT_THAT(shown.out.str(), Not(HasSubstr("clm seed 1")));
  shown.progress.started(shown.first);
  Json measuring = event_of("t1", 0.5);
  measuring["stage"] = "probes";
  measuring.erase("loss");
  shown.progress.heard(measuring);
  shown.now += 1;
  shown.progress.tick();
  EXPECT_THAT(shown.out.str(), HasSubstr("clm seed 1  probes  50 %  loss 2.25"));
}

TEST(ProgressOnATerminal, DrawsNoMoreThanFiveTimesASecond) {
  Shown shown(ProgressMode::terminal);
  shown.progress.tick();
  shown.out.str("");
  shown.now += 0.1;
  shown.progress.tick();
  EXPECT_EQ(shown.out.str(), "");
}

TEST(PlainProgress, ShowsTheRecordedLossOfATrialThatWasTrainedBefore) {
  Shown shown(ProgressMode::plain);
  shown.progress.finished(shown.first, "completed", "", 1.5);
  EXPECT_THAT(shown.out.str(), HasSubstr("clm seed 1: completed, loss 1.5"));
}

TEST(PlainProgress, KeepsTheLastLossWhereAStepScoresNothing) {
  Shown shown(ProgressMode::plain);
  shown.progress.heard(event_of("t1", 0.5));
  Json nothing = event_of("t1", 1.0);
  nothing["loss"] = nullptr;
  shown.progress.heard(nothing);
  shown.progress.finished(shown.first, "completed", "");
  EXPECT_THAT(shown.out.str(), HasSubstr("clm seed 1: completed, loss 2.25"));
  shown.progress.started(shown.second);
  nothing["trial"] = "t2";
  shown.progress.heard(nothing);
  shown.progress.finished(shown.second, "completed", "");
  EXPECT_THAT(shown.out.str(), HasSubstr("clm seed 2: completed\n"));
}

TEST(PlainProgress, HasALineForEachStartAndEndAndOneNowAndThen) {
  Shown shown(ProgressMode::plain);
  shown.progress.heard(event_of("t1", 1.0));
  shown.progress.finished(shown.first, "completed", "");
  shown.now += 11;
  shown.progress.tick();
  shown.now += 5;
  shown.progress.tick();
  EXPECT_EQ(shown.out.str().find("\x1b"), std::string::npos);
  EXPECT_THAT(shown.out.str(),
              HasSubstr("clm seed 1: started\nclm seed 1: completed, loss 2.25\n"));
  EXPECT_THAT(shown.out.str(), HasSubstr(" 50 %  1/2 trials"));
  const std::string said = shown.out.str();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 3);
}

// What was expected of trials need not hold on this machine as it is now.
TEST(PlainProgress, SaysNoTimeLeftBeforeATrialHasEnded) {
  Shown shown(ProgressMode::plain);
  const auto said_after = [&](double fraction) {
    shown.progress.heard(event_of("t1", fraction));
    shown.now += 11;
    shown.out.str("");
    shown.progress.tick();
    return shown.out.str();
  };
  EXPECT_THAT(said_after(0.3), HasSubstr("time left unknown"));
  EXPECT_THAT(said_after(0.9), HasSubstr("time left unknown"));
  shown.progress.finished(shown.first, "completed", "");
  shown.progress.started(shown.second);
  EXPECT_THAT(said_after(0.9), HasSubstr(" left\n"));
}

TEST(JsonProgress, IsOneObjectALine) {
  Shown shown(ProgressMode::json);
  shown.progress.heard(event_of("t1", 0.5));
  shown.progress.note("a\nb");
  shown.now += 11;
  shown.progress.tick();
  shown.progress.finished(shown.first, "failed", "\x1b \xff");
  std::istringstream lines(shown.out.str());
  std::vector<std::string> events;
  for (std::string line; std::getline(lines, line);)
    events.push_back(Json::parse(line).at("event"));
  EXPECT_THAT(events, testing::ElementsAre("started", "progress", "note", "overall", "finished"));
}

TEST(NoProgress, SaysNothing) {
  Shown shown(ProgressMode::none);
  shown.progress.heard(event_of("t1", 0.5));
  shown.progress.note("a");
  shown.progress.tick();
  shown.progress.finished(shown.first, "failed", "why");
  shown.progress.end();
  EXPECT_EQ(shown.out.str(), "");
}

TEST(ProgressMode, IsNamed) {
  EXPECT_EQ(progress_mode("plain"), ProgressMode::plain);
  EXPECT_EQ(progress_mode("json"), ProgressMode::json);
  EXPECT_EQ(progress_mode("none"), ProgressMode::none);
  EXPECT_THROW(progress_mode("fancy"), std::invalid_argument);
}

TEST(TimeLeft, IsExactAtASteadyPace) {
  TimeLeft left;
  EXPECT_FALSE(std::isfinite(left.seconds()));
  for (int second = 0; second <= 10; ++second) left.observe(0.01 * second, second);
  EXPECT_NEAR(left.seconds(), 90, 1e-9);
}

TEST(TimeLeft, ForgetsAFormerPace) {
  TimeLeft left;
  for (int second = 0; second <= 10; ++second) left.observe(0.05 * second, second);
  for (int second = 1; second <= 300; ++second) left.observe(0.5 + 0.001 * second, 10 + second);
  EXPECT_NEAR(left.seconds(), 200, 10);
}

TEST(TimeLeft, OfALongRunDoesNotFollowAPause) {
  TimeLeft left;
  for (int second = 0; second <= 1800; second += 10) left.observe(second / 3600.0, second);
  for (int second = 1810; second <= 1860; second += 10) left.observe(.5, second);
  EXPECT_GT(left.seconds(), 1800);
  EXPECT_LT(left.seconds(), 2200);
}

TEST(ProgressShare, IsOfTheTimeThatTrialsAreExpectedToTake) {
  std::ostringstream out;
  double now = 0;
  Progress progress(
      ProgressMode::json, out, [&] { return now; }, [] { return std::size_t{80}; });
  const plan::Trial small = trial_of("small", 1), large = trial_of("large", 2);
  progress.expect(small, {.training = 1, .measuring = 3}, false);
  progress.expect(large, {.training = 12, .measuring = 4}, false);
  const auto share = [&] {
    out.str("");
    progress.tick();
    return Json::parse(out.str()).at("share").get<double>();
  };
  const auto hear = [&](const char* id, const char* stage, double fraction) {
    progress.heard({{"event", "progress"}, {"trial", id}, {"stage", stage}, {"share", fraction}});
  };
  progress.started(small);
  progress.started(large);
  hear("small", "train", 1);
  now += 60;
  EXPECT_DOUBLE_EQ(share(), .05);
  hear("small", "probes", 1. / 3);
  hear("large", "train", .5);
  now += 60;
  EXPECT_DOUBLE_EQ(share(), .4);
  progress.finished(small, "completed", "");
  progress.trained(large);
  now += 60;
  EXPECT_DOUBLE_EQ(share(), .8);
}

TEST(ProgressText, ControlCharactersBecomeBlanks) {
  EXPECT_EQ(printable("a\x1b[2J\x07\tb\x7f"), "a [2J  b ");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            " 31m");
  EXPECT_EQ(printable("Zürich €"), "Zürich €");
  EXPECT_EQ(printable("a\nb"), "a b");
}

TEST(ProgressText, WhatChangesTheDirectionOfTextBecomesBlank) {
  EXPECT_EQ(printable("a\u202Eb\u2066c\u200Fd\u061Ce"), "a b c d e");
}

TEST(ProgressText, BytesThatAreNotUtf8BecomeQuestionMarks) {
  EXPECT_EQ(printable("a\x9B"
                      "31m\xFF\xC3"),
            "a?31m??");
}

TEST(ProgressText, SeveralLinesStayLines) {
  EXPECT_EQ(printable_lines("a\x1b[1m\n\nb\r\n"), "a [1m\n\nb \n");
  EXPECT_EQ(printable_lines(""), "");
}

TEST(ProgressText, HasABarOfTheWidthAsked) {
  EXPECT_EQ(bar_text(0.5, 12), "[#####.....]");
  EXPECT_EQ(bar_text(NAN, 5), "[...]");
}

TEST(Job, SurvivesTheWayToAWorker) {
  Job job;
  job.results = "results/a b";
  job.corpus = "corpus";
  job.trials = {trial_of("t1", 1), trial_of("t2", 2)};
  job.device = "cuda:1";
  job.core = 5;
  job.checkpoint_seconds = 0.25;
  job.command = {"ablate", "run"};
  const Job again = job_from_json(Json::parse(canonical(job)));
  EXPECT_EQ(Json(again), Json(job));
  EXPECT_EQ(again.trials.at(1).seed, 2);
  EXPECT_THROW(job_from_json({{"results", 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::run
