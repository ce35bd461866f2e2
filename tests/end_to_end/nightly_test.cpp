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

// Tonight's worker trains at another learning rate than its job says. Its journal records that, so the
// night ends before any number is compared.
TEST_F(NightlyGate, AWorkerThatTrainsSomethingElseIsDamage) {
  pin();
  const fs::path programs = place.folder() / "tonight";
  fs::create_directories(programs);
  for (const char* const program : {"ablate", "ablate_bench", "ablate-worker"})
    fs::copy_file(fs::path(PROGRAMS) / program, programs / program);
  fs::rename(programs / "ablate-worker", programs / "real");
  const std::string real = (programs / "real").string();
  place.write("tonight/ablate-worker",
              "#!/bin/sh\ncase $1 in --*) exec " + real +
                  " \"$@\" ;; esac\n"
                  "sed 's/\"learning_rate\":0.01\\b/\"learning_rate\":0.00001/g' | " +
                  real + " \"$@\"\n");
  fs::permissions(programs / "ablate-worker", fs::perms::owner_all);
  const Finished told =
      place.ablate_in(programs, {"nightly", suite.string(), "--home", home.string(), "--json"});
  EXPECT_EQ(told.exit_code, exit_damaged) << told.errors;
  EXPECT_THAT(told.errors, HasSubstr("has another configuration of trial"));
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
