// The plan counts the items of probes that do not fit into a context, and refuses what cannot be measured.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/catalog.h"
#include "tests/harness/plan/small_catalog.h"
#include "tests/paths.h"

namespace ablate::plan {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class PlannedMisfits : public testing::Test {
 protected:
  /// Two arms with a probe, on bytes. `contexts`: of both.
  Json experiment(const Json& probe, std::int64_t context) const {
    return {{"name", "t"},
            {"corpus",
             {{"kind", "text"},
              {"paths", {(ablate::project_root() / "tests/cases/onesent.txt").string()}},
              {"documents", "blank_lines"}}},
            {"model",
             {{"backbone", "transformer"},
              {"depth", 1},
              {"width", 32},
              {"heads", 2},
              {"context", context}}},
            {"train", {{"budget", {{"tokens", 20000}}}, {"batch", 8}}},
            {"arms",
             {{{"name", "clm"}, {"set", {{"objective", {{"type", "causal_lm"}}}}}},
              {{"name", "mlm"}, {"set", {{"objective", {{"type", "masked_lm"}}}}}}}},
            {"baseline", "clm"},
            {"seeds", 2},
            {"probes", {probe}},
            {"analysis", {{"primary", probe.at("primary")}}}};
  }

  std::vector<std::string> warnings(Json probe, std::int64_t context) const {
    return make_plan(catalog(), written(std::move(probe), context), {}).warnings;
  }

  std::string refusal(Json probe, std::int64_t context) const {
    try {
      make_plan(catalog(), written(std::move(probe), context), {});
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path written(Json probe, std::int64_t context) const {
    Json made = experiment(probe, context);
    made["probes"][0].erase("primary");
    return folder.write("experiment.json", made.dump());
  }

  /// A file of so many lines, which differ.
  std::string lines(const std::string& name, int count,
                    const std::function<Json(int)>& line) const {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(i).dump() + "\n";
    return folder.write(name, text).string();
  }

  const testing_support::PlanFolder folder;
};

TEST_F(PlannedMisfits, CountsMinimalPairsThatAreTooLong) {
  const std::string path = lines("pairs.jsonl", 10, [](int i) {
    const std::string good(i < 4 ? 40 : 10, 'a');
    return Json{{"sentence_good", good + std::to_string(i)}, {"sentence_bad", "b"}};
  });
  const Json probe = {
      {"type", "minimal_pairs"}, {"path", path}, {"primary", "minimal_pairs.accuracy"}};
  EXPECT_THAT(
      warnings(probe, 32),
      Contains("probes.minimal_pairs: 4 of 10 items do not fit into a context of 32 tokens, "
               "and are left out"));
  EXPECT_THAT(warnings(probe, 64), Not(Contains(HasSubstr("do not fit"))));
  EXPECT_THAT(refusal(probe, 8), HasSubstr("none of its 10 items fits into a context of 8 tokens"));
}

TEST_F(PlannedMisfits, CountsLabelledDocumentsThatAreCut) {
  const auto line = [](int i) {
    return Json{{"text", std::string(i % 5 == 0 ? 70 : 20, 'a') + std::to_string(i)},
                {"label", i % 2 ? "x" : "y"}};
  };
  const Json probe = {{"type", "classification"},
                      {"train", lines("train.jsonl", 40, line)},
                      {"test", lines("test.jsonl", 41, [&](int i) { return line(i + 100); })},
                      {"training_documents", 20},
                      {"development_documents", 20},
                      {"test_documents", 40},
                      {"primary", "label.accuracy"}};
  EXPECT_THAT(warnings(probe, 64),
              Contains(HasSubstr("17 of 81 labelled documents are longer than the context of 64 "
                                 "tokens, and read up to its end")));
}

TEST_F(PlannedMisfits, LeavesOutDemonstrationsThatThereIsNoRoomFor) {
  const auto line = [](int i) {
    return Json{{"text", "text " + std::to_string(i)},
                {"label", i % 2 ? "a label that takes twenty" : "another label, as long"}};
  };
  Json probe = {{"type", "prompting"},
                {"train", lines("train.jsonl", 40, line)},
                {"test", lines("test.jsonl", 40, [&](int i) { return line(i + 100); })},
                {"training_documents", 20},
                {"test_documents", 20},
                {"shots", {0, 1, 4}},
                {"before_label", "="},
                {"after_label", ";"},
                {"primary", "prompting.accuracy_0"}};
  EXPECT_THAT(warnings(probe, 64),
              Contains(AllOf(HasSubstr("probes.prompting: 4 demonstrations with their labels leave "
                                       "no room for texts in 60 tokens"),
                             HasSubstr("their metrics are absent"))));
  probe["primary"] = "prompting.accuracy_4";
  EXPECT_THAT(refusal(probe, 64),
              HasSubstr("arm 'clm' gets no prompting.accuracy_4, the primary metric"));
  probe["shots"] = {4};
  EXPECT_THAT(refusal(probe, 64), HasSubstr("leave no room for texts in 60 tokens; give fewer"));
}

}  // namespace
}  // namespace ablate::plan
