// What holds a probe to account: labels that say nothing, and the length of a code.

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/probes/classification/control_task.h"
#include "harness/probes/linear/online_code.h"

namespace ablate::probes {
namespace {

TEST(ControlTask, LabelsADocumentByItsFirstTokenAlone) {
  std::vector<std::vector<Token>> documents;
  std::vector<std::int32_t> labels;
  for (Token i = 0; i < 200; ++i) {
    documents.push_back({begin_token, 16 + i % 40, 16 + i});
    labels.push_back(i % 4 == 0 ? 1 : 0);
  }
  const auto control = control_labels(documents, labels, Rng(1));
  for (std::size_t i = 40; i < 200; ++i) EXPECT_EQ(control[i], control[i % 40]);
  EXPECT_NE(control, control_labels(documents, labels, Rng(2)));
  // 40 tokens, each 1 with probability 1/4: 10, with a standard deviation of 2.7; 4 of it.
  const auto ones = std::count(control.begin(), control.begin() + 40, 1);
  EXPECT_NEAR(static_cast<double>(ones), 10, 10.9);
}

constexpr double kPenalties[] = {1, 0.01};

Observations rows_of(std::size_t count, double signal) {
  Observations rows{.width = 3};
  Rng rng(4);
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::int32_t>(i % 2);
    for (int d = 0; d < 3; ++d) rows.features.push_back(rng.normal() + signal * label);
    rows.labels.push_back(label);
  }
  return rows;
}

TEST(OnlineCode, IsShortWhereFeaturesTellLabelsAndNotWhereTheyDoNot) {
  EXPECT_GT(online_compression(rows_of(400, 6), 2, kPenalties, Rng(1)), 5);
  const double noise = online_compression(rows_of(400, 0), 2, kPenalties, Rng(1));
  EXPECT_LT(noise, 1.01);  // it pays for what it believes
  EXPECT_GT(noise, 0.6);
}

// Three labels of two classes: the first takes a bit, and further fits are to one or two rows.
TEST(OnlineCode, CodesFewRows) {
  EXPECT_GT(online_compression(rows_of(3, 6), 2, kPenalties, Rng(1)), 0);
}

}  // namespace
}  // namespace ablate::probes
