// A night from pin to verdict, with the programs as users run them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing_support::Finished;
using testing_support::Workplace;
namespace fs = std::filesystem;

constexpr const char* kNightExperiment = R"({
  "name": "tiny",
  "question": "Does a night notice what has changed?",
  "corpus": {"kind": "language", "topics": 2, "states": 6, "vocabulary": 16,
             "tokens": 20000, "held_out_tokens": 4096},
  "model": {"depth": 1, "width": 32, "heads": 2, "context": 32},
  "train": {"budget": {"steps": 20}, "batch": 8, "learning_rate": 0.01},
  "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}}],
  "baseline": "clm",
  "seeds": 2,
  "probes": [{"type": "held_out", "texts": 50}],
  "analysis": {"primary": "held_out.excess"}
})";

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

  void pin() const {
    const Finished pinned =
        place.ablate({"gate", "pin", "main", "--reason", "a test", "--home", home.string()});
    ASSERT_EQ(pinned.exit_code, exit_ok) << pinned.errors;
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
  EXPECT_EQ(verdict.at("counts").at("pass"), 4) << verdict.dump(1);
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

// Tonight's worker has a fault that no plan shows: it trains at another learning rate than it is told.
class NightOfAnotherWorker : public NightlyGate {
 protected:
  NightOfAnotherWorker() {
    suite = place.write("suite.json", R"({
      "experiments": [{"file": "tiny.json", "set": ["seeds=8"],
                       "margins": [{"metric": "held_out.loss", "margin": 0.1}]}]
    })");
  }

  // The verdicts by series, with a worker that reads this rate where its job has .01.
  Json night_at(const std::string& rate, int exit_code) const {
    pin();
    const fs::path programs = place.folder() / "tonight";
    fs::create_directories(programs);
    for (const char* const program : {"ablate", "ablate_bench", "ablate-worker"})
      fs::copy_file(fs::path(PROGRAMS) / program, programs / program);
    fs::rename(programs / "ablate-worker", programs / "real");
    place.write("tonight/ablate-worker",
                "#!/bin/sh\ncase $1 in --*) exec " + (programs / "real").string() +
                    " \"$@\" ;; esac\nsed 's/\"learning_rate\":0.01\\b/\"learning_rate\":" + rate +
                    "/g' | " + (programs / "real").string() + " \"$@\"\n");
    fs::permissions(programs / "ablate-worker", fs::perms::owner_all);
    const Finished told =
        place.ablate_in(programs, {"nightly", suite.string(), "--home", home.string(), "--json"});
    EXPECT_EQ(told.exit_code, exit_code) << told.errors << told.output;
    Json verdicts = Json::object();
    const Json night = Json::parse(told.output);
    for (const Json& finding : night.at("findings"))
      verdicts[finding.at("series").get<std::string>()] = finding.at("verdict");
    return verdicts;
  }
};

TEST_F(NightOfAnotherWorker, AWorseLossIsARegression) {
  const Json verdicts = night_at("0.00001", exit_regression);
  EXPECT_EQ(verdicts.at("tiny/clm/plan"), "pass") << "no plan shows it";
  EXPECT_EQ(verdicts.at("tiny/clm/bits"), "changed");
  EXPECT_EQ(verdicts.at("tiny/clm/held_out.loss"), "regression");
}

TEST_F(NightOfAnotherWorker, OtherBitsThatAreAsGoodPass) {
  const Json verdicts = night_at("0.0100001", exit_ok);
  EXPECT_EQ(verdicts.at("tiny/clm/bits"), "changed");
  EXPECT_EQ(verdicts.at("tiny/clm/held_out.loss"), "pass");
}

// Two seeds tell nothing of a margin that is smaller than their noise.
TEST_F(NightOfAnotherWorker, AnInconclusiveNightIsWhatTheUserSaysItIs) {
  suite = place.write("suite.json", R"({
    "experiments": [{"file": "tiny.json",
                     "margins": [{"metric": "held_out.loss", "margin": 0.0001}]}]
  })");
  const Json verdicts = night_at("0.0103", exit_inconclusive);
  EXPECT_EQ(verdicts.at("tiny/clm/held_out.loss"), "inconclusive");
  const auto judged = [&](const std::string& as) {
    return place.ablate({"gate", "judge", "--home", home.string(), "--inconclusive", as}).exit_code;
  };
  EXPECT_EQ(judged("tell"), exit_inconclusive);
  EXPECT_EQ(judged("pass"), exit_ok);
  EXPECT_EQ(judged("fail"), exit_regression);
  EXPECT_EQ(judged("perhaps"), exit_usage);
}

// Margins that nobody states are those that the seeds can hold.
TEST_F(NightOfAnotherWorker, ACalibratedMarginJudges) {
  suite = place.write("suite.json", R"({
    "experiments": [{"file": "tiny.json", "set": ["seeds=8"],
                     "margins": [{"metric": "held_out.loss"}]}]
  })");
  const Finished calibrated =
      place.ablate({"gate", "calibrate", suite.string(), "--home", home.string()});
  ASSERT_EQ(calibrated.exit_code, exit_ok) << calibrated.errors;
  EXPECT_THAT(calibrated.output, HasSubstr("tiny/clm/held_out.loss"));
  EXPECT_EQ(night_at("0.00001", exit_regression).at("tiny/clm/held_out.loss"), "regression");
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
