// Generated texts, with the mark where their prompts end.

#include "reports/text/sample.h"

#include <gtest/gtest.h>

namespace ablate::reports {
namespace {

TEST(MarkedText, ShowsWhereThePromptEnds) {
  EXPECT_EQ(marked_text({"<begin> w1 w2 w3", {{"given", 3}, {"prompt", "<begin> w1 w2"}}}),
            "<begin> w1 w2 ▸ w3");
}

TEST(MarkedText, IsTheTextWhereNothingWasGiven) {
  EXPECT_EQ(marked_text({"<begin> w1", {{"given", 1}}}), "<begin> w1");
  EXPECT_EQ(marked_text({"<begin> w1", Json()}), "<begin> w1");
}

TEST(MarkedText, IsTheTextWhereThePromptIsNotItsBeginning) {
  EXPECT_EQ(marked_text({"a text", {{"prompt", "another"}}}), "a text");
  EXPECT_EQ(marked_text({"a text", {{"prompt", 3}}}), "a text");
}

}  // namespace
}  // namespace ablate::reports
