// `ablate show`: what it says of a training curve.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "tests/end_to_end/program.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::commands {
namespace {

using ablate::testing_support::Finished;
using ablate::testing_support::Workplace;
using testing::HasSubstr;
using testing::Not;

struct PointOfCurve {
  int step;
  double loss;
  bool spike;
};

/// What `show` prints of a trial with this curve.
std::string shown(const std::vector<PointOfCurve>& curve) {
  const Workplace place;
  const std::filesystem::path results = place.folder() / "r";
  store::freeze_plan(results, store::testing_support::fake_plan({"clm"}, 1),
                     {{"experiment.json", "{}"}});
  {
    store::Journal journal = store::testing_support::journal_of(results, "t0");
    journal.write("attempt", {{"trial", {{"id", "t0"}}}, {"provenance", Json::object()}});
    for (const PointOfCurve& point : curve)
      journal.write("curve", {{"step", point.step},
                              {"text_tokens", point.step * 64},
                              {"loss", point.loss},
                              {"learning_rate", 0.003},
                              {"gradient_norm", 0.5},
                              {"spike", point.spike}});
  }
  const Finished finished = place.ablate({"show", results.string(), "t0"});
  EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
  return finished.output;
}

TEST(Show, NamesThePointsInWhichALossSpiked) {
  EXPECT_THAT(shown({{10, 5, false}, {20, 3, false}, {40, 4, true}, {60, 3, false}, {80, 9, true}}),
              HasSubstr("curve: 5 points, spikes in 2 of them, at steps 40, 80\n"));
}

// A rise that no step is a spike of, or too early to tell, is still seen.
TEST(Show, SaysOfWhichStepsThereAreNoSpikes) {
  const std::string risen = shown({{1, 5, false}, {10, 9, false}, {20, 3, false}, {30, 2, false}});
  EXPECT_THAT(risen, HasSubstr("4 points, no spikes (in the first 20 steps of a phase only above"));
  EXPECT_THAT(risen, HasSubstr("  highest loss: 9, at the point of step 10\n"));
  EXPECT_THAT(shown({{1, 5, false}, {30, 3, false}}), Not(HasSubstr("highest loss")));
}

}  // namespace
}  // namespace ablate::commands
