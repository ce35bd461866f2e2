// The plan tells where an objective finds nothing to do in the texts, and where steps score nothing.

#include "harness/plan/price/idle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/catalog.h"
#include "harness/plan/make_plan.h"
#include "tests/harness/plan/small_catalog.h"
#include "tests/paths.h"

namespace ablate::plan {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// The warnings of an experiment of one arm, "x", that reads a file of tests/cases.
std::vector<std::string> warnings_of_case(const std::string& file, const Json& objective,
                                          const Json& more = Json::object(),
                                          const Json& train = Json::object()) {
  const testing_support::PlanFolder folder;
  Json experiment = {
      {"name", "t"},
      {"corpus",
       {{"kind", "text"},
        {"paths", {(ablate::project_root() / "tests/cases" / file).string()}},
        {"documents", "blank_lines"},
        {"held_out", {{"share", 0.1}}}}},
      {"model",
       {{"backbone", "transformer"}, {"depth", 1}, {"width", 32}, {"heads", 2}, {"context", 64}}},
      {"train", {{"budget", {{"tokens", 20000}}}, {"batch", 8}}},
      {"arms", {{{"name", "x"}, {"set", {{"objective", objective}}}}}},
      {"seeds", 2},
      {"probes", {"held_out"}}};
  experiment.merge_patch(more);
  experiment["train"].update(train);
  const auto path = folder.write("experiment.json", experiment.dump());
  return make_plan(catalog(), path, {}).warnings;
}

Json pairs(const char* kind) { return {{"type", "masked_lm"}, {"format", "pair"}, {"pair", kind}}; }

constexpr const char* kNotPaired = "of its sampled texts are not paired";

TEST(Idle, TellsOneDocumentForNextSentencePrediction) {
  // One of two documents is held out, and the other one has no partner.
  const Json held = {{"corpus",
                      {{"documents", "files"},
                       {"held_out",
                        {{"paths", {(ablate::project_root() / "tests/cases/onesent.txt").string()}},
                         {"share", nullptr}}}}}};
  EXPECT_THAT(warnings_of_case("onedoc.txt", pairs("nsp"), held),
              Contains(AllOf(HasSubstr("arm 'x': "), HasSubstr(kNotPaired),
                             HasSubstr("corpus.documents"))));
  EXPECT_THAT(warnings_of_case("onedoc.txt", pairs("sop"), held),
              Not(Contains(HasSubstr(kNotPaired))));
}

TEST(Idle, TellsOneSentenceForSentenceOrder) {
  EXPECT_THAT(warnings_of_case("onesent.txt", pairs("sop")),
              Contains(AllOf(HasSubstr("arm 'x': "), HasSubstr(kNotPaired))));
  EXPECT_THAT(warnings_of_case("onesent.txt", {{"type", "denoising"}}),
              Contains(HasSubstr("have too few sentences to permute any")));
}

TEST(Idle, FindsTheSentencesOfChinese) {
  const Json context = {{"model", {{"context", 256}}}};  // bytes
  EXPECT_THAT(warnings_of_case("zh_docs.txt", pairs("sop"), context),
              Not(Contains(HasSubstr(kNotPaired))));
  EXPECT_THAT(warnings_of_case("zh_docs.txt", {{"type", "denoising"}}, context),
              Not(Contains(HasSubstr("to permute"))));
}

TEST(Idle, TellsStepsAndTextsWithoutATarget) {
  const Json small = {{"model", {{"context", 8}}}};
  const Json padded = {{"packing", "padded"}, {"batch", 1}, {"budget", {{"steps", 200}}}};
  EXPECT_THAT(
      warnings_of_case("onechar.txt", {{"type", "masked_lm"}}, small, padded),
      AllOf(Contains(AllOf(HasSubstr("of its 200 steps score no target, and have no loss"))),
            Contains(HasSubstr("% of its sampled texts have no target"))));
  const Json many = {{"packing", "padded"}, {"batch", 256}, {"budget", {{"steps", 200}}}};
  EXPECT_THAT(
      warnings_of_case("onechar.txt", {{"type", "masked_lm"}}, small, many),
      AllOf(Not(Contains(HasSubstr("score no target"))), Contains(HasSubstr("have no target"))))
      << "256 texts always have some";
}

TEST(Idle, TellsDocumentsWithoutPicturesOnce) {
  const auto warnings = warnings_of_case(
      "onesent.txt", {{"type", "contrastive"}, {"pairs", "modalities"}}, Json::object());
  EXPECT_THAT(warnings, Contains(HasSubstr("100 % of its sampled texts show no whole picture")));
  EXPECT_THAT(warnings, Not(Contains(HasSubstr("have no target")))) << "it was said why";
}

TEST(Idle, TellsTextsWithoutRoomForTwoSegments) {
  const auto warnings = warnings_of_case("zh_docs.txt", {{"type", "contrastive"}, {"segment", 120}},
                                         {{"model", {{"context", 256}}}});
  EXPECT_THAT(warnings,
              Contains(HasSubstr("have no room for two segments: lower objective.segment")));
  EXPECT_THAT(warnings, Not(Contains(HasSubstr("have no target")))) << "it was said why";
}

TEST(Idle, SaysNothingOfStepsThatAreNotExpected) {
  EXPECT_EQ(unscored_sentence(0, 100), "");
  EXPECT_EQ(unscored_sentence(0.001, 100), "");
  EXPECT_THAT(unscored_sentence(0.02, 100), HasSubstr("about 2 of its 100 steps"));
  EXPECT_THAT(unscored_sentence(0.02, 0), HasSubstr("about 2 % of its steps"));
  EXPECT_EQ(unscored_sentence(0, 0), "");
}

}  // namespace
}  // namespace ablate::plan
