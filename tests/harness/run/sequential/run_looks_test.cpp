// Running look by look: where it stops, and where it goes on after it was cut off.

#include "harness/run/sequential/run_looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/exit_code.h"

namespace ablate::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Looks that are decided at one of them, and runs that end as they are told.
struct FakeStage {
  std::size_t decided_at = 99;
  std::vector<std::size_t> ran;
  std::vector<std::string> notes;
  int code = exit_ok;
  std::size_t cut_off_at = 99;

  int run_from(std::size_t first) {
    return run_looks({8, 12, 16}, first,
                     {.run =
                          [this](std::size_t look) {
                            ran.push_back(look);
                            return look == cut_off_at ? int{exit_preempted} : code;
                          },
                      .judge =
                          [this] {
                            return LookResult{ran.back() >= decided_at, "mlm better"};
                          },
                      .note = [this](const std::string& note) { notes.push_back(note); }});
  }
};

TEST(RunLooks, StopsAtTheLookThatDecides) {
  FakeStage stage{.decided_at = 2};
  EXPECT_EQ(stage.run_from(1), exit_ok);
  EXPECT_THAT(stage.ran, ElementsAre(1, 2));
  EXPECT_EQ(stage.notes[0], "look 1 of 3, 8 seeds: mlm better: going on to 12 seeds");
  EXPECT_EQ(stage.notes[1], "look 2 of 3, 12 seeds: mlm better: decided, 4 seeds before the cap");
}

TEST(RunLooks, StopsAtTheCapWhereNothingDecides) {
  FakeStage stage;
  EXPECT_EQ(stage.run_from(1), exit_ok);
  EXPECT_THAT(stage.ran, ElementsAre(1, 2, 3));
  EXPECT_THAT(stage.notes.back(), HasSubstr("the cap is met, and what is open stays inconclusive"));
}

TEST(RunLooks, JudgesNothingWhereARunWasCutOffAndGoesOnThere) {
  FakeStage stage{.decided_at = 3, .cut_off_at = 2};
  EXPECT_EQ(stage.run_from(1), exit_preempted);
  EXPECT_EQ(stage.notes.size(), 1u) << "of the first look alone";
  stage.cut_off_at = 99;
  stage.ran.clear();
  EXPECT_EQ(stage.run_from(2), exit_ok);
  EXPECT_THAT(stage.ran, ElementsAre(2, 3));
}

TEST(RunLooks, GoesOnWhereTrialsFailedAndSaysSoAtItsEnd) {
  FakeStage stage{.decided_at = 2, .code = exit_some_failed};
  EXPECT_EQ(stage.run_from(1), exit_some_failed);
  EXPECT_THAT(stage.ran, ElementsAre(1, 2));
}

TEST(RunLooks, StopsWhereAllTrialsFailToRun) {
  FakeStage stage{.code = exit_failure};
  EXPECT_EQ(stage.run_from(1), exit_failure);
  EXPECT_THAT(stage.ran, ElementsAre(1));
}

}  // namespace
}  // namespace ablate::run
