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

TEST(SplitSizes, StandBesideTheMetricsInTheReport) {
  const auto files = files_of(with_splits());
  EXPECT_THAT(files.at("report.md"), HasSubstr(kTopics));
  EXPECT_THAT(files.at("report.html"), HasSubstr(kTopics));
}

}  // namespace
}  // namespace ablate::reports
