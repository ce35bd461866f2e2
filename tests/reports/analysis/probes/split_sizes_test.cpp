// How much probes were fitted to and tested on: beside the metrics.

#include "reports/analysis/probes/split_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/files.h"
#include "tests/reports/probe_records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> sentences_of(const store::Records& records) {
  const Analysis analysis = analyse(records);
  std::vector<const MetricRow*> metrics;
  for (const MetricRow& metric : analysis.metrics) metrics.push_back(&metric);
  return split_sentences(analysis, metrics);
}

constexpr const char* kTopics =
    "topic: fitted to 40 documents, settings chosen on 20, tested on 30 to 40.";

TEST(SplitSizes, AreToldOncePerProbeWithTheirRangeOverTrials) {
  EXPECT_THAT(sentences_of(with_splits()),
              ElementsAre(kTopics,
                          "tagging: fitted to 45 sentences, tested on 60; tags in IOBES, "
                          "read as IOB2."));
  EXPECT_THAT(sentences_of(small_records()), IsEmpty());
}

TEST(SplitSizes, OfTrialsThatDidNotCompleteAreNotTold) {
  store::Records records = with_splits();
  trial_of(records, "mlm", 1).outcome = "failed";
  EXPECT_THAT(sentences_of(records)[0], HasSubstr("tested on 40."));
}

TEST(SplitSizes, TellWhatDoesNotFitIntoTheContext) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    trial.splits = {{.metric = "topic.accuracy", .unit = "items", .test = 1559, .left_out = 451}};
  const std::string said =
      "topic: tested on 1559 items; 451 more do not fit into the context, and are left out.";
  EXPECT_THAT(sentences_of(records), ElementsAre(said));
  EXPECT_THAT(files_of(records).at("report.md"), HasSubstr(said));
  records = with_splits();
  for (store::TrialRecord& trial : records.trials) trial.splits[1].cut = 3;
  EXPECT_THAT(sentences_of(records)[1],
              HasSubstr("tested on 60; 3 of all are read up to the end of the context; tags in"));
}

TEST(SplitSizes, StandBesideTheMetricsInTheReport) {
  const auto files = files_of(with_splits());
  EXPECT_THAT(files.at("report.md"), HasSubstr(kTopics));
  EXPECT_THAT(files.at("report.html"), HasSubstr(kTopics));
}

}  // namespace
}  // namespace ablate::reports
