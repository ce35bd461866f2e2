// The appendix says what the records say, and what they do not.

#include "reports/paper/appendix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "reports/paper/captions.h"
#include "tests/paths.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

std::string under(const store::Records& records, const std::string& heading) {
  const Analysis analysis = analyse(records);
  for (const AppendixEntry& statement : reproducibility(analysis))
    if (statement.heading == heading) return statement.text;
  return "no such heading";
}

TEST(Appendix, SaysWhatTrialsRecorded) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    trial.provenance = {{"commit", "abc"},
                        {"processor", "a processor"},
                        {"library", {{"libtorch", "1.13.0"}}},
                        {"memory_bytes", 16e9},
                        {"program_sha256", "07fb"},
                        {"arguments", {"ablate", "run", "my file.json"}}};
    trial.ledger["seconds"] = 600;
    trial.ledger["flops"] = 1e12;
  }
  records.plan["sha256"] = "55bf";
  records.plan["corpora"] = {{{"name", "main"},
                              {"hash", "fd04"},
                              {"training", {{"tokens", 1026900}}},
                              {"held_out", {{"tokens", 66668}}}}};
  EXPECT_THAT(under(records, "Seeds"), HasSubstr("6 seeds: 1–6."));
  EXPECT_THAT(under(records, "Compute"),
              HasSubstr("12 trials in 12 attempts, 12 of them completed; "
                        "2 h 00 min of training in all, 12 T FLOPs"));
  EXPECT_THAT(under(records, "Hardware"), HasSubstr("Processor: a processor; cores: not recorded; "
                                                    "memory: 16 GB"));
  EXPECT_THAT(under(records, "Code and versions"), HasSubstr("commit abc; LibTorch 1.13.0"));
  EXPECT_EQ(under(records, "Command"), "ablate run 'my file.json'");
  EXPECT_THAT(under(records, "Data"), HasSubstr("main: 1.03 M tokens for training, 66.7 k tokens"));
  EXPECT_THAT(under(records, "Data"), HasSubstr("Licence of the text: not recorded"));
  EXPECT_EQ(under(records, "SHA-256"), "plan 55bf; corpus main fd04; program 07fb");
  EXPECT_THAT(under(records, "Failures"), HasSubstr("Every trial of the plan completed"));
}

// A paper is handed around, also where its authors are to stay unknown.
TEST(Appendix, NamesNoFolderOfTheMachine) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    trial.provenance = {{"arguments",
                         {"/home/me/ablate/build/ablate", "run", "/home/me/my files/e.json",
                          "--set", "corpus.paths=[\"/data/me/a.txt\",\"b/c.txt\"]"}}};
  EXPECT_EQ(under(records, "Command"),
            "ablate run e.json --set 'corpus.paths=[\"a.txt\",\"b/c.txt\"]'");
}

TEST(Appendix, RepeatsTheFlagsThatDecideWhatIsTrainedAndTheAdditionsLast) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    trial.provenance = {
        {"arguments",
         {"ablate", "run", "--workers", "2", "--set", "seeds=3", "/home/me/e.json", "--set",
          "train.budget.tokens=5", "--results", "/home/me/r", "--only=arm=clm"}}};
  records.trials.front().provenance = {
      {"arguments", {"ablate", "run", "e.json", "--add", "--set", "seeds=6", "--report"}}};
  EXPECT_EQ(under(records, "To repeat"),
            "ablate run experiment.json --results results/small --set seeds=3 "
            "--set train.budget.tokens=5 --only=arm=clm; "
            "ablate run experiment.json --results results/small --add --set seeds=6; "
            "ablate report results/small --format tex,zip --out report");
}

TEST(Appendix, TextThatAblateMakesNeedsNoLicence) {
  store::Records records = small_records();
  for (Json& arm : records.plan["arms"]) arm["config"]["corpus"] = {{"kind", "language"}};
  EXPECT_THAT(under(records, "Data"), HasSubstr("no licence of others applies"));
}

TEST(Appendix, SaysHowToRepeatAndToCiteItAsTheProjectDoes) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) trial.provenance = {{"version", "0.1.0"}};
  EXPECT_THAT(under(records, "To repeat"), HasSubstr("ablate run experiment.json --results"));
  const std::string cited = under(records, "To cite");
  EXPECT_THAT(cited, HasSubstr("Version 0.1.0, commit not recorded."));
  std::ifstream file(project_root() / "CITATION.cff");
  int found = 0;
  for (std::string line; std::getline(file, line);)
    for (const std::string key : {"title: \"", "  - name: ", "license: "})
      if (line.starts_with(key)) {
        std::string value = line.substr(key.size());
        if (value.ends_with('"')) value.pop_back();
        EXPECT_THAT(cited, HasSubstr(value)) << key;
        ++found;
      }
  EXPECT_EQ(found, 3);
}

TEST(Appendix, CountsWhatFailed) {
  store::Records records = small_records();
  trial_of(records, "mlm", 3).outcome = "diverged";
  EXPECT_THAT(under(records, "Failures"), HasSubstr("mlm: 1 of 6 trials diverged (seed 3)"));
}

TEST(Appendix, BreaksCommandsAndHashesAnywhereButWithinACharacter) {
  const std::string tex =
      appendix({{"Command", "run --set=a_b %" + std::string(40, 'f') + "é", true}});
  EXPECT_THAT(
      tex,
      HasSubstr(
          "\\paragraph{Command.}\n{\\small\\ttfamily\\raggedright run -{}-set=\\allowbreak{}a\\_"
          "\\allowbreak{}b\\,\\%fffffffffff\\allowbreak{}f"));
  EXPECT_THAT(tex, HasSubstr("é\\par}"));
}

TEST(Captions, WriteThreeNumbersInARowAsARange) {
  EXPECT_EQ(ranges({1, 2, 3, 4, 7, 9, 10}), "1–4, 7, 9, 10");
  EXPECT_EQ(ranges({5}), "5");
  EXPECT_EQ(ranges({}), "");
}

}  // namespace
}  // namespace ablate::reports
