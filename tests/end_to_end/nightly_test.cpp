// A night from pin to verdict, with the programs as users run them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing_support::Finished;
using testing_support::tiny_experiment;
using testing_support::Workplace;
namespace fs = std::filesystem;

const std::string kNightExperiment = tiny_experiment(R"({
  "question": "Does a night notice what has changed?",
  "corpus": {"tokens": 20000, "held_out_tokens": 4096},
  "train": {"budget": {"steps": 20}, "batch": 8, "learning_rate": 0.01},
  "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}}],
  "probes": [{"type": "held_out", "texts": 50}]
})");

constexpr const char* kSuite = R"({
  "experiments": [{"file": "tiny.json", "margins": [{"metric": "held_out.loss", "margin": 0.1}]}]
})";

class NightlyGate : public testing::Test {
 protected:
  NightlyGate() {
    place.write("tiny.json", kNightExperiment);
    suite = place.write("suite.json", kSuite);
  }

  Finished night() const {
    return place.ablate({"nightly", suite.string(), "--home", home.string(), "--json"});
  }

  /// The golden vectors, one of each objective.
  std::size_t objectives() const {
    return Json::parse(place.ablate({"describe", "--golden"}).output).size();
  }

  void pin() const {
    const Finished pinned =
        place.ablate({"gate", "pin", "main", "--reason", "a test", "--home", home.string()});
    ASSERT_EQ(pinned.exit_code, exit_ok) << pinned.errors;
  }

  /// A folder with copies of the programs, whose worker is a shell script around the real one.
  /// `script` makes its text of the real worker's path.
  fs::path tonight(const std::function<std::string(const std::string& real)>& script) const {
    const fs::path programs = place.folder() / "tonight";
    fs::create_directories(programs);
    for (const char* const program : {"ablate", "ablate_bench"})
      fs::copy_file(fs::path(PROGRAMS) / program, programs / program);
    fs::copy_file(fs::path(PROGRAMS) / "ablate-worker", programs / "real");
    place.write("tonight/ablate-worker", "#!/bin/sh\n" + script(programs / "real"));
    fs::permissions(programs / "ablate-worker", fs::perms::owner_all);
    return programs;
  }

  // The only folder below another.
  static fs::path only_folder(const fs::path& in) {
    for (const auto& entry : fs::directory_iterator(in))
      if (entry.is_directory()) return entry.path();
    return {};
  }

  const Workplace place;
  const fs::path home = place.folder() / "home";
  fs::path suite;
};

TEST_F(NightlyGate, AsksForABaselineFirst) {
  const Finished refused = night();
  EXPECT_EQ(refused.exit_code, exit_usage);
  EXPECT_THAT(refused.errors, HasSubstr("ablate gate pin main"));
}

TEST_F(NightlyGate, TheSameProgramsGiveTheSameBits) {
  pin();
  const Finished passed = night();
  ASSERT_EQ(passed.exit_code, exit_ok) << passed.errors;
  const Json verdict = Json::parse(passed.output);
  EXPECT_EQ(verdict.at("verdict"), "pass");
  EXPECT_EQ(verdict.at("counts").at("pass"), 5 + objectives()) << verdict.dump(1);
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
  pin();
  const fs::path kept = only_folder(home / "baselines/main") / "programs";
  fs::rename(kept / "ablate", kept / "ablate.real");
  place.write("home/kept", "#!/bin/sh\nexec " + (kept / "ablate.real").string() +
                               " \"$@\" --set train.learning_rate=0.5\n");
  fs::rename(home / "kept", kept / "ablate");
  fs::permissions(kept / "ablate", fs::perms::owner_all);
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
  const fs::path programs = tonight([](const std::string& real) {
    return "case $1 in --*) exec " + real +
           " \"$@\" ;; esac\n"
           "sed 's/\"learning_rate\":0.01\\b/\"learning_rate\":0.00001/g' | " +
           real + " \"$@\"\n";
  });
  const Finished told =
      place.ablate_in(programs, {"nightly", suite.string(), "--home", home.string(), "--json"});
  EXPECT_EQ(told.exit_code, exit_damaged) << told.errors;
  EXPECT_THAT(told.errors, HasSubstr("has another configuration of trial"));
}

// Tonight's worker has a fault in its schedule, of which no setting and no count tells: see
// tests/nights/worse.cpp.
TEST_F(NightlyGate, AWorkerThatLearnsWorseIsARegressionOfQuality) {
  suite = place.write("suite.json", R"({
    "experiments": [{"file": "tiny.json", "set": ["seeds=6", "train.budget.steps=60"],
                     "margins": [{"metric": "held_out.loss", "margin": 0.1}]}]
  })");
  pin();
  const fs::path programs = tonight([](const std::string& real) {
    return "LD_PRELOAD=" PROGRAMS "/libablate_worse.so exec " + real + " \"$@\"\n";
  });
  const Finished told =
      place.ablate_in(programs, {"nightly", suite.string(), "--home", home.string(), "--json"});
  EXPECT_EQ(told.exit_code, exit_regression) << told.errors << told.output;
  std::vector<std::string> regressions;
  const Json verdict = Json::parse(told.output);
  for (const Json& finding : verdict.at("findings"))
    if (finding.at("verdict") == "regression") regressions.push_back(finding.at("series"));
  EXPECT_THAT(regressions, testing::ElementsAre("tiny/clm/held_out.loss")) << verdict.dump(1);
}

TEST_F(NightlyGate, CalibrationFindsTheMarginThatTheSeedsHold) {
  suite = place.write("suite.json", R"({
    "experiments": [{"file": "tiny.json", "set": ["seeds=8"],
                     "margins": [{"metric": "held_out.loss"}]}]
  })");
  const Finished calibrated =
      place.ablate({"gate", "calibrate", suite.string(), "--home", home.string()});
  ASSERT_EQ(calibrated.exit_code, exit_ok) << calibrated.errors;
  EXPECT_THAT(calibrated.output, HasSubstr("tiny/clm/held_out.loss"));
}

TEST_F(NightlyGate, ABaselineThatCannotRunIsNoPass) {
  pin();
  const fs::path kept = only_folder(home / "baselines/main") / "programs";
  fs::remove(kept / "ablate-worker");
  const Finished untold = night();
  EXPECT_EQ(untold.exit_code, exit_inconclusive) << untold.errors;
  EXPECT_THAT(untold.output, HasSubstr("the baseline's program"));
}

}  // namespace
}  // namespace ablate
