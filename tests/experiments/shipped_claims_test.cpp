// The shipped claims: each can be tested by the experiment that it names.

#include <gtest/gtest.h>

#include <map>

#include "experiments/catalog.h"
#include "harness/base/files.h"
#include "harness/plan/price/metrics.h"
#include "harness/plan/read/experiment.h"
#include "harness/statistics/paired/sign_flip.h"
#include "reports/claims/evidence.h"
#include "reports/claims/read_claims.h"
#include "tests/paths.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

const fs::path kShippedFolder = project_root() / "experiments";

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
        trial.metrics[row.at("name")] = static_cast<double>(i) + 0.01 * static_cast<double>(seed);
    }
  }
  return records;
}

/// An experiment, and how many claims are about it.
struct ClaimedExperiment {
  plan::Experiment experiment;
  std::int64_t claims = 0;
};

std::map<std::string, ClaimedExperiment> claimed_experiments(const reports::ClaimSet& set) {
  std::map<std::string, ClaimedExperiment> all;
  for (const reports::Claim& claim : set.claims) {
    if (!all.contains(claim.experiment))
      all[claim.experiment].experiment =
          plan::read_experiment(catalog(), kShippedFolder / (claim.experiment + ".json"), {});
    ++all[claim.experiment].claims;
  }
  return all;
}

TEST(ShippedClaims, NameArmsSweepsAndMetricsOfTheirExperiments) {
  const reports::ClaimSet set = shipped_claims();
  EXPECT_GE(set.claims.size(), 40u);
  EXPECT_GE(set.claims.size() + set.untestable.size(), 46u) << "the published directions";
  const auto experiments = claimed_experiments(set);
  for (const reports::Claim& claim : set.claims) {
    const store::Records records = records_as_if_run(experiments.at(claim.experiment).experiment);
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
  for (const auto& [name, claimed] : claimed_experiments(shipped_claims())) {
    const auto seeds = static_cast<std::int64_t>(claimed.experiment.seeds.size());
    const double p = statistics::minimum_sign_flip_p(seeds) * static_cast<double>(claimed.claims);
    EXPECT_LT(p, claimed.experiment.analysis.alpha)
        << name << ": " << seeds << " seeds cannot resolve " << claimed.claims << " claims";
  }
}

}  // namespace
}  // namespace ablate
