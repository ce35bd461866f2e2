// Arms of another size than the baseline.

#include "reports/analysis/answer/size_statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/answer/answer.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The small experiment with arms mtp[rate=...], of these parameters at inference; clm has 116,320.
store::Records with_sizes(const std::vector<std::pair<std::string, double>>& sizes) {
  std::vector<double> rates;
  for (const auto& [arm, parameters] : sizes) rates.push_back(std::stod(arm));
  store::Records records = with_sweep("mtp", rates);
  for (store::TrialRecord& trial : records.trials) {
    trial.ledger["parameters_at_inference"] = 116'320;
    for (const auto& [arm, parameters] : sizes)
      if (trial.arm == fmt::format("mtp[rate={}]", arm))
        trial.ledger["parameters_at_inference"] = parameters;
  }
  return records;
}

std::string said(const store::Records& records) {
  return text_of(size_statements(analyse(records)));
}

TEST(SizeStatements, NameArmsThatPredictWithOtherNumbersOfParameters) {
  const store::Records records = with_sizes({{"0.2", 100'000}, {"0.8", 29'900}});
  EXPECT_EQ(said(records), "mtp[rate=0.8] predicts with 29.9 k parameters, clm with 116 k.");
  EXPECT_THAT(answer(analyse(records)), HasSubstr(" mtp[rate=0.8] predicts with 29.9 k"));
  EXPECT_THAT(size_statements(analyse(records)).front().query.arms,
              ElementsAre("clm", "mtp[rate=0.8]"));
}

TEST(SizeStatements, GiveTheRangeOfMany) {
  EXPECT_EQ(said(with_sizes({{"0.2", 10'000}, {"0.4", 20'000}, {"0.6", 40'000}, {"0.8", 80'000}})),
            "4 arms predict with a different number of parameters than clm, 116 k: 10 k "
            "(mtp[rate=0.2]) to 80 k (mtp[rate=0.8]).");
}

TEST(SizeStatements, SayNothingOfSimilarSizesAndOfRecordsWithoutAny) {
  EXPECT_EQ(said(with_sizes({{"0.2", 100'000}, {"0.4", 126'000}})), "");
  EXPECT_EQ(said(small_records()), "");
}

}  // namespace
}  // namespace ablate::reports
