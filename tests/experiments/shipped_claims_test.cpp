// The shipped claims: each can be tested by the experiment that it names.

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "experiments/catalog.h"
#include "harness/base/files.h"
#include "harness/plan/price/metrics.h"
#include "harness/plan/read/experiment.h"
#include "harness/statistics/paired/sign_flip.h"
#include "reports/claims/evidence.h"
#include "reports/claims/read_claims.h"
#include "tests/paths.h"
#include "tests/temporary_folder.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

const fs::path kShippedFolder = project_root() / "experiments";

constexpr std::array kFiles = {"train.txt", "test.txt", "intents_train.jsonl",
                               "intents_test.jsonl"};

reports::ClaimSet shipped_claims() {
  return reports::read_claims("claims.json", read_file(kShippedFolder / "claims.json"));
}

/// Records of an experiment that was run: every metric of every arm, with values that follow from
/// arm and seed.
store::Records records_as_if_run(const plan::Experiment& experiment) {
  plan::Faults faults;
  const plan::MetricsByArm metrics = plan::metrics_of(catalog(), experiment, faults);
  EXPECT_TRUE(faults.empty());
  store::Records records;
  records.plan = {{"experiment", experiment.name},
                  {"arms", Json::array()},
                  {"metrics", plan::metrics_json(metrics)},
                  {"analysis", experiment.analysis.section}};
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    const plan::ResolvedArm& arm = experiment.arms[i];
    records.plan["arms"].push_back(
        {{"name", arm.name},
         {"baseline", i == experiment.baseline},
         {"objective", arm.objective.at("type")},
         {"config", {{"model", arm.model}, {"objective", arm.objective}, {"train", arm.train}}}});
    for (const std::int64_t seed : experiment.seeds) {
      store::TrialRecord& trial = records.trials.emplace_back();
      trial.id = arm.name + std::to_string(seed);
      trial.arm = arm.name;
      trial.seed = seed;
      trial.outcome = "completed";
      for (const Json& row : records.plan["metrics"][arm.name])
        trial.metrics[row.at("name").get<std::string>()] =
            static_cast<double>(i) + 0.01 * static_cast<double>(seed);
    }
  }
  return records;
}

/// An experiment as the command line of a claim asks for it. The flags name files of text in the folder
/// that the program is started in; `files` has them.
plan::Experiment experiment_of(const reports::Claim& claim, const fs::path& files) {
  plan::Overrides overrides;
  for (std::size_t i = 0; i + 1 < claim.flags.size(); i += 2) {
    std::string value = claim.flags[i + 1];
    for (const char* name : kFiles)
      if (const std::size_t at = value.find(std::string("\"") + name); at != value.npos)
        value.insert(at + 1, (files / "").string());
    EXPECT_TRUE(claim.flags[i] == "--set" || claim.flags[i] == "--only") << claim.flags[i];
    (claim.flags[i] == "--set" ? overrides.set : overrides.only).push_back(value);
  }
  EXPECT_EQ(claim.flags.size() % 2, 0u) << claim.id;
  return plan::read_experiment(catalog(), kShippedFolder / (claim.experiment + ".json"), overrides);
}

/// The text and the labels that the command lines name.
class FilesOfClaims {
 public:
  FilesOfClaims() {
    std::string lines, labels;
    for (int i = 0; i < 400; ++i) {
      const std::string word = i % 2 == 0 ? "even" : "odd";
      lines += "a line of text that is " + word + " and is number " + std::to_string(i) + "\n";
      labels += Json({{"text", word + " " + std::to_string(i)}, {"label", word}}).dump() + "\n";
    }
    for (const char* name : kFiles)
      folder_.write(name, fs::path(name).extension() == ".txt" ? lines : labels);
  }

  const fs::path& path() const { return folder_.path(); }

 private:
  const TemporaryFolder folder_;
};

/// An experiment on one kind of text, and how many claims are about it.
struct ClaimedExperiment {
  plan::Experiment experiment;
  std::int64_t claims = 0;
};

std::map<std::string, ClaimedExperiment> claimed_experiments(const reports::ClaimSet& set,
                                                             const fs::path& files) {
  std::map<std::string, ClaimedExperiment> all;
  for (const reports::Claim& claim : set.claims) {
    const std::string name = claim.experiment + (claim.on_text_of.empty() ? "" : " on text");
    if (!all.contains(name)) all[name].experiment = experiment_of(claim, files);
    ++all[name].claims;
  }
  return all;
}

TEST(ShippedClaims, NameArmsSweepsAndMetricsOfTheirExperiments) {
  const reports::ClaimSet set = shipped_claims();
  EXPECT_GE(set.claims.size(), 40u);
  EXPECT_GE(set.claims.size() + set.untestable.size(), 46u) << "the published directions";
  const FilesOfClaims files;
  for (const reports::Claim& claim : set.claims) {
    const store::Records records = records_as_if_run(experiment_of(claim, files.path()));
    const reports::Analysis analysis = reports::analyse(records);
    try {
      const reports::Evidence evidence = reports::evidence_on(claim, analysis);
      EXPECT_TRUE(evidence.measured) << claim.id << ": " << evidence.note;
      EXPECT_TRUE(evidence.seen.interval) << claim.id << ": " << evidence.note;
    } catch (const std::invalid_argument& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(ShippedClaims, AreFewEnoughForTheSeedsOfTheirExperiments) {
  const FilesOfClaims files;
  for (const auto& [name, claimed] : claimed_experiments(shipped_claims(), files.path())) {
    const auto seeds = static_cast<std::int64_t>(claimed.experiment.seeds.size());
    const double p = statistics::minimum_sign_flip_p(seeds) * static_cast<double>(claimed.claims);
    EXPECT_LT(p, claimed.experiment.analysis.alpha)
        << name << ": " << seeds << " seeds cannot resolve " << claimed.claims << " claims";
  }
}

}  // namespace
}  // namespace ablate
