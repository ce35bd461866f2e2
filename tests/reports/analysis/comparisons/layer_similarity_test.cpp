#include "reports/analysis/comparisons/layer_similarity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reports/files.h"
#include "tests/reports/probe_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

/// The mean similarity of two layers; NaN where there is none.
double between(const Analysis& analysis, const std::string& first, std::size_t layer,
               const std::string& second, std::size_t other) {
  for (const LayerSimilarity& each : layer_similarities(analysis))
    if (each.first->name == first && each.second->name == second && each.first_layer == layer &&
        each.second_layer == other)
      return *each.over_seeds.mean;
  return std::nan("");
}

TEST(LayerSimilarity, IsTheCosineOfKernelsOfTheSameSeed) {
  const store::Records records = with_kernels();
  const Analysis analysis = analyse(records);
  EXPECT_NEAR(between(analysis, "clm", 1, "mlm", 1), .6, 1e-12);
  EXPECT_NEAR(between(analysis, "clm", 0, "mlm", 0), 1, 1e-12);
  EXPECT_NEAR(between(analysis, "clm", 0, "clm", 1), 0, 1e-12);
  EXPECT_NEAR(between(analysis, "mlm", 0, "mlm", 1), .48, 1e-12);
  EXPECT_TRUE(std::isnan(between(analysis, "clm", 1, "clm", 1))) << "a layer with itself";
  for (const LayerSimilarity& each : layer_similarities(analysis)) {
    EXPECT_EQ(each.over_seeds.n, each.first_layer == 1 && each.second_layer == 1 ? 6 : 5);
    EXPECT_EQ(each.last_layers,
              each.first != each.second && each.first_layer == 1 && each.second_layer == 1);
  }
}

TEST(LayerSimilarity, IsOfCompletedTrialsOnTheSameDocumentsAlone) {
  store::Records records = with_kernels();
  trial_of(records, "mlm", 2).outcome = "failed";
  trial_of(records, "mlm", 3).kernels[1].push_back(1);  // of more documents
  const Analysis analysis = analyse(records);
  for (const LayerSimilarity& each : layer_similarities(analysis)) {
    EXPECT_TRUE(!each.last_layers || each.over_seeds.n == 4);
  }
  for (store::TrialRecord& trial : records.trials) trial.kernels.clear();
  EXPECT_TRUE(json_of(records)["similarity"].empty());
}

TEST(LayerSimilarity, IsInEveryFormat) {
  const store::Records records = with_kernels();
  const auto files = files_of(records);
  EXPECT_THAT(files.at("report.md"), HasSubstr("How similar the arms' last layers are"));
  EXPECT_THAT(files.at("report.html"), HasSubstr("How similar the arms"));
  EXPECT_THAT(files.at("paper/similarity.tex"), HasSubstr("$0.6$"));
  EXPECT_THAT(files.at("similarity.csv"), HasSubstr("small,clm,1,mlm,1,6,0.6"));
  EXPECT_EQ(Json::parse(files.at("report.json"))["similarity"].size(), 6u);
}

}  // namespace
}  // namespace ablate::reports
