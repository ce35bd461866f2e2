// Experiments that are run until they are decided, and the noise that is measured before: by the
// programs, with real training.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"

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

/// Two arms of which one learns at a rate that teaches it nothing.
const std::string kTinyQuestion = tiny_experiment(R"({
  "question": "Is a model that learns better than one that does not?",
  "arms": [
    {"name": "learns", "set": {"objective": {"type": "causal_lm"}, "train": {"learning_rate": 0.03}}},
    {"name": "waits", "set": {"objective": {"type": "causal_lm"}, "train": {"learning_rate": 1e-9}}}
  ],
  "baseline": "learns",
  "seeds": 3,
  "analysis": {"primary": "held_out.loss"}
})");

class UntilDecided : public testing::Test {
 protected:
  Finished run(const std::string& results, std::vector<std::string> more = {},
               const Interruption& interruption = {}) const {
    std::vector<std::string> words = {"run", file.string(), "--results",
                                      (place.folder() / results).string()};
    words.insert(words.end(), more.begin(), more.end());
    return place.ablate(words, interruption);
  }

  Json plan_in(const std::string& results) const {
    return Json::parse(read_file(place.folder() / results / "plan.json"));
  }

  Workplace place;
  fs::path file = place.write("tiny.json", kTinyQuestion);
};

TEST_F(UntilDecided, StopsAtTheFirstLookWhereTheAnswerIsClear) {
  const Finished finished = run("clear", {"--until-decided", "--cap", "12"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  // The file's three seeds can show nothing; one look of 12 seeds needs seven.
  EXPECT_THAT(finished.errors,
              HasSubstr("look 1 of 3, 7 seeds: waits worse: decided, 5 seeds before "
                        "the cap"));
  EXPECT_EQ(plan_in("clear").at("sequential").at("looks"), Json({7, 11, 12}));
  EXPECT_EQ(plan_in("clear").at("trials").size(), 14u);
  const Json report = report_of(place, place.folder() / "clear");
  for (const Json& difference : report.at("differences"))
    if (difference.at("primary")) {
      EXPECT_EQ(difference.at("verdict"), "worse");
      EXPECT_DOUBLE_EQ(difference.at("p"), 2.0 / 128 / (7.0 / 12));
    }
  EXPECT_THAT(run("clear").errors, HasSubstr("is run until it is decided"));
}

TEST_F(UntilDecided, GoesOnAtTheLookAtWhichItWasKilled) {
  const std::vector<std::string> flags = {"--until-decided", "--cap", "9", "--group", "1"};
  const auto second_look = [&] {
    const fs::path plan = place.folder() / "killed" / "plan.json";
    return fs::exists(plan) && plan_in("killed").at("sequential").at("look") == 2;
  };
  Json experiment = Json::parse(kTinyQuestion);
  // Another arm, but as good as the other one: nothing is ever decided.
  experiment["arms"][1]["set"]["train"]["learning_rate"] = 0.03000000000000001;
  write_file(file, experiment.dump());
  EXPECT_EQ(run("killed", flags, {SIGKILL, second_look}).exit_code, 128 + SIGKILL);
  const Finished finished = run("killed", {"--until-decided"});
  EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr("look 2 of"));
  EXPECT_THAT(finished.errors, testing::Not(HasSubstr("look 1 of")));
  const Finished whole = run("whole", flags);
  EXPECT_EQ(whole.exit_code, exit_ok) << whole.errors;
  EXPECT_EQ(report_of(place, place.folder() / "killed").at("differences"),
            report_of(place, place.folder() / "whole").at("differences"));
}

TEST_F(UntilDecided, RefusesFlagsThatDoNotGoTogether) {
  const auto refused = [&](const std::vector<std::string>& flags) {
    const Finished finished = run("never", flags);
    EXPECT_EQ(finished.exit_code, exit_usage);
    return finished.errors;
  };
  EXPECT_THAT(refused({"--cap", "9"}), HasSubstr("--cap is for --until-decided"));
  EXPECT_THAT(
      refused({"--until-decided", "--only", "seed=1"}),
      HasSubstr(
          "--until-decided decides the whole experiment, but --only leaves only a part of it"));
  EXPECT_THAT(refused({"--until-decided", "--cap", "2"}),
              HasSubstr("--cap 2: is below the first look, which has the 3 seeds"));
  EXPECT_FALSE(fs::exists(place.folder() / "never" / "plan.json"));
}

TEST_F(UntilDecided, IsPricedByItsPlan) {
  const Finished plan = place.ablate({"plan", file.string(), "--until-decided", "--cap", "12"});
  EXPECT_EQ(plan.exit_code, exit_ok) << plan.errors;
  EXPECT_THAT(plan.output,
              HasSubstr("Decided after 12 seeds at the latest, with looks after 7, 11, "
                        "12: over all looks together, alpha holds for 1 comparison at "
                        "alpha 0.05."));
}

TEST_F(UntilDecided, NoiseOfOneArmIsMeasuredAndUsedByThePlan) {
  const std::string results = (place.folder() / "noise").string();
  const Finished noise = place.ablate(
      {"noise", file.string(), "--results", results, "--seeds", "4", "--progress", "none"});
  ASSERT_EQ(noise.exit_code, exit_ok) << noise.errors;
  EXPECT_THAT(noise.output, HasSubstr("held-out loss"));
  EXPECT_THAT(noise.output, HasSubstr("learns\\*"));
  const Json stored = Json::parse(read_file(fs::path(results) / "noise.json"));
  EXPECT_EQ(stored.at("trials").size(), 4u);
  const Finished again = place.ablate({"noise", file.string(), "--results", results, "--seeds", "4",
                                       "--progress", "none", "--json"});
  EXPECT_EQ(Json::parse(again.output), stored) << "nothing is trained again";
  const Finished plan =
      place.ablate({"plan", file.string(), "--set", "seeds=8", "--noise", results});
  EXPECT_THAT(plan.output, HasSubstr("Measured over 4 seeds, the standard deviation of the "
                                     "difference of two independent trials in held_out.loss is "));
  EXPECT_THAT(plan.output, HasSubstr(": 8 seeds find "));
  const Finished other =
      place.ablate({"plan", file.string(), "--noise", results, "--set", "train.budget.steps=13"});
  EXPECT_EQ(other.exit_code, exit_usage);
  EXPECT_THAT(other.errors, HasSubstr("no two of its completed trials have the settings"));
  // The experiment shares the trials, whose ids are the same.
  EXPECT_EQ(stored.at("trials").at(0).at("id"),
            Json::parse(place.ablate({"plan", file.string(), "--json"}).output)
                .at("trials")
                .at(0)
                .at("id"));
}

TEST_F(UntilDecided, NoiseOfTwoArmsIsThatOfTheirDifference) {
  const std::string results = (place.folder() / "both").string();
  const Finished noise =
      place.ablate({"noise", file.string(), "--results", results, "--seeds", "3", "--arm", "learns",
                    "--arm", "waits", "--first-seed", "100", "--json", "--progress", "none"});
  ASSERT_EQ(noise.exit_code, exit_ok) << noise.errors;
  const Json document = Json::parse(noise.output);
  EXPECT_EQ(document.at("trials").at(0).at("seed"), 100);
  const auto paired = [](const Json& each) { return each.at("paired").get<bool>(); };
  EXPECT_TRUE(std::any_of(document.at("spreads").begin(), document.at("spreads").end(), paired));
  EXPECT_TRUE(std::all_of(document.at("effects").begin(), document.at("effects").end(), paired));
  const std::string plan = place.ablate({"plan", file.string(), "--noise", results}).output;
  EXPECT_THAT(plan, HasSubstr("the standard deviation of the paired difference of 'waits'"));
  EXPECT_THAT(plan, testing::ContainsRegex("Shared seeds make its variance [0-9.e+]+ times "
                                           "(smaller|larger) than that of independent trials\\."));
}

/// Changes the current folder, where `ablate noise` keeps its results by default.
class CurrentFolder {
 public:
  explicit CurrentFolder(const fs::path& folder) { fs::current_path(folder); }
  ~CurrentFolder() { fs::current_path(before_); }

 private:
  const fs::path before_ = fs::current_path();
};

TEST_F(UntilDecided, StoredNoiseIsUsedByThePlanUnlessItIsOfOtherSettings) {
  const CurrentFolder here(place.folder());
  const std::string name = Json::parse(kTinyQuestion).at("name");
  const auto planned = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"plan", file.string()});
    const Finished plan = place.ablate(flags);
    EXPECT_EQ(plan.exit_code, exit_ok) << plan.errors;
    return plan.output;
  };
  const auto quiet = testing::Not(HasSubstr("noise/" + name));
  EXPECT_THAT(planned({}), quiet) << "nothing was measured";
  const Finished noise =
      place.ablate({"noise", file.string(), "--seeds", "2", "--progress", "none"});
  ASSERT_EQ(noise.exit_code, exit_ok) << noise.errors;
  EXPECT_TRUE(fs::exists(place.folder() / "noise" / name / "noise.json"));
  const std::string source =
      "(From noise/" + name + ", as `ablate noise` left it; --noise none leaves it out.)";
  EXPECT_THAT(planned({}), testing::AllOf(HasSubstr("Measured over 2 seeds"), HasSubstr(source)));
  EXPECT_THAT(Json::parse(planned({"--json"})).at("power").get<std::string>(), HasSubstr(source));
  EXPECT_THAT(planned({"--noise", "none"}), quiet);
  EXPECT_THAT(planned({"--set", "train.budget.steps=13"}),
              HasSubstr("was measured with other settings, so it is not used"));
  write_file(place.folder() / "noise" / name / "plan.json", "{");
  EXPECT_THAT(planned({}), HasSubstr("noise/" + name + " cannot be read: "));
}

TEST_F(UntilDecided, NoiseSaysWhichMarginsTheGateCanHold) {
  const std::string results = (place.folder() / "noise").string();
  ASSERT_EQ(place
                .ablate({"noise", file.string(), "--results", results, "--seeds", "3", "--progress",
                         "none"})
                .exit_code,
            exit_ok);
  const std::string home = (place.folder() / "home").string();
  const auto calibrated = [&](const std::string& experiment, const char* margin) {
    const fs::path suite =
        place.write("suite.json", R"({"experiments": [{"file": ")" + experiment +
                                      R"(", "margins": [{"metric": "held_out.loss", "margin": )" +
                                      margin + "}]}]}");
    return place.ablate({"gate", "calibrate", suite.string(), "--noise", results, "--home", home});
  };
  const Finished wide = calibrated("tiny.json", "100");
  EXPECT_EQ(wide.exit_code, exit_ok) << wide.errors;
  EXPECT_THAT(wide.output, HasSubstr("tiny/learns/held_out.loss"));
  EXPECT_THAT(wide.output, Not(HasSubstr("smaller than these seeds")));
  ASSERT_THAT(wide.output, HasSubstr("home/calibration/"));
  const fs::path kept = fs::directory_iterator(fs::path(home) / "calibration")->path();
  EXPECT_GT(Json::parse(read_file(kept))
                .at("quality")
                .at("tiny/learns/held_out.loss")
                .at("margin")
                .get<double>(),
            0)
      << "what the nights are judged by";
  EXPECT_THAT(calibrated("tiny.json", "1e-9").output,
              HasSubstr("smaller than these seeds can hold"));
  place.write("other.json", kTinyQuestion);
  const Finished other = calibrated("other.json", "1");
  EXPECT_EQ(other.exit_code, exit_usage);
  EXPECT_THAT(other.errors, HasSubstr("holds experiment 'tiny', which is not in the suite (other"));
}

}  // namespace
}  // namespace ablate
