// A night from pin to verdict, with the programs as users run them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/night_home.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing_support::Finished;
using testing_support::NightHome;
using testing_support::verdict_on;
namespace fs = std::filesystem;

// Enough steps for a fault of the schedule to show, and enough seeds to tell.
constexpr const char* kSixSeeds = R"({
  "experiments": [{"file": "tiny.json", "set": ["seeds=6", "train.budget.steps=60"],
                   "margins": [{"metric": "held_out.loss", "margin": 0.1}]}]
})";

class NightlyGate : public testing::Test, protected NightHome {
 protected:
  /// The golden vectors, one of each objective.
  std::size_t objectives() const {
    return Json::parse(place.ablate({"describe", "--golden"}).output).size();
  }
};

TEST_F(NightlyGate, AsksForABaselineFirst) {
  const Finished refused = night();
  EXPECT_EQ(refused.exit_code, exit_usage);
  EXPECT_THAT(refused.errors, HasSubstr("ablate gate pin main"));
  EXPECT_FALSE(fs::exists(home)) << "a mistyped folder is not created";
}

TEST_F(NightlyGate, TheSameProgramsGiveTheSameBits) {
  pin();
  const Finished passed = night();
  ASSERT_EQ(passed.exit_code, exit_ok) << passed.errors;
  const Json verdict = Json::parse(passed.output);
  EXPECT_EQ(verdict.at("verdict"), "pass");
  EXPECT_EQ(verdict.at("counts").at("pass"), 6 + objectives()) << verdict.dump(1);
  const fs::path folder = home / "nights" / verdict.at("night").get<std::string>();
  for (const char* const file : {"index.html", "gate.md", "gate.xml", "gate.json"})
    EXPECT_TRUE(fs::exists(folder / file)) << file;
  const Finished again = place.ablate({"gate", "judge", folder.string(), "--json"});
  EXPECT_EQ(again.exit_code, exit_ok);
  EXPECT_EQ(Json::parse(again.output), verdict) << "the gate depends on records alone";
  EXPECT_TRUE(fs::exists(home / "nightly.sqlite"));
}

// The kept program learns at another rate, as one would whose default has changed since.
TEST_F(NightlyGate, AChangedPlanIsARegressionUntilItIsPinned) {
  pin(programs("old", "ablate", [](const std::string& real) {
    return "case $1 in plan|run|preview) set -- \"$@\" --set train.learning_rate=0.5 ;; "
           "esac\nexec " +
           real + " \"$@\"\n";
  }));
  const Finished failed = night();
  EXPECT_EQ(failed.exit_code, exit_regression) << failed.errors;
  EXPECT_EQ(Json::parse(failed.output).at("counts").at("regression"), 1) << failed.output;
  pin();
  EXPECT_EQ(night().exit_code, exit_ok) << "the new pin is what the next night is compared with";
}

// Tonight's worker trains at another learning rate than its job says. Its journal records that, so the
// night ends before any number is compared.
TEST_F(NightlyGate, AWorkerThatTrainsSomethingElseIsDamage) {
  pin();
  const fs::path tonight = programs("tonight", "ablate-worker", [](const std::string& real) {
    return "case $1 in --*) exec " + real +
           " \"$@\" ;; esac\n"
           "sed 's/\"learning_rate\":0.01\\b/\"learning_rate\":0.00001/g' | " +
           real + " \"$@\"\n";
  });
  const Finished told = night(tonight);
  EXPECT_EQ(told.exit_code, exit_damaged) << told.errors;
  EXPECT_THAT(told.errors, HasSubstr("has another configuration of trial"));
}

TEST_F(NightlyGate, AWorkerThatLearnsWorseIsARegressionOfQuality) {
  write_suite(kSixSeeds);
  pin();
  EXPECT_EQ(night().exit_code, exit_ok);
  const Finished told = night(worse_programs());
  EXPECT_EQ(told.exit_code, exit_regression) << told.errors << told.output;
  std::vector<std::string> regressions;
  const Json verdict = Json::parse(told.output);
  for (const Json& finding : verdict.at("findings"))
    if (finding.at("verdict") == "regression") regressions.push_back(finding.at("series"));
  EXPECT_THAT(regressions, testing::ElementsAre("tiny/clm/held_out.loss")) << verdict.dump(1);
  EXPECT_EQ(nights().size(), 2u) << "of the same day and commit, and yet another night";
  EXPECT_EQ(night().exit_code, exit_ok) << "the first night is what it was";
}

// Other bits pass where a metric says that they are no worse, and only there.
TEST_F(NightlyGate, OtherBitsWithoutAMetricThatIsJudgedAreInconclusive) {
  write_suite(
      R"({"experiments": [{"file": "tiny.json", "set": ["train.budget.steps=60"], "margins": []}]})");
  pin();
  const Finished told = night(worse_programs());
  EXPECT_EQ(told.exit_code, exit_inconclusive) << told.errors << told.output;
  EXPECT_EQ(verdict_on(told, "tiny/clm/bits"), "inconclusive");
}

TEST_F(NightlyGate, AFinishedNightSaysThatNothingRan) {
  pin();
  const Finished first = night();
  ASSERT_EQ(first.exit_code, exit_ok) << first.errors;
  EXPECT_THAT(first.errors, testing::Not(HasSubstr("nothing ran")));
  const Finished again = night();
  EXPECT_EQ(again.exit_code, exit_ok) << again.errors;
  EXPECT_EQ(again.output, first.output);
  EXPECT_THAT(again.errors, HasSubstr("nothing ran"));
}

TEST_F(NightlyGate, AnUnfinishedNightGoesOn) {
  write_suite(kSixSeeds);
  pin();
  const auto trained = [&] {
    for (const fs::path& folder : nights())
      if (testing_support::journal_lines(folder / "results/tiny") > 8) return true;
    return false;
  };
  night(programs_folder(), {SIGKILL, trained});
  ASSERT_EQ(nights().size(), 1u);
  EXPECT_FALSE(fs::exists(nights()[0] / "night.json"));
  const Finished other = night(worse_programs());
  EXPECT_EQ(other.exit_code, exit_regression) << "nothing of the first is used: " << other.errors;
  EXPECT_EQ(nights().size(), 2u);
  const Finished told = night();
  EXPECT_EQ(told.exit_code, exit_ok) << told.errors << told.output;
  EXPECT_EQ(nights().size(), 2u) << "the first one went on";
}

TEST_F(NightlyGate, WhatTheLastNightHadIsMissedUntilItIsRetired) {
  place.write("other.json", testing_support::night_experiment());
  write_suite(R"({"experiments": [{"file": "tiny.json"}, {"file": "other.json"}]})");
  pin();
  ASSERT_EQ(night().exit_code, exit_ok);
  write_suite(R"({"experiments": [{"file": "tiny.json"}]})");
  for (int time = 0; time < 2; ++time) {
    const Finished told = night();
    EXPECT_EQ(told.exit_code, exit_inconclusive) << told.errors;
    EXPECT_EQ(verdict_on(told, "other/clm/bits"), "no data");
  }
  write_suite(R"({"experiments": [{"file": "tiny.json"}],
                  "retired": [{"series": "tiny/*", "reason": "a slip"}]})");
  const Finished refused = night();
  EXPECT_EQ(refused.exit_code, exit_usage);
  EXPECT_THAT(refused.errors, HasSubstr("is not retired: tonight's programs have it"));
  write_suite(R"({"experiments": [{"file": "tiny.json"}],
                  "retired": [{"series": "other/*", "reason": "it was the same as tiny"}]})");
  const Finished retired = night();
  EXPECT_EQ(retired.exit_code, exit_ok) << retired.output;
  EXPECT_EQ(verdict_on(retired, "other/clm/bits"), "changed");
}

// Before anything is trained.
TEST_F(NightlyGate, ANameThatNothingHasIsRefused) {
  pin();
  for (const auto& [text, words] :
       {std::pair{
            R"({"experiments": [{"file": "tiny.json", "margins": [{"metric": "held_out.loos"}]}]})",
            "no arm of 'tiny' has a metric 'held_out.loos'"},
        {R"({"benchmarks": {"filter": "^no_such_benchmark$"}})", "no benchmark matches"},
        {R"({"benchmarks": {"filter": "("}})", "no benchmark matches"},
        {R"({"experiments": [{"file": "tiny.json"}], "quarantine": [{"series": "tiny/clm/lost",
             "owner": "ada", "reason": "r", "until": "2030-01-01"}]})",
         "no series is named 'tiny/clm/lost'"},
        {R"({})", "asks for nothing"}}) {
    write_suite(text);
    const Finished refused = night();
    EXPECT_EQ(refused.exit_code, exit_usage) << text;
    EXPECT_THAT(refused.errors, HasSubstr(words));
    EXPECT_THAT(refused.errors, HasSubstr("suite.json:1:"));
  }
  EXPECT_TRUE(nights().empty());
}

// A fault of the machine is mended, and the baseline is pinned as it was.
TEST_F(NightlyGate, ABaselineWhoseWorkerCrashedIsTriedAgain) {
  const fs::path broken = place.write("broken", "");
  pin(programs("old", "ablate-worker", [&](const std::string& real) {
    return "case $1 in --*) ;; *) [ -e " + broken.string() + " ] && kill -SEGV $$ ;; esac\nexec " +
           real + " \"$@\"\n";
  }));
  const Finished crashed = night();
  EXPECT_EQ(crashed.exit_code, exit_inconclusive) << crashed.errors;
  EXPECT_EQ(verdict_on(crashed, "tiny/clm/trials"), "no data");
  EXPECT_THAT(crashed.output, HasSubstr("the baseline's program"));
  EXPECT_THAT(crashed.output, HasSubstr("signal 11"));
  EXPECT_THAT(crashed.output, testing::Not(HasSubstr("0 seeds")));
  fs::remove(broken);
  const Finished mended = night();
  EXPECT_EQ(mended.exit_code, exit_ok) << mended.errors << mended.output;
  EXPECT_EQ(nights().size(), 1u) << "the same night, once it could be compared";
}

TEST_F(NightlyGate, AVerdictIsToldToACommandAndToGitHub) {
  pin();
  const fs::path file = place.folder() / "told.json";
  const Finished told =
      place.ablate({"nightly", suite.string(), "--home", home.string(), "--workers", "1", "--json",
                    "--annotate", "github", "--notify", "cat > " + file.string()});
  EXPECT_EQ(told.exit_code, exit_ok) << told.errors;
  EXPECT_EQ(Json::parse(read_file(file)), Json::parse(told.output));
  EXPECT_THAT(told.errors, testing::Not(HasSubstr("::error")));
  const Finished failed = place.ablate(
      {"gate", "judge", "--home", home.string(), "--notify", "echo no network >&2; exit 7"});
  EXPECT_EQ(failed.exit_code, exit_ok) << "a verdict stands whether it could be told or not";
  EXPECT_THAT(failed.errors, HasSubstr("so nobody was told the verdict"));
  EXPECT_THAT(failed.errors, HasSubstr("no network"));
}

TEST_F(NightlyGate, CalibrationFindsTheMarginThatTheSeedsHold) {
  write_suite(R"({
    "experiments": [{"file": "tiny.json", "set": ["seeds=8"],
                     "margins": [{"metric": "held_out.loss"}]}]
  })");
  const Finished calibrated =
      place.ablate({"gate", "calibrate", suite.string(), "--home", home.string()});
  ASSERT_EQ(calibrated.exit_code, exit_ok) << calibrated.errors;
  EXPECT_THAT(calibrated.output, HasSubstr("tiny/clm/held_out.loss"));
}

TEST_F(NightlyGate, AKeptProgramThatIsGoneOrChangedIsDamage) {
  pin();
  const fs::path worker = kept() / "ablate-worker";
  std::string bytes = read_file(worker);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file(worker, bytes);
  const Finished changed = night();
  EXPECT_EQ(changed.exit_code, exit_damaged) << changed.errors;
  EXPECT_THAT(changed.errors, HasSubstr("is not the one that was pinned"));
  fs::remove(worker);
  const Finished gone = night();
  EXPECT_EQ(gone.exit_code, exit_damaged) << gone.errors;
  EXPECT_THAT(gone.errors, HasSubstr("pin a new baseline"));
}

}  // namespace
}  // namespace ablate
