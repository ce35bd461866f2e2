// Starting from a trained trial: its weights are found, checked and named by their content.

#include "harness/plan/trial/start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/store/journal/checkpoint.h"
#include "harness/store/journal/journal.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_experiment;

/// A results folder with one trained trial of the small experiment's model.
class TrainedBefore : public testing::Test {
 protected:
  std::string write(const std::string& id, Json config, std::int64_t parameters = 384,
                    float value = 1) const {
    const fs::path trial = folder.path() / "old/trials" / id;
    fs::create_directories(trial);
    const std::vector<float> values(static_cast<std::size_t>(parameters), value);
    const std::string sum =
        store::write_checkpoint(trial / "weights.safetensors", {{{"tokens", {parameters}, values}}},
                                {{"format", "pt"}, {"trial", id}, {"config", canonical(config)}});
    store::Journal journal(trial / "journal.jsonl");
    journal.write("attempt", {{"trial", {{"id", id}}}});
    journal.write("checkpoint", {{"step", 1}, {"file", "weights.safetensors"}, {"sha256", sum}});
    return sum;
  }

  fs::path trial_folder(const std::string& id) const { return folder.path() / "old/trials" / id; }

  static Json config() {
    return {{"model", {{"backbone", "box"}, {"width", 8}, {"context", 16}}},
            {"vocabulary", {{"ordinary", 8}, {"sentinels", 0}}},
            {"semantics", {{"backbone", 1}}}};
  }

  static Json starting(const Json& start) {
    Json experiment = small_experiment();
    experiment["train"]["start"] = start;
    return experiment;
  }

  testing_support::PlanFolder folder;
  const std::string hash = write("abcdef0123456789", config());
  const Json by_id = {{"trial", "abcd"}, {"results", "old"}};
};

TEST_F(TrainedBefore, IsNamedByItsWeightsAndNotByItsPlace) {
  const Plan plan = plan_of(folder, starting(by_id));
  EXPECT_EQ(plan.trials[0].config.at("train")["start"], Json({{"weights", hash}}));
  const Plan by_file = plan_of(
      folder, starting({{"checkpoint", "old/trials/abcdef0123456789/weights.safetensors"}}));
  EXPECT_EQ(by_file.trials[0].id, plan.trials[0].id);
  EXPECT_NE(plan_of(folder, small_experiment()).trials[0].id, plan.trials[0].id);
}

TEST_F(TrainedBefore, LiesInTheCacheForTheWorker) {
  const Plan plan = plan_of(folder, starting(by_id));
  EXPECT_EQ(store::Checkpoint::read(start_file(plan.corpus.parent_path(), hash)).sha256(), hash);
}

TEST_F(TrainedBefore, IsRefusedIfItIsOfAnotherModelWithTheDifferences) {
  Json other = config();
  other["model"]["width"] = 32;
  other["vocabulary"]["ordinary"] = 9;
  write("1234", other);
  const std::string refused =
      testing_support::refusal_of(folder, starting({{"trial", "12"}, {"results", "old"}}));
  EXPECT_THAT(refused, HasSubstr("model.width is 32 and the arm's is 8"));
  EXPECT_THAT(refused, HasSubstr("vocabulary.ordinary is 9 and the arm's is 8"));
  EXPECT_THAT(refused, HasSubstr("experiment.json:"));
}

TEST_F(TrainedBefore, IsRefusedIfItHasOtherHeadsOrAnotherVersion) {
  write("5678", config(), 400);
  EXPECT_THAT(testing_support::refusal_of(folder, starting({{"trial", "56"}, {"results", "old"}})),
              HasSubstr("train.start holds 400 parameters and the arm's model has 384"));
  Json older = config();
  older["semantics"]["backbone"] = 0;
  write("6789", older);
  EXPECT_THAT(testing_support::refusal_of(folder, starting({{"trial", "67"}, {"results", "old"}})),
              HasSubstr("semantics.backbone is 0 and the arm's is 1"));
}

TEST_F(TrainedBefore, IsRefusedWithItsPlaceWhateverItsMetadataIs) {
  for (const Json& nonsense : {Json(), Json::array(), Json{{"model", 3}}, Json("not JSON")}) {
    write("4444", nonsense);
    const std::string refused =
        testing_support::refusal_of(folder, starting({{"trial", "44"}, {"results", "old"}}));
    EXPECT_THAT(refused, HasSubstr("does not say what model it belongs to")) << nonsense;
    EXPECT_THAT(refused, HasSubstr("experiment.json:"));
  }
  const std::string long_name(300, 'x');
  EXPECT_THAT(testing_support::refusal_of(folder, starting({{"checkpoint", long_name}})),
              HasSubstr("no file"));
}

TEST_F(TrainedBefore, IsRefusedIfItsMetadataIsNestedDeep) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::vector<float> values(384, 1.0f);
  store::write_checkpoint(
      folder.path() / "deep.safetensors", {{{"tokens", {384}, values}}},
      {{"config", R"({"model":)" + deep + R"(,"vocabulary":{},"semantics":{"backbone":1}})"}});
  EXPECT_THAT(testing_support::refusal_of(folder, starting({{"checkpoint", "deep.safetensors"}})),
              HasSubstr("does not say what model it belongs to"));
}

TEST_F(TrainedBefore, IsCopiedAgainIfTheCopyInTheCacheIsDamaged) {
  const fs::path kept = start_file(plan_of(folder, starting(by_id)).corpus.parent_path(), hash);
  write_file(kept, "torn");
  plan_of(folder, starting(by_id));
  EXPECT_EQ(store::Checkpoint::read(kept).sha256(), hash);
}

TEST_F(TrainedBefore, CausesAWarning) {
  EXPECT_THAT(
      plan_of(folder, starting(by_id)).warnings,
      testing::Contains(HasSubstr("share no initial weights with arms that start from random")));
}

TEST_F(TrainedBefore, IsRefusedIfItCannotBeFound) {
  write("abcd00", config());
  EXPECT_THAT(testing_support::refusal_of(folder, starting(by_id)),
              HasSubstr("more than one trial"));
  const auto refused = [&](const Json& start) {
    return testing_support::refusal_of(folder, starting(start));
  };
  EXPECT_THAT(refused({{"trial", "zz"}, {"results", "old"}}), HasSubstr("no trial of"));
  EXPECT_THAT(refused({{"trial", "ab"}, {"results", "gone"}}), HasSubstr("is not a folder of"));
  EXPECT_THAT(refused({{"checkpoint", "gone"}}), HasSubstr("there is no file"));
  EXPECT_THAT(refused({{"trial", "ab"}}), HasSubstr("give one of the two"));
  EXPECT_THAT(refused({{"checkpoint", "x"}, {"trial", "ab"}}), HasSubstr("give one of the two"));
  EXPECT_THAT(refused({{"file", "x"}}), HasSubstr("no parameter is named 'file'"));
}

TEST_F(TrainedBefore, IsRefusedIfItIsDamaged) {
  const fs::path file = folder.path() / "old/trials/abcdef0123456789/weights.safetensors";
  std::string bytes = read_file(file);
  bytes.back() ^= 1;
  write_file(file, bytes);
  EXPECT_THROW(plan_of(folder, starting(by_id)), DamagedFile);
}

/// What is said of weights that are refused, named by their trial and by their file.
class MovedWeights : public TrainedBefore {
 protected:
  std::vector<std::string> refusals() const {
    std::vector<std::string> messages;
    for (const Json& start :
         {by_id, Json{{"checkpoint", "old/trials/abcdef0123456789/weights.safetensors"}}}) {
      try {
        plan_of(folder, starting(start));
        messages.push_back("");
      } catch (const DamagedFile& error) {
        messages.push_back(error.what());
      }
    }
    return messages;
  }
};

TEST_F(MovedWeights, AreRefusedIfTwoFoldersWereSwapped) {
  write("9999", config(), 384, 2);
  fs::rename(trial_folder("9999"), folder.path() / "aside");
  fs::rename(trial_folder("abcdef0123456789"), trial_folder("9999"));
  fs::rename(folder.path() / "aside", trial_folder("abcdef0123456789"));
  EXPECT_THAT(refusals(),
              testing::Each(HasSubstr("belongs to trial 9999, but this is the folder of "
                                      "trial abcdef0123456789")));
}

TEST_F(MovedWeights, AreRefusedIfAnotherTrialsWereCopiedOverThem) {
  write("9999", config(), 384, 2);
  fs::copy_file(trial_folder("9999") / "weights.safetensors",
                trial_folder("abcdef0123456789") / "weights.safetensors",
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(refusals(), testing::Each(HasSubstr("weights.safetensors: belongs to trial 9999")));
}

TEST_F(MovedWeights, AreRefusedIfTheJournalNamesOthersOfTheTrial) {
  const fs::path journal = trial_folder("abcdef0123456789") / "journal.jsonl";
  const std::string before = read_file(journal);
  write("abcdef0123456789", config(), 384, 2);
  write_file(journal, before);
  EXPECT_THAT(refusals(), testing::Each(HasSubstr("is not the file that the journal names")));
}

TEST_F(MovedWeights, AreTheFileItselfOutsideAResultsFolder) {
  fs::copy(trial_folder("abcdef0123456789"), folder.path() / "kept");
  const Plan plan = plan_of(folder, starting({{"checkpoint", "kept/weights.safetensors"}}));
  EXPECT_EQ(plan.trials[0].config.at("train")["start"], Json({{"weights", hash}}));
}

}  // namespace
}  // namespace ablate::plan
